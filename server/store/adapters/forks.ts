// The port's part for forks: each method is a named read on the calling thread's connection or a command to the writer.

import type { ForkStore } from '../port/forks.ts';
import { listStaged } from '../tables/forks/commit.ts';
import { getCheckedInFork, queryFork, readForkTree } from '../tables/forks/reads.ts';
import { findFork, listForks } from '../tables/forks/rows.ts';
import { visibleCounts } from '../tables/forks/visible-counts.ts';
import type { StoreParts } from '../writer/store-parts.ts';

export function forkStore({ read, send, options, blobs }: StoreParts): ForkStore {
  const atMs = () => options.clock.nowMs();
  return {
    create: (input) => send('create_fork', { ...input, atMs: atMs() }),
    find: (workspaceId, forkId) =>
      read('forks.find', (statements) => findFork(statements, workspaceId, forkId)),
    list: (workspaceId) => read('forks.list', (statements) => listForks(statements, workspaceId)),
    // Slices itself, as the query below.
    counts: async (forkId, access) =>
      await (
        await read('forks.counts', (statements) => ({ found: visibleCounts(statements, forkId, access) }))
      ).found,
    staged: (forkId, page) => read('forks.staged', (statements) => listStaged(statements, forkId, page)),
    async change(input) {
      try {
        return await send('change_fork', { ...input, atMs: atMs() });
      } finally {
        for (const change of input.changes) {
          if (change.kind === 'write_file' && 'staged' in change.content) blobs.unstage(change.content.hash);
        }
      }
    },
    commit: (input) => send('commit_fork', { ...input, atMs: atMs() }),
    rebase: (input) => send('rebase_fork', { ...input, atMs: atMs() }),
    discard: (input) => send('discard_fork', { ...input, atMs: atMs() }),
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
