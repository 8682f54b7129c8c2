// One letter: why it failed, what it says, how often it was tried; and the ways out. An edit is checked while it is typed.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter, DeadLetterDetail } from '../../../sdk/index.ts';
import { NotFoundError } from '../../../sdk/index.ts';
import { describeError, useBlocked, useServices } from '../../api/services.ts';
import { filesHref } from '../../app-location.ts';
import { causeNext } from '../../model/failure-cause.ts';
import { letterStatus, readPayload, sentence, whyNoRetry } from '../../model/letter-view.ts';
import { mergeDifference } from '../../model/merge-difference.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Identifier } from '../../parts/copy.tsx';
import { ErrorBlock, RetryAt } from '../../parts/error-block.tsx';
import { FailedReading } from '../../parts/failed-reading.tsx';
import { PathText } from '../../parts/path-text.tsx';
import { ReadingRegion } from '../../parts/reading-region.tsx';
import { Status } from '../../parts/status.tsx';
import { WaitingRows } from '../../parts/work-list.tsx';
import { Attempts } from './attempts.tsx';
import { Payload } from './payload.tsx';
import { PreviewNote } from './preview-note.tsx';
import { lettersKey, pathOf, useLetter } from './queries.ts';

/** A check follows this long after the last key. */
const typingMs = 250;
type Fields = Readonly<Record<string, unknown>>;

/** What the keys do in the open detail. */
export interface DetailActions {
  readonly edit: () => void;
  readonly replay: () => void;
  readonly acknowledge: () => void;
}

interface LetterDetailProps {
  readonly workspaceId: string;
  readonly envelopeId: string;
  readonly selected: readonly DeadLetter[];
  readonly actions: RefObject<DetailActions | null>;
  readonly onAcknowledge: (envelopeId: string) => void;
  readonly onSameEdit: (patch: Fields) => void;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function LetterDetail(props: LetterDetailProps): ReactElement {
  const letter = useLetter(props.workspaceId, props.envelopeId);
  if (letter.data !== undefined) return <KnownLetter {...props} letter={letter.data} />;
  if (!letter.isError) return <WaitingRows rowPx={32} />;
  if (letter.error instanceof NotFoundError) {
    return (
      <div className="empty">
        <h2>No dead letter has this id</h2>
        <p>
          <span className="mono">{props.envelopeId}</span> never failed, or is no longer kept.
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
        error={letter.error}
        path={props.envelopeId}
        retry="By itself, every 5 s."
        onAgain={() => void letter.refetch()}
      />
    </div>
  );
}

function KnownLetter(props: LetterDetailProps & { readonly letter: DeadLetterDetail }): ReactElement {
  const { workspaceId, envelopeId, letter, actions, selected } = props;
  const { client } = useServices();
  const blocked = useBlocked();
  const base = letter.editedPayload ?? letter.payload ?? null;
  const [draft, setDraft] = useState<string | null>(null);
  const [overwriteNewer, setOverwriteNewer] = useState(false);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isDead = letter.state === 'dead_letter';
  const read = draft === null ? null : readPayload(draft);
  const settledDraft = useSettled(draft);
  const check = useCheck(workspaceId, envelopeId, isDead, settledDraft, overwriteNewer);

  const edit = (): void => {
    if (!isDead || base === null) return;
    setDraft((before) => before ?? JSON.stringify(base, null, 2));
    requestAnimationFrame(() => field.current?.focus());
  };
  const whyNot = blocked ?? (running ? 'It is being replayed.' : read !== null && !read.ok ? read.why : null);
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
      acknowledge: () => isDead && blocked === null && props.onAcknowledge(envelopeId),
    };
    return () => {
      actions.current = null;
    };
  });
  const path = pathOf(base ?? undefined);
  const sameEdit = sameEditOf(envelopeId, selected, base, read?.ok ? read.payload : null);
  return (
    <>
      <LetterHead letter={letter} path={path} onClose={props.onClose} />
      <ReadingRegion name="Why and what" className="detail-body work-body">
        {isDead && letter.cause !== undefined ? (
          <ErrorBlock
            tone="bad"
            cause={sentence(letter.attempts.at(-1)?.message ?? letter.lastError ?? letter.cause)}
            path={path === null ? 'The payload names none.' : <span className="mono">{path}</span>}
            next={causeNext(letter.cause)}
            retry={<RetryAt at={letter.nextAttemptAt ?? null} otherwise={whyNoRetry(letter)} />}
          />
        ) : (
          <Settled letter={letter} path={path} workspaceId={workspaceId} />
        )}
        <Payload
          letter={letter}
          draft={draft}
          why={read !== null && !read.ok ? read.why : null}
          field={field}
          onEdit={isDead && base !== null ? edit : null}
          onDraft={setDraft}
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
        <div className="detail-foot">
          {draft === null ? (
            <>
              <Button
                kind="primary"
                icon="edit"
                shortcut="E"
                blocked={base === null ? 'Its payload is not kept.' : blocked}
                onClick={edit}
              >
                Edit and replay
              </Button>
              <Button shortcut="R" blocked={whyNot} onClick={() => void replay()}>
                Replay as it is
              </Button>
            </>
          ) : (
            <>
              <Button
                kind="primary"
                icon="moving"
                shortcut="Ctrl ↵"
                blocked={whyNot}
                onClick={() => void replay()}
              >
                Replay with edits
              </Button>
              {sameEdit === null ? null : (
                <Button
                  blocked={whyNot ?? sameEdit.blocked}
                  onClick={() => sameEdit.patch !== null && props.onSameEdit(sameEdit.patch)}
                >
                  {`Same edit for all ${selected.length}`}
                </Button>
              )}
            </>
          )}
          <Button kind="ghost" shortcut="A" blocked={blocked} onClick={() => props.onAcknowledge(envelopeId)}>
            Acknowledge
          </Button>
        </div>
      ) : null}
    </>
  );
}

function LetterHead({
  letter,
  path,
  onClose,
}: {
  readonly letter: DeadLetterDetail;
  readonly path: string | null;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <div className="detail-head">
      <div className="row">
        <span className="when-covering">
          <Button kind="ghost" icon="back" label="Back to the list" onClick={onClose} />
        </span>
        <h2 className="grow path-heading">{path === null ? letter.deliveryId : <PathText path={path} />}</h2>
        <Status {...letterStatus(letter)} pill />
        <Button kind="ghost" icon="close" label="Close" shortcut="Esc" onClick={onClose} />
      </div>
      <div className="row wrap facts-line">
        <Identifier text={letter.envelopeId} what="the id" />
        <span>
          {letter.provider}
          {typeof letter.payload?.event_type === 'string' ? ` · ${letter.payload.event_type}` : ''}
        </span>
        <Identifier text={letter.deliveryId} what="the delivery id" />
      </div>
    </div>
  );
}

/** It is no dead letter any more: what became of it. */
function Settled({
  letter,
  path,
  workspaceId,
}: {
  readonly letter: DeadLetterDetail;
  readonly path: string | null;
  readonly workspaceId: string;
}): ReactElement {
  const { word } = letterStatus(letter);
  if (letter.state === 'pending') {
    return (
      <p className="soft" role="status">
        It is being tried. <RetryAt at={letter.nextAttemptAt ?? null} otherwise="" />
      </p>
    );
  }
  return (
    <p className="soft" role="status">
      {word}. It is no dead letter any more.{' '}
      {letter.outcome === 'applied' && path !== null ? (
        <Link href={filesHref(workspaceId, path, 'file')}>Open the file</Link>
      ) : null}
    </p>
  );
}

function useSettled(draft: string | null): string | null {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), draft === null ? 0 : typingMs);
    return () => clearTimeout(timer);
  }, [draft]);
  return settled;
}

function useCheck(
  workspaceId: string,
  envelopeId: string,
  isDead: boolean,
  draft: string | null,
  overwriteNewer: boolean,
) {
  const { client } = useServices();
  const read = draft === null ? null : readPayload(draft);
  return useQuery({
    queryKey: [...lettersKey(workspaceId), 'check', envelopeId, draft, overwriteNewer],
    queryFn: async ({ signal }) =>
      await client.sync.deadLetters.preview(
        workspaceId,
        envelopeId,
        { ...(read?.ok ? { payload: read.payload } : {}), ...(overwriteNewer ? { overwriteNewer } : {}) },
        { signal },
      ),
    enabled: isDead && (read === null || read.ok),
    gcTime: 0,
  });
}

/** null: there is nothing to give to others. */
function sameEditOf(
  envelopeId: string,
  selected: readonly DeadLetter[],
  base: Fields | null,
  edited: Fields | null,
): { readonly patch: Fields | null; readonly blocked: string | null } | null {
  if (base === null || selected.length < 2) return null;
  if (!selected.some((letter) => letter.envelopeId === envelopeId)) return null;
  if (edited === null) return { patch: null, blocked: 'The payload is no JSON object.' };
  const patch = mergeDifference(base, edited);
  if (patch === null) return { patch, blocked: 'An edit that sets null cannot be given to others.' };
  if (Object.keys(patch).length === 0) return { patch: null, blocked: 'Nothing is edited.' };
  if (Object.hasOwn(patch, 'path')) {
    return { patch: null, blocked: 'All of them would get this one path, and overwrite each other.' };
  }
  return { patch, blocked: null };
}
