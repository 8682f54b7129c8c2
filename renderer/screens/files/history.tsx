// A file's history: its revisions, what each changed, and bringing one back. A restore is a change like any other, so it
// is done at once and taken back by another.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { FileDiff, HistoryEntry } from '../../../server/contract/history.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import { useKeys } from '../../keys.ts';
import { actorName, entryLabel, restoreDisabledReason } from '../../model/files/history-view.ts';
import { nameOf } from '../../model/files/path.ts';
import { plural, size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { HistoryList } from './history-list.tsx';
import { RevertDialog } from './revert-dialog.tsx';

const pageEntries = 50;

interface HistoryProps {
  readonly workspaceId: string;
  readonly path: string;
  /** true: it is only looked at. */
  readonly readOnly?: boolean;
}

export function HistoryView({ workspaceId, path, readOnly = false }: HistoryProps): ReactElement {
  const { client } = useServices();
  const queryKey = ['history', workspaceId, path];
  useLiveRefresh(workspaceId, queryKey);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) =>
      await client.history.page(workspaceId, path, {
        limit: pageEntries,
        signal,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  if (query.data === undefined) {
    return query.isError ? (
      <div className="binary">
        <LoadError
          error={query.error}
          path={path}
          again="Read the history again"
          retry="By itself, when the agent answers again or the file changes."
          onAgain={() => void query.refetch()}
        />
      </div>
    ) : (
      <SkeletonRows />
    );
  }
  const entries = query.data.pages.flatMap((page) => page.entries);
  const [latest] = query.data.pages;
  if (entries.length === 0) {
    return (
      <div className="empty">
        <h2>Nothing is kept of this file</h2>
        <p>
          Every change is kept for {plural(latest?.retention.days ?? 0, 'day')}, and the last{' '}
          {latest?.retention.revisions} of each file.
        </p>
      </div>
    );
  }
  return (
    <Timeline
      workspaceId={workspaceId}
      path={path}
      entries={entries}
      readOnly={readOnly}
      older={query.hasNextPage ? () => void query.fetchNextPage() : null}
    />
  );
}

function Timeline({
  workspaceId,
  path,
  entries,
  readOnly = false,
  older,
}: HistoryProps & {
  readonly entries: readonly HistoryEntry[];
  /** Reads more; null: these are all. */
  readonly older: (() => void) | null;
}): ReactElement {
  const [chosen, setChosen] = useState<string | null>(null);
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.revision === chosen),
  );
  const entry = entries[at];
  const move = (steps: number): void => {
    const next = entries[at + steps];
    if (next !== undefined) setChosen(next.revision);
    else if (steps > 0) older?.();
  };
  useKeys({ '[': () => move(1), ']': () => move(-1) });
  return (
    <div className="history">
      <HistoryList
        entries={entries}
        at={at}
        label={`Revisions of ${nameOf(path)}`}
        onChoose={setChosen}
        older={older}
      />
      {entry === undefined ? null : (
        <Revision
          key={entry.revision}
          workspaceId={workspaceId}
          path={path}
          entry={entry}
          readOnly={readOnly}
          newest={at === 0}
          onAct={() => setChosen(entry.revision)}
        />
      )}
    </div>
  );
}

interface RevisionProps extends HistoryProps {
  readonly entry: HistoryEntry;
  readonly newest: boolean;
  /** Stays with this revision when a newer one comes of what is done here. */
  readonly onAct: () => void;
}

function Revision({
  workspaceId,
  path,
  entry,
  readOnly = false,
  newest,
  onAct,
}: RevisionProps): ReactElement {
  const { client } = useServices();
  const diff = useQuery({
    queryKey: ['diff', workspaceId, path, entry.revision],
    queryFn: async ({ signal }) =>
      await client.history.diff(workspaceId, path, { to: entry.revision, signal }),
  });
  return (
    <div className="history-revision">
      <ReadingRegion className="history-change" name={`What ${entry.revision} changed`}>
        <p className="hint">
          {entryLabel(entry)} by {actorName(entry)}, <Time at={entry.at} as="ago" />, correlation{' '}
          <Identifier text={entry.correlationId} what="the correlation id" />
        </p>
        {diff.data !== undefined ? (
          <Difference diff={diff.data} />
        ) : diff.isError ? (
          <LoadError
            error={diff.error}
            path={path}
            again="Compare again"
            retry="By itself, when the agent answers again."
            onAgain={() => void diff.refetch()}
          />
        ) : (
          <p className="faint">Comparing.</p>
        )}
      </ReadingRegion>
      {readOnly ? null : (
        <Actions workspaceId={workspaceId} path={path} entry={entry} newest={newest} onAct={onAct} />
      )}
    </div>
  );
}

function Difference({ diff }: { readonly diff: FileDiff }): ReactElement {
  const { kind, patch = '', from, to } = diff;
  const sizes = `${from === null ? 'nothing' : size(from.size)} before, ${to === null ? 'nothing' : size(to.size)} after.`;
  if (kind === 'binary') return <p className="soft">These bytes are no text: {sizes}</p>;
  if (kind === 'too_different') return <p className="soft">Too different to show line by line: {sizes}</p>;
  if (kind === 'too_large') return <p className="soft">Too large to be compared: {sizes}</p>;
  if (patch === '') return <p className="soft">The bytes are the same as before.</p>;
  return <DiffText diff={patch} title={from === null ? 'New' : `Since ${from.revision}`} />;
}

function Actions({ workspaceId, path, entry, newest, onAct }: RevisionProps): ReactElement {
  const { client } = useServices();
  const queries = useQueryClient();
  const offline = useDisabledReason();
  const [state, setState] = useState<RestoreState>({ kind: 'idle' });
  const [asksRevert, setAsksRevert] = useState(false);
  const batch = useQuery({
    queryKey: ['batch', workspaceId, entry.batch],
    queryFn: async ({ signal }) =>
      await client.history.page(workspaceId, '/', { batch: entry.batch, limit: 1_000, signal }),
  });
  const files = new Set(batch.data?.entries.map((one) => one.path)).size;
  const disabledReason =
    offline ?? (state.kind === 'running' ? 'It is being done.' : restoreDisabledReason(entry, newest));
  const run = (input: Parameters<typeof client.history.restore>[1], said: string): void => {
    onAct();
    setState({ kind: 'running' });
    client.history.restore(workspaceId, input).then(
      ({ batch: done }) => {
        setState({ kind: 'done', text: said, undo: input.batch === undefined ? (done ?? null) : null });
        void queries.invalidateQueries({ queryKey: ['history', workspaceId] });
      },
      (error: unknown) => setState({ kind: 'failed', text: describeError(error) }),
    );
  };
  const restore = (): void => {
    if (disabledReason === null) run({ path, revision: entry.revision }, `${entry.revision} is back.`);
  };
  const undo = (): void => {
    if (state.kind === 'done' && state.undo !== null)
      run({ batch: state.undo }, 'The restore is taken back.');
  };
  useKeys({ r: restore, 'mod+z': undo });
  return (
    <>
      {state.kind === 'done' || state.kind === 'failed' ? (
        <div className={`note-line${state.kind === 'done' ? ' plain' : ''}`} role="status">
          <Icon of={state.kind === 'done' ? 'fine' : 'failed'} small />
          <span className="grow">{state.text}</span>
          {state.kind === 'done' && state.undo !== null ? (
            <Button kind="ghost" shortcut="Ctrl Z" disabledReason={offline} onClick={undo}>
              Undo
            </Button>
          ) : null}
        </div>
      ) : null}
      <div className="detail-foot">
        <Button icon="undo" shortcut="R" disabledReason={disabledReason} onClick={restore}>
          Restore {entry.revision}
        </Button>
        {files > 1 ? (
          <Button disabledReason={offline} onClick={() => setAsksRevert(true)}>
            Revert the batch of {files}…
          </Button>
        ) : null}
        <span className="hint">Restore writes a new revision. Nothing is lost.</span>
      </div>
      {asksRevert ? (
        <RevertDialog
          workspaceId={workspaceId}
          batch={entry.batch}
          who={actorName(entry)}
          onClose={() => setAsksRevert(false)}
          onReverted={(text) => {
            onAct();
            setState({ kind: 'done', text, undo: null });
            void queries.invalidateQueries({ queryKey: ['history', workspaceId] });
          }}
        />
      ) : null}
    </>
  );
}

type RestoreState =
  | { readonly kind: 'idle' | 'running' }
  /** `undo` is the batch that takes it back; null: there is none to offer. */
  | { readonly kind: 'done'; readonly text: string; readonly undo: string | null }
  | { readonly kind: 'failed'; readonly text: string };
