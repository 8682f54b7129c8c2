// The detail pane of an operation: state, error, timeline, replay preview.
import { type ReactElement, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { actorLabel } from '../../../sdk/actor-label.ts';
import type { OperationSteps, ReplayOf } from '../../../sdk/index.ts';
import { useRoleReason } from '../../api/viewer.ts';
import { useKeys } from '../../keys.ts';
import { filesHref } from '../../location/app-location.ts';
import { nameOf } from '../../model/files/path.ts';
import { clock, clockWithMs, fullTime } from '../../model/format.ts';
import { sentence } from '../../model/inbound/dead-letter-view.ts';
import { shareOf, span, timelineOf } from '../../model/outbound/operation-timeline.ts';
import { nextStep, retryText } from '../../model/outbound/operation-view.ts';
import { isRetrying, operationStatus } from '../../model/outbound/outbound-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import type { RowAction } from '../../parts/buttons/row-menu.tsx';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { useNow } from '../../parts/feedback/time.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import { LoadingDetail } from '../../parts/tables/loading-detail.tsx';
import {
  type Asking,
  CancelDialog,
  type LoadedOperationProps,
  type OperationDetailProps,
  OperationFoot,
  useReplay,
} from './actions.tsx';
import { type OperationWithSteps, useOperation } from './queries.ts';
import { ReplayPreview } from './replay-preview.tsx';
import { SandboxDialog } from './sandbox-dialog.tsx';

export function OperationDetail(props: OperationDetailProps): ReactElement {
  const loaded = useOperation(props.workspaceId, props.opId);
  if (loaded.data !== undefined) return <LoadedOperation {...props} loaded={loaded.data} />;
  return (
    <LoadingDetail
      query={loaded}
      id={props.opId}
      notFound="Operation not found"
      why="is not in this workspace, or is no longer retained."
      onClose={props.onClose}
    />
  );
}

function LoadedOperation(props: LoadedOperationProps): ReactElement {
  const { workspaceId, opId, replayHandle, onClose, loaded } = props;
  const { operation, steps } = loaded;
  const disabledReason = useRoleReason(workspaceId, 'editor');
  const [send, setSend] = useState<ReplayOf>('current');
  const [asking, setAsking] = useState<Asking | null>(null);
  const { replay, replayDisabled, failure } = useReplay(props, send);
  useKeys({ t: () => disabledReason === null && setAsking('sandbox') });
  useEffect(() => {
    replayHandle.current = () => void replay();
    return () => {
      replayHandle.current = null;
    };
  });
  return (
    <>
      <OperationHead loaded={loaded} menu={props.actions(operation)} onClose={onClose} />
      <ReadingRegion name="Operation details" className="detail-body work-body">
        <LastError workspaceId={workspaceId} loaded={loaded} />
        <TimelineBars steps={steps} />
        {operation.status === 'dead_lettered' ? (
          <ReplayPreview workspaceId={workspaceId} opId={opId} send={send} onSend={setSend} />
        ) : null}
        <FailureText error={failure} />
      </ReadingRegion>
      <OperationFoot
        operation={operation}
        replayDisabled={replayDisabled}
        onReplay={() => void replay()}
        onAsk={setAsking}
      />
      {asking === 'sandbox' ? (
        <SandboxDialog
          workspaceId={workspaceId}
          operation={operation}
          first={send}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'cancel' ? <CancelDialog {...props} onClose={() => setAsking(null)} /> : null}
    </>
  );
}

function OperationHead({
  loaded: { operation, steps },
  menu,
  onClose,
}: {
  readonly loaded: OperationWithSteps;
  readonly menu: readonly RowAction[];
  readonly onClose: () => void;
}): ReactElement {
  const { path = '', revision, correlationId } = operation;
  return (
    <DetailHead
      title={nameOf(path)}
      menu={menu}
      side={<Status {...operationStatus(operation)} pill />}
      facts={
        <>
          <PathText path={path} />
          <Identifier text={operation.opId} what="the id" />
          {revision === undefined ? null : <span className="mono">{revision}</span>}
          {steps.actor === undefined ? null : <span>by {actorLabel(steps.actor)}</span>}
          {correlationId === undefined ? null : <Identifier text={correlationId} what="the correlation id" />}
        </>
      }
      onClose={onClose}
    />
  );
}

/** The last error; nothing without one. */
function LastError({
  workspaceId,
  loaded: { operation, steps },
}: {
  readonly workspaceId: string;
  readonly loaded: OperationWithSteps;
}): ReactElement | null {
  const isDead = operation.status === 'dead_lettered';
  if (!isDead && !isRetrying(operation)) return null;
  const { path = '' } = operation;
  return (
    <ErrorBlock
      tone={isDead ? 'bad' : 'warn'}
      cause={sentence(
        (operation.lastError ?? 'it rejected the operation').replace(
          /^it /,
          `${operation.provider ?? 'it'} `,
        ),
      )}
      path={
        <Link href={filesHref(workspaceId, path, 'file')}>
          <PathText path={path} />
        </Link>
      }
      next={nextStep(operation, steps)}
      retry={
        <RetryAt at={isDead ? null : (operation.nextAttemptAt ?? null)} otherwise={retryText(operation)} />
      }
    />
  );
}

const icons: Readonly<Record<string, Meaning>> = {
  ok: 'fine',
  failed: 'failed',
  waiting: 'waiting',
  paused: 'canceled',
  active: 'edit',
};

function TimelineBars({ steps }: { readonly steps: OperationSteps }): ReactElement {
  const now = useNow();
  const timeline = timelineOf(steps, now);
  return (
    <section className="work-section" aria-labelledby="timeline-title">
      <h3 id="timeline-title">Timeline, {span(timeline.toMs - timeline.fromMs)} in total</h3>
      {timeline.hidden > 0 ? <p className="hint">{timeline.hidden} earlier steps are not shown.</p> : null}
      <ol className="bars">
        {timeline.bars.map((bar) => {
          const { left, width } = shareOf(bar, timeline);
          const length = bar.toMs - bar.fromMs;
          return (
            <li key={bar.key} title={`${fullTime(bar.fromMs)}${bar.note === '' ? '' : `: ${bar.note}`}`}>
              <span className={`bar-name ${bar.kind}`}>
                <Icon of={icons[bar.status] ?? 'info'} small />
                <span className="ellipsis">{bar.label}</span>
              </span>
              <span className="bar-track" aria-hidden="true">
                <span
                  className={`bar ${bar.kind}`}
                  style={{ left: `min(${left}%, 100% - 3px)`, width: `${width}%` }}
                />
              </span>
              <span className="number soft">
                {length > 0 ? span(length) : <span className="faint">{clockWithMs(bar.fromMs)}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      <div className="bar-axis" aria-hidden="true">
        <span>{clock(timeline.fromMs)}</span>
        <span>{clock(timeline.toMs)}</span>
      </div>
    </section>
  );
}
