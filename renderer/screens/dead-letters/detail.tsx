// The detail pane of a dead letter: its cause, payload and attempts, a preview of its replay, and its actions.
import { type ReactElement, type RefObject, useEffect } from 'react';
import type { DeadLetter, DeadLetterDetail } from '../../../sdk/index.ts';
import { useDisabledReason } from '../../api/services.ts';
import { noRetryReason, sentence } from '../../model/inbound/dead-letter-view.ts';
import { causeNext } from '../../model/inbound/failure-cause.ts';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { LoadingDetail } from '../../parts/tables/loading-detail.tsx';
import { DeadLetterActions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { type Fields, sameEditOf } from './edit-check.ts';
import { DeadLetterHead, ResultNote } from './head.tsx';
import { Payload } from './payload.tsx';
import { PreviewNote } from './preview-note.tsx';
import { pathOf, useDeadLetter } from './queries.ts';
import { useReplay } from './use-replay.ts';

/** The actions behind the keys of the screen. */
export interface DetailActions {
  readonly edit: () => void;
  readonly replay: () => void;
  readonly acknowledge: () => void;
}

interface DeadLetterPaneProps {
  readonly workspaceId: string;
  readonly envelopeId: string;
  readonly selected: readonly DeadLetter[];
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
    <section className="pane detail" aria-label="Dead letter">
      {envelopeId === null ? (
        <div className="empty unselected">
          <p>No dead letter selected. Use J/K or the arrow keys; press Enter to open.</p>
        </div>
      ) : (
        <OpenDeadLetter key={envelopeId} {...props} envelopeId={envelopeId} />
      )}
    </section>
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
      <DeadLetterHead deadLetter={deadLetter} path={pathOf(payload ?? undefined)} onClose={props.onClose} />
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
