// Reads of forks, and of files as a fork shows them.
import type { ForkReader } from '../port/store.ts';
import { listStaged } from '../tables/forks/commit.ts';
import { getCheckedInFork, queryFork, readForkTree } from '../tables/forks/reads.ts';
import { findFork, listForks } from '../tables/forks/rows.ts';
import { visibleCounts } from '../tables/forks/visible-counts.ts';
import type { StoreDeps } from '../writer/store-parts.ts';
import { readers } from './port-methods.ts';

export function forkReader(deps: StoreDeps): ForkReader {
  return readers(deps, 'forks', {
    find: findFork,
    list: listForks,
    counts: visibleCounts,
    staged: listStaged,
    getChecked: getCheckedInFork,
    tree: readForkTree,
    query: queryFork,
  });
}
