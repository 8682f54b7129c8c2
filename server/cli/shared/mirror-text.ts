// Formats a mirror as text: table row, activity, proof, halt and problems. Pure.
import type { Mirror, MirrorProblem, MirrorProof, MirrorState } from '../../../sdk/index.ts';
import { displayFolder, formatTime, formatTimeOfDay, type Style } from './display.ts';
import { type Cell, formatBytes, formatCount, plural } from './output.ts';
import { timeLeft } from './work-progress.ts';
import type { WorkspaceNames } from './workspace-names.ts';

const stateLabels: Readonly<Record<MirrorState, string>> = {
  scanning: 'scanning',
  syncing: 'syncing',
  idle: 'up to date',
  paused: 'paused',
  halted: 'halted',
  error: 'error',
};

/** `paused until 14:05:09` */
function stateText({ state, pausedUntil }: Mirror): string {
  const isTimed = state === 'paused' && pausedUntil !== null;
  return isTimed ? `paused until ${formatTimeOfDay(pausedUntil)}` : stateLabels[state];
}

export const mirrorHeadings = [
  'WORKSPACE',
  'FOLDER',
  'STATE',
  'FILES',
  'TO WORKSPACE',
  'TO FOLDER',
  'CONFLICTS',
  'PROBLEMS',
  'LAST SYNC',
  'PATH',
  'MODE',
  'DELETION LIMIT',
] as const;

const stateStyles: Readonly<Record<MirrorState, Style>> = {
  scanning: 'cyan',
  syncing: 'cyan',
  idle: 'green',
  paused: 'yellow',
  halted: 'red',
  error: 'red',
};

/** The agent's default. */
const deletionLimitDefault = 1_000;

export const noMirrors = 'No mirrors. Add one with "mooring mirror add --workspace WORKSPACE --dir DIR".';

/** What has its default value or is zero is empty, and a column without values is not printed. */
export function mirrorRow(mirror: Mirror, names: WorkspaceNames): readonly Cell[] {
  const { progress, state, mode, path, deletesPerMinuteMax } = mirror;
  const label = stateText(mirror);
  const shown = progress === null ? label : `${label} ${shareOf(progress)}`;
  const count = (number: number) => (number === 0 ? '' : formatCount(number));
  return [
    names.display(mirror.workspaceId),
    displayFolder(mirror.dir),
    { text: mirror.watch === 'polling' ? `${shown} (polling)` : shown, style: stateStyles[state] },
    formatCount(mirror.files),
    count(mirror.pendingLocal),
    count(mirror.pendingRemote),
    count(mirror.conflicts),
    count(mirror.problems),
    mirror.lastSyncAt === null ? 'never' : formatTimeOfDay(mirror.lastSyncAt),
    path === '/' ? '' : path,
    mode === 'two-way' ? '' : mode,
    deletesPerMinuteMax === deletionLimitDefault ? '' : String(deletesPerMinuteMax),
  ];
}

/** `syncing 120 of 1,000 files, 1.2 MiB of 9.8 MiB, 40 files/s, 420.0 KiB/s, about 22 s left`; unknown values are omitted. */
export function describeActivity(mirror: Mirror): string {
  const { progress } = mirror;
  if (progress === null) {
    const { pendingLocal, pendingRemote, files } = mirror;
    return pendingLocal + pendingRemote === 0
      ? `${stateText(mirror)}, ${plural(files, 'file')}`
      : `${stateText(mirror)}, ${formatCount(pendingLocal)} to the workspace, ${formatCount(pendingRemote)} to the folder`;
  }
  const { done, total, bytesDone, bytesTotal, filesPerSecond, bytesPerSecond, leftMs } = progress;
  const verb = progress.phase === 'scanning' ? 'reading' : 'syncing';
  return [
    `${verb} ${formatCount(done)}${total === null ? '' : ` of ${formatCount(total)}`} files`,
    `${formatBytes(bytesDone)}${bytesTotal === null ? '' : ` of ${formatBytes(bytesTotal)}`}`,
    ...(filesPerSecond === null ? [] : [`${formatCount(filesPerSecond)} files/s`]),
    ...(bytesPerSecond === null ? [] : [`${formatBytes(Math.round(bytesPerSecond))}/s`]),
    ...(leftMs === null ? [] : [`about ${timeLeft(leftMs / 1000)} left`]),
  ].join(', ');
}

function shareOf({ done, total }: NonNullable<Mirror['progress']>): string {
  return total === null ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`;
}

/** `proved equal at 12:31:07 (12 files, all hashed, 3 excluded)`, in local time. null: no proof yet. */
export function describeProof({ state, last, beforeRestart, alarm }: MirrorProof): string | null {
  if (alarm !== null)
    return `NOT EQUAL since ${formatTimeOfDay(alarm.since)}: ${plural(alarm.files, 'file differs', 'files differ')} for an unknown reason`;
  if (last === null && beforeRestart !== null)
    return `proved equal at ${formatTime(beforeRestart.provedAt)}, before the restart, not verified since`;
  if (last === null) return null;
  const excluded = last.leftOut === 0 ? '' : `, ${formatCount(last.leftOut)} excluded`;
  const until =
    { 'equal-until-pause': ', until the pause', equal: '' }[state as string] ?? ', not verified since';
  const hashed = last.hashedFiles === last.files ? 'all hashed' : `${formatCount(last.hashedFiles)} hashed`;
  return `proved equal at ${formatTimeOfDay(last.provedAt)} (${plural(last.files, 'file')}, ${hashed}${excluded})${until}`;
}

/** `last full scan at 12:31:07, next at 13:20:00 at the latest`, in local time. null: none yet. */
function describeFullScan({ lastAt, nextAt }: Mirror['fullScan']): string | null {
  if (lastAt === null) return null;
  const next = nextAt === null ? '' : `, next at ${formatTimeOfDay(nextAt)} at the latest`;
  return `last full scan at ${formatTimeOfDay(lastAt)}${next}`;
}

/** Adds the full stop that error messages do not have. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Maximum number of problem lines that one command prints, over all mirrors. */
const problemLinesMax = 10;
/** Causes with more problems than this are summarized in one line. */
const separateMax = 2;

/** Proof, halt, problems and warnings of each mirror, with a limited number of problem lines. */
export function describeMirrors(mirrors: readonly Mirror[]): readonly string[] {
  const problems = mirrors.map(problemLines);
  const all = problems.reduce((sum, lines) => sum + lines.length, 0);
  const isGrouped = mirrors.some(({ problemGroups }) =>
    problemGroups.some(({ count }) => count > separateMax),
  );
  // One line is reserved for the command that lists all problems.
  let remaining = all > problemLinesMax || isGrouped ? problemLinesMax - 1 : problemLinesMax;
  const lines: string[] = [];
  for (const [index, mirror] of mirrors.entries()) {
    const shown = (problems[index] ?? []).slice(0, remaining);
    remaining -= shown.length;
    lines.push(...stateLines(mirror), ...shown, ...warningLines(mirror));
  }
  if (all > problemLinesMax || isGrouped) lines.push('List all problems with "mooring mirror problems".');
  return lines;
}

function stateLines({ dir, proof, fullScan, halt }: Mirror): readonly string[] {
  const proved = describeProof(proof);
  const scanned = describeFullScan(fullScan);
  return [
    ...(proved === null ? [] : [`${displayFolder(dir)}: ${proved}.`]),
    ...(scanned === null ? [] : [`${displayFolder(dir)}: ${scanned}.`]),
    ...(halt === null ? [] : [`${displayFolder(dir)} halted: ${halt.cause} ${halt.next}`]),
  ];
}

function problemLines({ dir, problemGroups, problemList }: Mirror): readonly string[] {
  return problemGroups.flatMap(({ kind, count, summary, next }) => {
    if (count > separateMax) return [`${displayFolder(dir)}: ${summary}.${next === null ? '' : ` ${next}`}`];
    return problemList
      .filter((problem) => problem.kind === kind)
      .map((problem) => describeProblem(dir, problem));
  });
}

function describeProblem(dir: string, { path, cause, next, retryAt }: MirrorProblem): string {
  const retry = retryAt === null ? '' : ` Next attempt at ${formatTime(retryAt)}.`;
  return `${displayFolder(dir)}: ${path}: ${sentence(cause)} ${next}${retry}`;
}

function warningLines({ dir, warnings }: Mirror): readonly string[] {
  return warnings.map(({ cause, next }) => `${displayFolder(dir)}: note: ${cause} ${next}`);
}
