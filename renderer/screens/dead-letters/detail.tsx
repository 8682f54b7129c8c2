// One letter: why it failed, what it says, how often it was tried; and the ways out. An edit is checked while it is typed.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type { DeadLetter, DeadLetterDetail } from '../../../sdk/index.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { noRetryReason, readPayload, sentence } from '../../model/inbound/dead-letter-view.ts';
import { causeNext } from '../../model/inbound/failure-cause.ts';
import { announce } from '../../parts/feedback/announcer.tsx';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { useDebounced } from '../../parts/fields/use-debounced.ts';
import { LoadingDetail } from '../../parts/tables/loading-detail.tsx';
import { DeadLetterActions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { type Fields, sameEditOf, useCheck } from './edit-check.ts';
import { DeadLetterHead, ResultNote } from './head.tsx';
import { Payload } from './payload.tsx';
import { PreviewNote } from './preview-note.tsx';
import { pathOf, useDeadLetter } from './queries.ts';

/** What the keys do in the open detail. */
export interface DetailActions {
  readonly edit: () => void;
  readonly replay: () => void;
  readonly acknowledge: () => void;
}

interface DeadLetterPaneProps {
  readonly workspaceId: string;
  readonly envelopeId: string;
  readonly selected: readonly DeadLetter[];
  readonly actions: RefObject<DetailActions | null>;
  readonly onAcknowledge: (envelopeId: string) => void;
  readonly onSameEdit: (patch: Fields) => void;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function DeadLetterPane(props: DeadLetterPaneProps): ReactElement {
  const letter = useDeadLetter(props.workspaceId, props.envelopeId);
  if (letter.data !== undefined) return <LoadedDeadLetter {...props} letter={letter.data} />;
  return (
    <LoadingDetail
      query={letter}
      id={props.envelopeId}
      unknown="No dead letter has this id"
      why="never failed, or is no longer kept."
      onClose={props.onClose}
    />
  );
}

/** The letter as it is needs no typing. */
const isNull = (draft: string | null): boolean => draft === null;

function LoadedDeadLetter(props: DeadLetterPaneProps & { readonly letter: DeadLetterDetail }): ReactElement {
  const { workspaceId, envelopeId, letter, actions, selected } = props;
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const base = letter.editedPayload ?? letter.payload ?? null;
  const [draft, setDraft] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const [overwriteNewer, setOverwriteNewer] = useState(false);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isDead = letter.state === 'dead_letter';
  const read = draft === null ? null : readPayload(draft);
  const settledDraft = useDebounced(draft, isNull);
  const check = useCheck(workspaceId, envelopeId, isDead, settledDraft, overwriteNewer);

  const edit = (): void => {
    if (!isDead || base === null) return;
    setDraft((before) => before ?? JSON.stringify(base, null, 2));
    setEditing(true);
  };
  const whyNot =
    disabledReason ?? (running ? 'It is being replayed.' : read !== null && !read.ok ? read.why : null);
  const replay = async (): Promise<void> => {
    if (whyNot !== null || !isDead) return;
    setRunning(true);
    setFailure(null);
    try {
      await client.sync.deadLetters.replay(workspaceId, envelopeId, {
        ...(read?.ok ? { payload: read.payload } : {}),
        ...(overwriteNewer ? { overwriteNewer } : {}),
      });
      setDraft(null);
      setEditing(false);
      announce('The letter is being tried again.');
      props.onChanged();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setRunning(false);
    }
  };
  useEffect(() => {
    actions.current = {
      edit,
      replay: () => void replay(),
      acknowledge: () => isDead && disabledReason === null && props.onAcknowledge(envelopeId),
    };
    return () => {
      actions.current = null;
    };
  });
  const path = pathOf(base ?? undefined);
  const sameEdit = sameEditOf(envelopeId, selected, base, read?.ok ? read.payload : null);
  return (
    <>
      <DeadLetterHead letter={letter} path={path} onClose={props.onClose} />
      <ReadingRegion name="Why and what" className="detail-body work-body">
        {isDead && letter.cause !== undefined ? (
          <ErrorBlock
            tone="bad"
            cause={sentence(letter.attempts.at(-1)?.message ?? letter.lastError ?? letter.cause)}
            path={path === null ? 'The payload names none.' : <span className="mono">{path}</span>}
            next={causeNext(letter.cause)}
            retry={<RetryAt at={letter.nextAttemptAt ?? null} otherwise={noRetryReason(letter)} />}
          />
        ) : (
          <ResultNote letter={letter} path={path} workspaceId={workspaceId} />
        )}
        <Payload
          letter={letter}
          draft={draft}
          editing={editing}
          why={read !== null && !read.ok ? read.why : null}
          onEdit={isDead && base !== null ? edit : null}
          onDraft={(next) => {
            setDraft(next);
            if (next === null) setEditing(false);
          }}
          onClose={() => setEditing(false)}
          onReplay={() => void replay()}
        />
        {isDead ? (
          <PreviewNote
            asItIs={draft === null}
            checking={check.isFetching || settledDraft !== draft}
            preview={read !== null && !read.ok ? undefined : check.data}
            error={check.isError ? describeError(check.error) : null}
            overwriteNewer={overwriteNewer}
            onOverwriteNewer={setOverwriteNewer}
          />
        ) : null}
        {failure === null ? null : (
          <p className="hint bad" role="alert">
            {failure}
          </p>
        )}
        <Attempts letter={letter} />
      </ReadingRegion>
      {isDead ? (
        <DeadLetterActions
          edited={draft !== null}
          fieldOpen={editing}
          whyNoEdit={base === null ? 'Its payload is not kept.' : disabledReason}
          whyNoReplay={whyNot}
          sameEdit={sameEdit}
          selected={selected.length}
          onEdit={edit}
          onReplay={() => void replay()}
          onSameEdit={props.onSameEdit}
          onAcknowledge={() => props.onAcknowledge(envelopeId)}
        />
      ) : null}
    </>
  );
}
