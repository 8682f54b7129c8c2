// A mirror in words: a row of a table, and its halts and problems below. Pure.
import type { Mirror } from '../../sdk/index.ts';

export const mirrorHeadings = [
  'WORKSPACE',
  'PATH',
  'FOLDER',
  'MODE',
  'STATE',
  'FILES',
  'TO WORKSPACE',
  'TO FOLDER',
  'CONFLICTS',
  'PROBLEMS',
  'LAST SYNC',
] as const;

export function mirrorRow(mirror: Mirror): readonly string[] {
  const { progress } = mirror;
  const state = progress === null ? mirror.state : `${mirror.state} ${progress.done}/${progress.total}`;
  return [
    mirror.workspaceId,
    mirror.path,
    mirror.dir,
    mirror.mode,
    mirror.watch === 'polling' ? `${state} (polling)` : state,
    String(mirror.files),
    String(mirror.pendingLocal),
    String(mirror.pendingRemote),
    String(mirror.conflicts),
    String(mirror.problems),
    mirror.lastSyncAt ?? 'never',
  ];
}

/** Why it stopped and what it does not sync, a line each. */
export function describeMirror(mirror: Mirror): readonly string[] {
  const lines: string[] = [];
  if (mirror.halt !== null) lines.push(`${mirror.dir} halted: ${mirror.halt.cause} ${mirror.halt.next}`);
  for (const problem of mirror.problemList) {
    const retry = problem.retryAt === null ? '' : ` Next attempt at ${problem.retryAt}.`;
    lines.push(`${mirror.dir}: ${problem.path}: ${problem.cause} ${problem.next}${retry}`);
  }
  const unlisted = mirror.problems - mirror.problemList.length;
  if (unlisted > 0) lines.push(`${mirror.dir}: ${unlisted} more problems.`);
  return lines;
}
