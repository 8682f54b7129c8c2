// The detail pane of a dead letter: its cause, payload and attempts, a preview of its replay, and its actions.
import { type ReactElement, type RefObject, useEffect } from 'react';
import type { DeadLetter, DeadLetterDetail } from '../../../sdk/index.ts';
import { useDisabledReason } from '../../api/services.ts';
import { clockWithMs } from '../../model/format.ts';
import {
  deadLetterStatus,
  noRetryReason,
  previewView,
  sentence,
} from '../../model/inbound/dead-letter-view.ts';
import { causeNext, causeTitle } from '../../model/inbound/failure-cause.ts';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import type { RowAction } from '../../parts/buttons/row-menu.tsx';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { CheckLine } from '../../parts/fields/checkbox.tsx';
import { DetailPane } from '../../parts/tables/detail-head.tsx';
import { LoadingDetail } from '../../parts/tables/loading-detail.tsx';
import type { Panes } from '../../parts/tables/use-panes.tsx';
import { DeadLetterActions } from './actions.tsx';
import { type Fields, sameEditOf } from './edit-check.ts';
import { DeadLetterHead, ResultNote } from './head.tsx';
import { Payload } from './payload.tsx';
import { pathOf, useDeadLetter } from './queries.ts';
import { type Replay, useReplay } from './use-replay.ts';

/** The actions behind the keys of the screen. */
export interface DetailActions {
  readonly edit: () => void;
  readonly replay: () => void;
  readonly acknowledge: () => void;
}

/** What can be done with one dead letter. */
export type DeadLetterMenu = (
  deadLetter: Pick<DeadLetter, 'envelopeId' | 'deliveryId'>,
) => readonly RowAction[];

interface DeadLetterPaneProps {
  readonly workspaceId: string;
  readonly envelopeId: string;
  readonly selected: readonly DeadLetter[];
  readonly panes: Panes;
  /** The menu of its row. */
  readonly menuOf: DeadLetterMenu;
  /** Set to the actions of the open dead letter. */
  readonly actions: RefObject<DetailActions | null>;
  readonly onAcknowledge: (envelopeId: string) => void;
  readonly onSameEdit: (patch: Fields) => void;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

type LoadedProps = DeadLetterPaneProps & { readonly deadLetter: DeadLetterDetail };

export function DeadLetterPane({
  envelopeId,
  ...props
}: Omit<DeadLetterPaneProps, 'envelopeId'> & { readonly envelopeId: string | null }): ReactElement {
  return (
    <DetailPane label="Dead letter" openId={envelopeId} panes={props.panes}>
      {(openId) => <OpenDeadLetter key={openId} {...props} envelopeId={openId} />}
    </DetailPane>
  );
}

function OpenDeadLetter(props: DeadLetterPaneProps): ReactElement {
  const query = useDeadLetter(props.workspaceId, props.envelopeId);
  if (query.data !== undefined) return <LoadedDeadLetter {...props} deadLetter={query.data} />;
  return (
    <LoadingDetail
      query={query}
      id={props.envelopeId}
      notFound="Dead letter not found"
      why="never failed, or is no longer retained."
      onClose={props.onClose}
    />
  );
}

function LoadedDeadLetter(props: LoadedProps): ReactElement {
  const { workspaceId, envelopeId, deadLetter, actions, selected } = props;
  const disabledReason = useDisabledReason();
  const replay = useReplay(workspaceId, deadLetter, props.onChanged);
  const { reading } = replay;
  const isDead = deadLetter.state === 'dead_letter';
  const payload = deadLetter.editedPayload ?? deadLetter.payload ?? null;
  useEffect(() => {
    actions.current = {
      edit: replay.edit,
      replay: replay.replay,
      acknowledge: () => isDead && disabledReason === null && props.onAcknowledge(envelopeId),
    };
    return () => {
      actions.current = null;
    };
  });
  return (
    <>
      <DeadLetterHead
        deadLetter={deadLetter}
        path={pathOf(payload ?? undefined)}
        menu={props.menuOf(deadLetter)}
        onClose={props.onClose}
      />
      <ReadingRegion name="Dead letter details" className="detail-body work-body">
        <Cause workspaceId={workspaceId} deadLetter={deadLetter} path={pathOf(payload ?? undefined)} />
        <Payload deadLetter={deadLetter} replay={replay} canEdit={isDead && payload !== null} />
        {isDead ? <PreviewNote replay={replay} /> : null}
        <FailureText error={replay.failure} />
        <Attempts deadLetter={deadLetter} />
      </ReadingRegion>
      {isDead ? (
        <DeadLetterActions
          replay={replay}
          editDisabledReason={payload === null ? 'The payload is no longer retained.' : disabledReason}
          sameEdit={sameEditOf(envelopeId, selected, payload, reading?.ok ? reading.payload : null)}
          selected={selected.length}
          onSameEdit={props.onSameEdit}
          onAcknowledge={() => props.onAcknowledge(envelopeId)}
        />
      ) : null}
    </>
  );
}

function Cause({
  workspaceId,
  deadLetter,
  path,
}: Pick<LoadedProps, 'workspaceId' | 'deadLetter'> & { readonly path: string | null }): ReactElement {
  const { cause } = deadLetter;
  if (deadLetter.state !== 'dead_letter' || cause === undefined)
    return <ResultNote deadLetter={deadLetter} path={path} workspaceId={workspaceId} />;
  return (
    <ErrorBlock
      tone="bad"
      cause={sentence(deadLetter.attempts.at(-1)?.message ?? deadLetter.lastError ?? cause)}
      path={path === null ? 'No path in the payload' : <span className="mono">{path}</span>}
      next={causeNext(cause)}
      retry={<RetryAt at={deadLetter.nextAttemptAt ?? null} otherwise={noRetryReason(deadLetter)} />}
    />
  );
}

const icons: Record<'ok' | 'warn' | 'bad', Meaning> = { ok: 'fine', warn: 'warning', bad: 'failed' };

function PreviewNote({ replay }: { readonly replay: Replay }): ReactElement | null {
  const { editedText, isChecking, preview, previewError, overwriteNewer, setOverwriteNewer } = replay;
  if (previewError !== null) {
    return (
      <p className="check-note warn" role="status">
        <Icon of="warning" small />
        <span>Preview failed. {previewError}</span>
      </p>
    );
  }
  if (preview === undefined) {
    return isChecking ? (
      <p className="check-note" role="status">
        Checking…
      </p>
    ) : null;
  }
  const view = previewView(preview);
  return (
    <div className={`check-note ${view.tone}${isChecking ? ' old' : ''}`} role="status">
      <Icon of={icons[view.tone]} small />
      <div>
        {editedText === null ? 'Without edits: ' : ''}
        <b>
          {editedText === null ? view.effect.charAt(0).toLowerCase() + view.effect.slice(1) : view.effect}
        </b>
        . {view.note}
        {preview.outcome === 'stale' || overwriteNewer ? (
          <CheckLine checked={overwriteNewer} onChange={setOverwriteNewer}>
            Apply even though a newer event was applied
          </CheckLine>
        ) : null}
      </div>
    </div>
  );
}

const shownAttemptsMax = 50;

function Attempts({ deadLetter }: { readonly deadLetter: DeadLetterDetail }): ReactElement {
  const newestFirst = deadLetter.attempts.toReversed().slice(0, shownAttemptsMax);
  const hidden = deadLetter.attempts.length - newestFirst.length;
  return (
    <section className="work-section" aria-labelledby="attempts-title">
      <h3 id="attempts-title">Attempts</h3>
      <ol className="attempts">
        {deadLetter.settledAt === undefined ? null : (
          <li>
            <Icon of="fine" small />
            <span>
              <b>{deadLetterStatus(deadLetter).word}</b> <ClockTime at={deadLetter.settledAt} />
            </span>
          </li>
        )}
        {newestFirst.map((attempt) => (
          <li key={attempt.attempt} className="bad">
            <Icon of="failed" small />
            <span>
              <b>{causeTitle(attempt.cause)}</b> <ClockTime at={attempt.at} />
              <span className="soft"> · attempt {attempt.attempt}</span>
              <span className="attempt-words">{attempt.message}</span>
            </span>
          </li>
        ))}
        {hidden > 0 ? <li className="soft">{hidden} older attempts</li> : null}
        <li>
          <Icon of="webhook" small />
          <span>
            <b>Received</b> <ClockTime at={deadLetter.receivedAt} />
            <span className="soft"> · correlation id </span>
            <span className="mono soft">{deadLetter.correlationId}</span>{' '}
            <CopyButton text={deadLetter.correlationId} what="the correlation id" />
          </span>
        </li>
      </ol>
    </section>
  );
}

function ClockTime({ at }: { readonly at: string }): ReactElement {
  return (
    <time className="soft" dateTime={at} title={new Date(at).toString()}>
      {clockWithMs(Date.parse(at))}
    </time>
  );
}
