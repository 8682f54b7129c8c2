// One operation: its state, what stopped it, its steps as bars, and what a replay would send.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { NotFoundError, type ReplayOf } from '../../../sdk/index.ts';
import { describeError, useBlocked, useServices } from '../../api/services.ts';
import { filesHref } from '../../app-location.ts';
import { useKeys } from '../../keys.ts';
import { sentence } from '../../model/letter-view.ts';
import { nextStep, noRetry, whyNoReplay } from '../../model/operation-view.ts';
import { isRetrying, operationStatus } from '../../model/outbound-view.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Identifier } from '../../parts/copy.tsx';
import { ErrorBlock, RetryAt } from '../../parts/error-block.tsx';
import { FailedReading } from '../../parts/failed-reading.tsx';
import { PathText } from '../../parts/path-text.tsx';
import { ReadingRegion } from '../../parts/reading-region.tsx';
import { Status } from '../../parts/status.tsx';
import { WaitingRows } from '../../parts/work-list.tsx';
import { type OperationStory, useOperation } from './queries.ts';
import { ReplayPreview } from './replay-preview.tsx';
import { SandboxDialog } from './sandbox-dialog.tsx';
import { TimelineBars } from './timeline-bars.tsx';

interface OperationDetailProps {
  readonly workspaceId: string;
  readonly opId: string;
  readonly replayHandle: RefObject<(() => void) | null>;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function OperationDetail(props: OperationDetailProps): ReactElement {
  const story = useOperation(props.workspaceId, props.opId);
  if (story.data !== undefined) return <KnownOperation {...props} story={story.data} />;
  if (!story.isError) return <WaitingRows rowPx={32} />;
  if (story.error instanceof NotFoundError) {
    return (
      <div className="empty">
        <h2>No operation has this id</h2>
        <p>
          <span className="mono">{props.opId}</span> is not in this workspace, or is no longer kept.
        </p>
        <div className="row">
          <Button onClick={props.onClose}>Back to the list</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="binary">
      <FailedReading
        error={story.error}
        path={props.opId}
        retry="By itself, every 5 s."
        onAgain={() => void story.refetch()}
      />
    </div>
  );
}

function KnownOperation({
  workspaceId,
  opId,
  replayHandle,
  onChanged,
  onClose,
  story: { operation, steps },
}: OperationDetailProps & { readonly story: OperationStory }): ReactElement {
  const { client } = useServices();
  const blocked = useBlocked();
  const [send, setSend] = useState<ReplayOf>('current');
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState<'cancel' | 'sandbox' | null>(null);
  const isDead = operation.status === 'dead_lettered';
  const whyNot = blocked ?? whyNoReplay(operation) ?? (running ? 'It is being replayed.' : null);
  const replay = async (): Promise<void> => {
    if (whyNot !== null) {
      announce(whyNot);
      return;
    }
    setRunning(true);
    setFailure(null);
    try {
      await client.replayOperation(workspaceId, opId, { send });
      announce(`${opId} is sent again.`);
      onChanged();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setRunning(false);
    }
  };
  useKeys({ t: () => blocked === null && setAsking('sandbox') });
  useEffect(() => {
    replayHandle.current = () => void replay();
    return () => {
      replayHandle.current = null;
    };
  });
  return (
    <>
      <OperationHead story={{ operation, steps }} onClose={onClose} />
      <ReadingRegion name="What happened" className="detail-body work-body">
        <Stop workspaceId={workspaceId} story={{ operation, steps }} />
        <TimelineBars steps={steps} />
        {isDead ? <ReplayPreview workspaceId={workspaceId} opId={opId} send={send} onSend={setSend} /> : null}
        {failure === null ? null : (
          <p className="hint bad" role="alert">
            {failure}
          </p>
        )}
      </ReadingRegion>
      <div className="detail-foot">
        <Button
          kind={isDead ? 'primary' : 'plain'}
          icon="moving"
          shortcut="R"
          blocked={whyNot}
          onClick={() => void replay()}
        >
          Replay
        </Button>
        <Button shortcut="T" blocked={blocked} onClick={() => setAsking('sandbox')}>
          Try in a sandbox
        </Button>
        <Button
          kind="ghost"
          blocked={
            blocked ??
            (operation.status === 'pending' ? null : 'Only what still waits to be sent can be canceled.')
          }
          onClick={() => setAsking('cancel')}
        >
          Cancel operation
        </Button>
      </div>
      {asking === 'sandbox' ? (
        <SandboxDialog
          workspaceId={workspaceId}
          operation={operation}
          first={send}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'cancel' ? (
        <ConfirmDialog
          title={`Cancel ${opId}?`}
          confirm="Cancel operation"
          onConfirm={async () => {
            await client.cancelWriteback(workspaceId, opId);
            announce(`${opId} is canceled.`);
            onChanged();
          }}
          onClose={() => setAsking(null)}
        >
          <p className="soft">
            This change of <span className="mono">{operation.path}</span> is not sent to{' '}
            {operation.provider ?? 'its provider'}. The file in the workspace stays as it is.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function OperationHead({
  story: { operation, steps },
  onClose,
}: {
  readonly story: OperationStory;
  readonly onClose: () => void;
}): ReactElement {
  const { path = '', revision, correlationId } = operation;
  return (
    <div className="detail-head">
      <div className="row">
        <span className="when-covering">
          <Button kind="ghost" icon="back" label="Back to the list" onClick={onClose} />
        </span>
        <h2 className="grow path-heading">
          <Identifier text={operation.opId} what="the id" />
        </h2>
        <Status {...operationStatus(operation)} pill />
        <Button kind="ghost" icon="close" label="Close" shortcut="Esc" onClick={onClose} />
      </div>
      <div className="row wrap facts-line">
        <PathText path={path} />
        {revision === undefined ? null : <span className="mono">{revision}</span>}
        {steps.actor === undefined ? null : <span>by {steps.actor.name}</span>}
        {correlationId === undefined ? null : <Identifier text={correlationId} what="the correlation id" />}
      </div>
    </div>
  );
}

/** The four parts of what stopped it; nothing where nothing did. */
function Stop({
  workspaceId,
  story: { operation, steps },
}: {
  readonly workspaceId: string;
  readonly story: OperationStory;
}): ReactElement | null {
  const isDead = operation.status === 'dead_lettered';
  if (!isDead && !isRetrying(operation)) return null;
  const { path = '' } = operation;
  return (
    <ErrorBlock
      tone={isDead ? 'bad' : 'warn'}
      cause={sentence(
        (operation.lastError ?? 'it did not take it').replace(/^it /, `${operation.provider ?? 'it'} `),
      )}
      path={
        <Link href={filesHref(workspaceId, path, 'file')}>
          <PathText path={path} />
        </Link>
      }
      next={nextStep(operation, steps)}
      retry={
        <RetryAt at={isDead ? null : (operation.nextAttemptAt ?? null)} otherwise={noRetry(operation)} />
      }
    />
  );
}
