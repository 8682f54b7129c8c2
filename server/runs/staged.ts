// The staged changes of a run, read in pages.
import type { AccessSubject } from '../core/entry.ts';
import type { PathChoice } from '../core/paths/path-choice.ts';
import { TimeSlices } from '../platform/event-loop.ts';
import type { RunRow } from '../store/port/store.ts';
import type { StagedChange } from '../workspaces/forks.ts';
import { stagedPageRows } from './limits.ts';
import type { RunServiceDeps } from './run.ts';

export async function* stagedChanges(
  { forks }: Pick<RunServiceDeps, 'forks'>,
  { forkId }: RunRow,
  access: AccessSubject | null,
  isChosen: PathChoice,
): AsyncGenerator<StagedChange, void, undefined> {
  // The reads of an agent wait for nothing.
  const slices = new TimeSlices();
  for (let afterPath: string | null = null; ; ) {
    await slices.next();
    const page: readonly StagedChange[] = await forks.staged(forkId, {
      access,
      afterPath,
      limit: stagedPageRows,
    });
    for (const change of page) if (isChosen === null || isChosen(change.path)) yield change;
    const last = page.at(-1);
    if (last === undefined || page.length < stagedPageRows) return;
    afterPath = last.path;
  }
}
