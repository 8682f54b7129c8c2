// Counts what a commit of a run would change: files and, for a limited number of texts, lines.
import type { AccessSubject } from '../core/entry.ts';
import type { PathChoice } from '../core/paths/path-choice.ts';
import type { RunRow } from '../store/port/store.ts';
import type { StagedChange } from '../workspaces/forks.ts';
import { comparedFilesMax } from './limits.ts';
import type { RunServiceDeps } from './run.ts';
import { stagedChanges } from './staged.ts';

export interface RunSummary {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** Deleted files whose content a created file has; neither counts as created or deleted. */
  readonly moved: number;
  /** Paths that the workspace has changed since. */
  readonly conflicts: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** false: the lines of some files are not counted: binary, large, or too many. */
  readonly isEveryLineCounted: boolean;
}

export async function summarize(
  deps: RunServiceDeps,
  run: RunRow,
  access: AccessSubject | null,
  isChosen: PathChoice,
): Promise<RunSummary> {
  const counts = {
    created: 0,
    updated: 0,
    deleted: 0,
    moved: 0,
    conflicts: 0,
    addedLines: 0,
    removedLines: 0,
  };
  const createdHashes = new Map<string, number>();
  const deletedHashes: string[] = [];
  let compared = 0;
  let isEveryLineCounted = true;
  for await (const change of stagedChanges(deps, run, access, isChosen)) {
    if (change.conflicts) counts.conflicts += 1;
    const { file, live } = change;
    if (file === null && live === null) continue;
    if (file === null) {
      counts.deleted += 1;
      deletedHashes.push(live?.hash ?? '');
    } else if (live !== null) counts.updated += 1;
    else {
      counts.created += 1;
      createdHashes.set(file.hash, (createdHashes.get(file.hash) ?? 0) + 1);
    }
    const lines = compared < comparedFilesMax ? await linesOf(deps, run, change, access) : null;
    compared += 1;
    counts.addedLines += lines?.added ?? 0;
    counts.removedLines += lines?.removed ?? 0;
    isEveryLineCounted &&= lines !== null;
  }
  for (const hash of deletedHashes) {
    const left = createdHashes.get(hash) ?? 0;
    if (left === 0) continue;
    createdHashes.set(hash, left - 1);
    counts.moved += 1;
  }
  return {
    ...counts,
    created: counts.created - counts.moved,
    deleted: counts.deleted - counts.moved,
    isEveryLineCounted,
  };
}

/** null: the contents are no texts that can be compared, or the subject may not read the workspace's file. */
async function linesOf(
  { history, workspaces }: RunServiceDeps,
  { workspaceId }: RunRow,
  { path, live, file }: StagedChange,
  access: AccessSubject | null,
): Promise<{ readonly added: number; readonly removed: number } | null> {
  if (access !== null && !(await workspaces.getFile(workspaceId, path, access)).allowed) return null;
  const difference = await history.difference(path, live, file);
  if (difference === null || !('patch' in difference)) return null;
  const lines = difference.patch.split('\n');
  // Above the first hunk are the names of the files.
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  const hunks = firstHunk === -1 ? [] : lines.slice(firstHunk);
  const starting = (sign: string) => hunks.filter((line) => line.startsWith(sign)).length;
  return { added: starting('+'), removed: starting('-') };
}
