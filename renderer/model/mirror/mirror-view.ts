// Labels and order of mirror states, and the headline of Overview. Pure.
import type { AgentStatus } from '../../../server/contract/agent.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { count, dayTime, plural } from '../format.ts';
import { compareTexts } from '../tables/sorting.ts';

export type StatusKind = 'ok' | 'active' | 'waiting' | 'paused' | 'warn' | 'halted' | 'failed' | 'offline';

export interface StatusView {
  readonly kind: StatusKind;
  readonly word: string;
}

/** Worst first: the order of the cards. */
const views = {
  halted: { kind: 'halted', word: 'Halted' },
  offline: { kind: 'offline', word: 'Offline' },
  notEqual: { kind: 'halted', word: 'Not equal' },
  conflict: { kind: 'warn', word: 'Conflict' },
  syncing: { kind: 'active', word: 'Syncing' },
  scanning: { kind: 'active', word: 'Scanning' },
  paused: { kind: 'paused', word: 'Paused' },
  upToDate: { kind: 'ok', word: 'Up to date' },
} as const satisfies Record<string, StatusView>;
type MirrorWord = keyof typeof views;
const rank = Object.keys(views) as readonly MirrorWord[];

function wordOf(mirror: Mirror): MirrorWord {
  switch (mirror.state) {
    case 'halted':
      return 'halted';
    case 'error':
      return 'offline';
    case 'scanning':
      return 'scanning';
    case 'syncing':
      return 'syncing';
    case 'paused':
      return 'paused';
    case 'idle':
      if (mirror.proof.alarm !== null) return 'notEqual';
      return mirror.conflicts > 0 ? 'conflict' : 'upToDate';
  }
}

/** The label of a state in a text; null: not a state. */
export function mirrorWord(state: string): string | null {
  const known: Readonly<Record<string, MirrorWord>> = {
    scanning: 'scanning',
    syncing: 'syncing',
    idle: 'upToDate',
    paused: 'paused',
    halted: 'halted',
    error: 'offline',
  } satisfies Record<Mirror['state'], MirrorWord>;
  const word = known[state];
  return word === undefined ? null : views[word].word;
}

export function mirrorStatus(mirror: Mirror): StatusView {
  const view = views[wordOf(mirror)];
  if (mirror.state !== 'paused' || mirror.pausedUntil === null) return view;
  return { ...view, word: `Paused until ${dayTime(Date.parse(mirror.pausedUntil), Date.now())}` };
}

export function worstFirst(mirrors: readonly Mirror[]): readonly Mirror[] {
  return mirrors.toSorted(
    (a, b) => rank.indexOf(wordOf(a)) - rank.indexOf(wordOf(b)) || compareTexts(a.dir, b.dir),
  );
}

export function isConflict(problem: { readonly kind: string }): boolean {
  return problem.kind === 'conflict';
}

const modeNames: Readonly<Record<Mirror['mode'], string>> = {
  'two-way': 'Two-way',
  'to-folder': 'To folder only',
  'to-workspace': 'To workspace only',
};

export function modeName(mode: Mirror['mode']): string {
  return modeNames[mode];
}

/** The worst state of all mirrors, for the top bar. */
export function globalStatus(mirrors: readonly Mirror[]): StatusView | null {
  const worst = worstFirst(mirrors)[0];
  if (worst === undefined) return null;
  const word = wordOf(worst);
  const same = mirrors.filter((mirror) => wordOf(mirror) === word).length;
  const view = views[word];
  switch (word) {
    case 'upToDate':
      return view;
    case 'syncing':
    case 'scanning':
      return view;
    case 'conflict':
      return {
        ...view,
        word: plural(
          mirrors.reduce((sum, mirror) => sum + mirror.conflicts, 0),
          'conflict',
        ),
      };
    default:
      return { ...view, word: `${count(same)} ${view.word.toLowerCase()}` };
  }
}

/** What needs a decision besides the mirrors. */
export interface FailureCounts {
  readonly deadLetters: number;
  /** Dead-lettered operations. */
  readonly failedOperations: number;
}

/** The headline of Overview: the worst state first. */
export function headline(
  status: AgentStatus,
  trouble: FailureCounts,
  /** What is wrong with remotes; null: nothing. */
  remotes: string | null = null,
): string {
  const { mirrors } = status;
  if (mirrors.length === 0) {
    if (remotes !== null) return remotes;
    if (trouble.deadLetters + trouble.failedOperations > 0) return failureHeadline(trouble);
    return status.workspaces.length === 0 ? 'No workspaces yet' : 'No mirrors yet';
  }
  const words = mirrors.map(wordOf);
  const having = (word: MirrorWord): number => words.filter((other) => other === word).length;
  const halted = having('halted');
  if (halted > 0) return `${plural(halted, 'mirror')} halted. Nothing was deleted.`;
  const offline = having('offline');
  if (offline > 0) return `${plural(offline, 'folder')} unreachable`;
  if (remotes !== null) return remotes;
  const different = having('notEqual');
  if (different > 0)
    return `${plural(different, 'folder')} not equal to the workspace. Both versions are kept.`;
  const conflicts = mirrors.reduce((sum, mirror) => sum + mirror.conflicts, 0);
  if (conflicts > 0) {
    return `${plural(conflicts, 'conflict')}. Both versions are kept.`;
  }
  const syncing = having('syncing');
  if (syncing > 0) return `Syncing ${syncing === 1 ? 'one mirror' : `${count(syncing)} mirrors`}`;
  const scanning = having('scanning');
  if (scanning > 0) return `Scanning ${scanning === 1 ? 'one folder' : `${count(scanning)} folders`}`;
  const paused = having('paused');
  if (paused === mirrors.length) return paused === 1 ? 'Mirror paused' : 'All mirrors paused';
  if (paused > 0) return `${plural(paused, 'mirror')} paused`;
  const problems = mirrors.reduce((sum, mirror) => sum + mirror.problems, 0);
  if (problems > 0) {
    return `Up to date, except ${plural(problems, 'file')} not synced`;
  }
  if (trouble.deadLetters + trouble.failedOperations > 0) return failureHeadline(trouble);
  return 'Up to date';
}

function failureHeadline({ deadLetters, failedOperations }: FailureCounts): string {
  return deadLetters > 0
    ? plural(deadLetters, 'dead letter')
    : `${plural(failedOperations, 'operation')} failed`;
}

/** Below the headline: the other mirrors, else how much is mirrored. */
export function subtitle({ mirrors, workspaces }: Pick<AgentStatus, 'mirrors' | 'workspaces'>): string {
  const others = otherMirrors(mirrors);
  if (others !== null) return others;
  const files = workspaces.reduce((sum, workspace) => sum + workspace.files, 0);
  const where =
    mirrors.length === 0 ? plural(workspaces.length, 'workspace') : plural(mirrors.length, 'mirror');
  return `${where}, ${plural(files, 'file')}`;
}

/** The state of the mirrors that the headline does not cover; null: it covers all. */
export function otherMirrors(mirrors: readonly Mirror[]): string | null {
  const words = worstFirst(mirrors).map(wordOf);
  const rest = words.filter((word) => word !== words[0]);
  if (rest.length === 0) return null;
  const isSyncing = rest.some((word) => word === 'syncing' || word === 'scanning');
  if (rest.every((word) => word === 'upToDate')) {
    return rest.length === 1
      ? 'The other mirror is up to date.'
      : `The other ${count(rest.length)} mirrors are up to date.`;
  }
  if (
    isSyncing &&
    rest.every(
      (word) => word !== 'halted' && word !== 'offline' && word !== 'notEqual' && word !== 'conflict',
    )
  ) {
    return rest.length === 1
      ? 'The other mirror is syncing.'
      : `The other ${count(rest.length)} mirrors are up to date, paused or syncing.`;
  }
  return null;
}

/** Quarters of the files that are done, 0 to 4; 0 while the total is unknown. */
export function quarterOf(progress: Mirror['progress']): number {
  if (progress?.total == null || progress.total === 0) return 0;
  return Math.floor((4 * Math.min(progress.done, progress.total)) / progress.total);
}
