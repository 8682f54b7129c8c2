// The history of a file: its revisions, and the changes of the selected one.
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { HistoryEntry } from '../../../server/contract/history.ts';
import { useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import { useKeys } from '../../keys.ts';
import { nameOf } from '../../model/files/path.ts';
import { plural } from '../../model/format.ts';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { HistoryList } from './history-list.tsx';
import { HistoryRevision } from './history-revision.tsx';

const pageEntries = 50;

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
      <div className="binary">
        <LoadError
          error={query.error}
          path={path}
          retry="Retries automatically when the agent responds or the file changes"
          onAgain={() => void query.refetch()}
        />
      </div>
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
  useKeys({ '[': () => select(1), ']': () => select(-1) });
  return (
    <div className="history">
      <HistoryList
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
          onAct={() => setSelected(entry.revision)}
        />
      )}
    </div>
  );
}
