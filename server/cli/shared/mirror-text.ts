// A mirror in words: a row of a table, what it does right now, and its halts and problems below. Pure.
import type { Mirror, MirrorProblem, MirrorProof } from '../../../sdk/index.ts';
import { counted, formatBytes } from './output.ts';

export const mirrorHeadings = [
  'WORKSPACE',
  'PATH',
  'FOLDER',
  'MODE',
  'GUARD',
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
  const state = progress === null ? mirror.state : `${mirror.state} ${shareOf(progress)}`;
  return [
    mirror.workspaceId,
    mirror.path,
    mirror.dir,
    mirror.mode,
    String(mirror.deletesPerMinuteMax),
    mirror.watch === 'polling' ? `${state} (polling)` : state,
    String(mirror.files),
    String(mirror.pendingLocal),
    String(mirror.pendingRemote),
    String(mirror.conflicts),
    String(mirror.problems),
    mirror.lastSyncAt ?? 'never',
  ];
}

/** `syncing 120 of 1000 files, 1.2 MiB of 9.8 MiB, 40 files/s, 420.0 KiB/s, about 22 s left`: what is not known is not said. */
export function describeActivity(mirror: Mirror): string {
  const { progress, state } = mirror;
  if (progress === null) {
    const { pendingLocal, pendingRemote, files } = mirror;
    return pendingLocal + pendingRemote === 0
      ? `${state}, ${counted(files, 'file')}`
      : `${state}, ${pendingLocal} to the workspace, ${pendingRemote} to the folder`;
  }
  const { done, total, bytesDone, bytesTotal, filesPerSecond, bytesPerSecond, leftMs } = progress;
  const verb = progress.phase === 'scanning' ? 'reading' : 'syncing';
  return [
    `${verb} ${done}${total === null ? '' : ` of ${total}`} files`,
    `${formatBytes(bytesDone)}${bytesTotal === null ? '' : ` of ${formatBytes(bytesTotal)}`}`,
    ...(filesPerSecond === null ? [] : [`${Math.round(filesPerSecond)} files/s`]),
    ...(bytesPerSecond === null ? [] : [`${formatBytes(Math.round(bytesPerSecond))}/s`]),
    ...(leftMs === null ? [] : [`about ${durationText(leftMs)} left`]),
  ].join(', ');
}

function shareOf({ done, total }: NonNullable<Mirror['progress']>): string {
  return total === null ? String(done) : `${done}/${total}`;
}

/** Rounded up: `8 s`, `2 min`, `3 h`. */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** `proved equal at 12:31:07, 12 files, 3 left out: listed`; null: it is not known. The time is the reader's. */
export function describeProof({ state, last, beforeRestart, alarm }: MirrorProof): string | null {
  if (alarm !== null)
    return `NOT EQUAL since ${timeOfDay(alarm.since)}: ${counted(alarm.files, 'file differs', 'files differ')}, and nothing listed says why`;
  if (last === null && beforeRestart !== null)
    return `proved equal at ${dayAndTime(beforeRestart.provedAt)}, before the restart; not since`;
  if (last === null) return null;
  const leftOut = last.leftOut === 0 ? '' : `, ${last.leftOut} left out: listed`;
  const until = { 'equal-until-pause': ', until it was paused', equal: '' }[state as string] ?? '; not since';
  const hashed = last.hashedFiles === last.files ? 'all hashed' : `${last.hashedFiles} hashed`;
  return `proved equal at ${timeOfDay(last.provedAt)} (${counted(last.files, 'file')}, ${hashed}${leftOut})${until}`;
}

function dayAndTime(at: string): string {
  const time = new Date(at);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')} ${timeOfDay(at)}`;
}

function timeOfDay(at: string): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** What failed may be told in the words of an error, which end without a stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Lines about problems that one command prints, over all mirrors. */
const problemLinesMax = 10;
/** More problems of one cause than this are one line. */
const singlyMax = 2;

/** Why each stopped and what it does not sync: a line for each cause, and few lines whatever there is. */
export function describeMirrors(mirrors: readonly Mirror[]): readonly string[] {
  const problems = mirrors.map(problemLines);
  const all = problems.reduce((sum, lines) => sum + lines.length, 0);
  const isGrouped = mirrors.some(({ problemGroups }) => problemGroups.some(({ count }) => count > singlyMax));
  // The last line says where the rest is.
  let left = all > problemLinesMax || isGrouped ? problemLinesMax - 1 : problemLinesMax;
  const lines: string[] = [];
  for (const [index, mirror] of mirrors.entries()) {
    const shown = (problems[index] ?? []).slice(0, left);
    left -= shown.length;
    lines.push(...stateLines(mirror), ...shown, ...warningLines(mirror));
  }
  if (all > problemLinesMax || isGrouped) lines.push('All problems: "mooring mirror problems".');
  return lines;
}

function stateLines({ dir, proof, halt }: Mirror): readonly string[] {
  const proved = describeProof(proof);
  return [
    ...(proved === null ? [] : [`${dir}: ${proved}.`]),
    ...(halt === null ? [] : [`${dir} halted: ${halt.cause} ${halt.next}`]),
  ];
}

function problemLines({ dir, problemGroups, problemList }: Mirror): readonly string[] {
  return problemGroups.flatMap(({ kind, count, summary, next }) => {
    if (count > singlyMax) return [`${dir}: ${summary}.${next === null ? '' : ` ${next}`}`];
    return problemList
      .filter((problem) => problem.kind === kind)
      .map((problem) => describeProblem(dir, problem));
  });
}

function describeProblem(dir: string, { path, cause, next, retryAt }: MirrorProblem): string {
  const retry = retryAt === null ? '' : ` Next attempt at ${retryAt}.`;
  return `${dir}: ${path}: ${sentence(cause)} ${next}${retry}`;
}

function warningLines({ dir, warnings }: Mirror): readonly string[] {
  return warnings.map(({ cause, next }) => `${dir}: note: ${cause} ${next}`);
}
