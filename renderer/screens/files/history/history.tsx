// The history of a file: its revisions, and the changes of the selected one.
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { FileDiff, HistoryEntry } from '../../../../server/contract/history.ts';
import { useServices } from '../../../api/services.ts';
import { useLiveRefresh } from '../../../api/use-live-refresh.ts';
import { useKeys } from '../../../keys.ts';
import { actorName } from '../../../model/files/history-view.ts';
import { nameOf } from '../../../model/files/path.ts';
import { plural, size } from '../../../model/format.ts';
import { Identifier } from '../../../parts/buttons/copy.tsx';
import { Segments } from '../../../parts/buttons/segments.tsx';
import { DiffText } from '../../../parts/diff/diff-text.tsx';
import { SideDiff } from '../../../parts/diff/side-diff.tsx';
import { LoadError, QueryError } from '../../../parts/feedback/load-error.tsx';
import { ReadingRegion } from '../../../parts/feedback/reading-region.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { SkeletonRows } from '../../../parts/tables/skeleton-rows.tsx';
import { HistoryList } from './history-list.tsx';
import { RevisionActions, type RevisionActionsProps } from './revision-actions.tsx';
import { useDiff } from './use-diff.ts';

const pageEntries = 50;

type DiffView = 'lines' | 'sides';
const diffViews = [
  { value: 'lines', text: 'Unified' },
  { value: 'sides', text: 'Side by side' },
] as const;

interface HistoryProps {
  readonly workspaceId: string;
  readonly path: string;
  /** true: without actions. */
  readonly isReadOnly?: boolean;
}

export function HistoryView({ workspaceId, path, isReadOnly = false }: HistoryProps): ReactElement {
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
      <QueryError
        query={query}
        path={path}
        retry="Retries automatically when the agent responds or the file changes"
      />
    ) : (
      <SkeletonRows />
    );
  }
  const entries = query.data.pages.flatMap((page) => page.entries);
  const retention = query.data.pages[0]?.retention;
  if (entries.length === 0) {
    return (
      <div className="empty">
        <h2>No history retained</h2>
        <p>
          Revisions are retained for {plural(retention?.days ?? 0, 'day')}, the last {retention?.revisions} of
          each file regardless of age.
        </p>
      </div>
    );
  }
  return (
    <Revisions
      workspaceId={workspaceId}
      path={path}
      entries={entries}
      isReadOnly={isReadOnly}
      loadOlder={query.hasNextPage ? () => void query.fetchNextPage() : null}
    />
  );
}

function Revisions({
  workspaceId,
  path,
  entries,
  isReadOnly = false,
  loadOlder,
}: HistoryProps & {
  readonly entries: readonly HistoryEntry[];
  /** null: all are loaded. */
  readonly loadOlder: (() => void) | null;
}): ReactElement {
  const [selected, setSelected] = useState<string | null>(null);
  const index = Math.max(
    0,
    entries.findIndex((entry) => entry.revision === selected),
  );
  const entry = entries[index];
  const select = (steps: number): void => {
    const next = entries[index + steps];
    if (next !== undefined) setSelected(next.revision);
    else if (steps > 0) loadOlder?.();
  };
  const [view, setView] = useState<DiffView>('lines');
  useKeys({ '[': () => select(1), ']': () => select(-1) });
  return (
    <div className="history">
      <HistoryList
        workspaceId={workspaceId}
        path={path}
        entries={entries}
        selectedIndex={index}
        label={`Revisions of ${nameOf(path)}`}
        onSelect={setSelected}
        loadOlder={loadOlder}
      />
      {entry === undefined ? null : (
        <HistoryRevision
          key={entry.revision}
          workspaceId={workspaceId}
          path={path}
          entry={entry}
          isReadOnly={isReadOnly}
          isNewest={index === 0}
          view={view}
          onView={setView}
          onAct={() => setSelected(entry.revision)}
        />
      )}
    </div>
  );
}

function HistoryRevision({
  isReadOnly,
  view,
  onView,
  ...revision
}: RevisionActionsProps & {
  readonly isReadOnly: boolean;
  readonly view: DiffView;
  readonly onView: (view: DiffView) => void;
}): ReactElement {
  const { workspaceId, path, entry } = revision;
  const diff = useDiff(workspaceId, path, entry.revision, true);
  return (
    <div className="history-revision">
      <ReadingRegion className="history-change" name={`Changes in ${entry.revision}`}>
        <div className="history-facts">
          <p className="hint">
            {entry.revision} by {actorName(entry)}, <Time at={entry.at} as="ago" />, correlation id{' '}
            <Identifier text={entry.correlationId} what="the correlation id" />
          </p>
          <Segments label="View" options={diffViews} value={view} onChange={onView} />
        </div>
        {diff.data !== undefined ? (
          <Difference diff={diff.data} view={view} />
        ) : diff.isError ? (
          <LoadError
            error={diff.error}
            path={path}
            retry="Retries automatically when the agent responds"
            onAgain={() => void diff.refetch()}
          />
        ) : (
          <p className="faint">Comparing…</p>
        )}
      </ReadingRegion>
      {isReadOnly ? null : <RevisionActions {...revision} />}
    </div>
  );
}

function Difference({ diff, view }: { readonly diff: FileDiff; readonly view: DiffView }): ReactElement {
  const { kind, patch = '', from, to } = diff;
  const sizes = `${from === null ? 'no file' : size(from.size)} before, ${to === null ? 'no file' : size(to.size)} after`;
  if (kind === 'binary') return <p className="soft">Binary file: {sizes}</p>;
  if (kind === 'too_different') return <p className="soft">Too different for a line view: {sizes}</p>;
  if (kind === 'too_large') return <p className="soft">Too large to compare: {sizes}</p>;
  if (patch === '') return <p className="soft">Content unchanged</p>;
  if (view === 'sides')
    return <SideDiff diff={patch} before={from?.revision ?? 'No file'} after={to?.revision ?? 'No file'} />;
  return <DiffText diff={patch} title={from === null ? 'New file' : `Changes since ${from.revision}`} />;
}
