// Counts the staged changes of a fork that a subject may see. In slices: a fork stages thousands of paths, a list has a hundred
// forks.

import { grantsBelow, grantsScope } from '../../../core/access/scope.ts';
import type { AccessSubject } from '../../../core/entry.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { StagedCounts } from '../../port/forks.ts';
import { allStagedCounts, openForkById, stagedPaths } from './rows.ts';
import { ForkView } from './view.ts';
import { ForkVisibility } from './visibility.ts';

/** Staged paths per slice. */
const slicePaths = 500;

interface Slice {
  readonly counts: StagedCounts;
  /** The start of the next slice; null: done. */
  readonly last: string | null;
  /** false: no path had to be checked. */
  readonly isOneByOne: boolean;
}

/** Of a deleted fork: none. */
export async function visibleCounts(
  statements: ReadStatements,
  forkId: string,
  access: AccessSubject | null,
): Promise<StagedCounts> {
  let counts: StagedCounts = { writes: 0, deletes: 0, bytes: 0 };
  for (let afterPath: string | null = ''; afterPath !== null; ) {
    const start: string = afterPath;
    const slice = statements.consistently(() => readSlice(statements, forkId, access, start));
    const { writes, deletes, bytes } = slice.counts;
    counts = {
      writes: counts.writes + writes,
      deletes: counts.deletes + deletes,
      bytes: counts.bytes + bytes,
    };
    afterPath = slice.last;
    // Also after the last one: the next fork of a list follows.
    if (slice.isOneByOne) await yieldToEventLoop();
  }
  return counts;
}

function readSlice(
  statements: ReadStatements,
  forkId: string,
  access: AccessSubject | null,
  afterPath: string,
): Slice {
  const counts = { writes: 0, deletes: 0, bytes: 0 };
  const fork = openForkById(statements, forkId);
  if (fork === null) return { counts, last: null, isOneByOne: false };
  const visibility = new ForkVisibility(statements, new ForkView(statements, fork), access);
  if (visibility.isOpen && (access === null || grantsBelow(access.scopes, 'fs:read', '/'))) {
    return { counts: allStagedCounts(statements, fork), last: null, isOneByOne: false };
  }
  const staged = stagedPaths(statements, fork, afterPath, slicePaths);
  for (const { path, file } of staged) {
    if (access !== null && !grantsScope(access.scopes, 'fs:read', path)) continue;
    if (file === null) {
      if (visibility.allowsNew(path)) counts.deletes += 1;
    } else if (visibility.allows({ entry: file, rules: null })) {
      counts.writes += 1;
      counts.bytes += file.sizeBytes;
    }
  }
  const last = staged.length < slicePaths ? null : (staged.at(-1)?.path ?? null);
  return { counts, last, isOneByOne: true };
}
