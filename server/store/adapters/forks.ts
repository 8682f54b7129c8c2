// Reads of forks, and of files as a fork shows them.
import type { ForkReader } from '../port/store.ts';
import { listStaged } from '../tables/forks/commit.ts';
import { getCheckedInFork, queryFork, readForkTree } from '../tables/forks/reads.ts';
import { findFork, listForks } from '../tables/forks/rows.ts';
import { visibleCounts } from '../tables/forks/visible-counts.ts';
import type { StoreDeps } from '../writer/store-parts.ts';

export function forkReader({ read }: StoreDeps): ForkReader {
  return {
    find: (workspaceId, forkId) =>
      read('forks.find', (statements) => findFork(statements, workspaceId, forkId)),
    list: (workspaceId) => read('forks.list', (statements) => listForks(statements, workspaceId)),
    // Slices itself, as the query below.
    counts: async (forkId, access) =>
      await (
        await read('forks.counts', (statements) => ({ found: visibleCounts(statements, forkId, access) }))
      ).found,
    staged: (forkId, page) => read('forks.staged', (statements) => listStaged(statements, forkId, page)),
    getChecked: (forkId, filePath, access) =>
      read('forks.getChecked', (statements) => getCheckedInFork(statements, forkId, filePath, access)),
    tree: (forkId, query) => read('forks.tree', (statements) => readForkTree(statements, forkId, query)),
    // Slices itself; none of them is long.
    query: async (forkId, filter, page) =>
      await (
        await read('forks.query', (statements) => ({ found: queryFork(statements, forkId, filter, page) }))
      ).found,
  };
}
