// What a mirror's state means to a person: its word, its rank, and the sentences of the Overview. Pure.
// The words are those of DESIGN.md, section 5; nothing here softens or guesses.
import type { AgentStatus } from '../../../server/contract/agent.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { count, plural } from '../format.ts';

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

/** The word for a state that came as text; null: it is none. */
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
  return views[wordOf(mirror)];
}

export function worstFirst(mirrors: readonly Mirror[]): readonly Mirror[] {
  return mirrors.toSorted(
    (a, b) => rank.indexOf(wordOf(a)) - rank.indexOf(wordOf(b)) || a.dir.localeCompare(b.dir, 'en'),
  );
}

export function isConflict(problem: { readonly kind: string }): boolean {
  return problem.kind === 'conflict';
}

const modeNames: Readonly<Record<Mirror['mode'], string>> = {
  'two-way': 'Both ways',
  'to-folder': 'To folder only',
  'to-workspace': 'To workspace only',
};

export function modeName(mode: Mirror['mode']): string {
  return modeNames[mode];
}

/** The one state of the whole agent that the top bar shows. */
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

const small = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const;

function spelledPlural(value: number, one: string, many: string): string {
  return `${small[value] ?? count(value)} ${value === 1 ? one : many}`;
}

/** What waits for a person beside the mirrors. */
export interface FailureCounts {
  readonly deadLetters: number;
  /** Changes that a provider refused for good. */
  readonly failedOperations: number;
}

/** The title of the Overview: one sentence that is true now. */
export function headline(status: AgentStatus, trouble: FailureCounts): string {
  const { mirrors } = status;
  if (mirrors.length === 0) {
    if (trouble.deadLetters + trouble.failedOperations > 0) return failureHeadline(trouble);
    return status.workspaces.length === 0 ? 'Nothing is mirrored yet.' : 'No folder is mirrored yet.';
  }
  const words = mirrors.map(wordOf);
  const having = (word: MirrorWord): number => words.filter((other) => other === word).length;
  const halted = having('halted');
  if (halted > 0) return `${spelledPlural(halted, 'mirror is', 'mirrors are')} halted. Nothing was deleted.`;
  const offline = having('offline');
  if (offline > 0) return `${spelledPlural(offline, 'folder', 'folders')} cannot be reached.`;
  const different = having('notEqual');
  if (different > 0)
    return `${spelledPlural(different, 'folder is', 'folders are')} not equal to the workspace. Both versions are kept.`;
  const conflicts = mirrors.reduce((sum, mirror) => sum + mirror.conflicts, 0);
  if (conflicts > 0) {
    return `${spelledPlural(conflicts, 'file has', 'files have')} two versions. Both are kept.`;
  }
  const syncing = having('syncing');
  if (syncing > 0) return `${spelledPlural(syncing, 'mirror is', 'mirrors are')} catching up.`;
  const scanning = having('scanning');
  if (scanning > 0) return `Looking through ${scanning === 1 ? 'one folder' : `${count(scanning)} folders`}.`;
  const paused = having('paused');
  if (paused === mirrors.length) return paused === 1 ? 'The mirror is paused.' : 'Every mirror is paused.';
  if (paused > 0) return `${spelledPlural(paused, 'mirror is', 'mirrors are')} paused.`;
  const problems = mirrors.reduce((sum, mirror) => sum + mirror.problems, 0);
  if (problems > 0) {
    return `In step, but for ${plural(problems, 'file')} that cannot be mirrored.`;
  }
  if (trouble.deadLetters + trouble.failedOperations > 0) return failureHeadline(trouble);
  return 'Everything is in step.';
}

function failureHeadline({ deadLetters, failedOperations }: FailureCounts): string {
  return deadLetters > 0
    ? `${spelledPlural(deadLetters, 'webhook', 'webhooks')} could not become ${deadLetters === 1 ? 'a file change' : 'file changes'}.`
    : `${spelledPlural(failedOperations, 'change', 'changes')} could not be sent.`;
}

/** What holds for the mirrors that the title does not speak of; null when it speaks of all. */
export function otherMirrors(mirrors: readonly Mirror[]): string | null {
  const words = worstFirst(mirrors).map(wordOf);
  const rest = words.filter((word) => word !== words[0]);
  if (rest.length === 0) return null;
  const onTheirWay = rest.some((word) => word === 'syncing' || word === 'scanning');
  const inStep = rest.every((word) => word === 'upToDate');
  const who = rest.length === 1 ? 'The other one is' : `The other ${count(rest.length)} are`;
  if (inStep) return `${who} in step.`;
  if (
    onTheirWay &&
    rest.every(
      (word) => word !== 'halted' && word !== 'offline' && word !== 'notEqual' && word !== 'conflict',
    )
  ) {
    return rest.length === 1
      ? 'The other one is on its way.'
      : `The other ${count(rest.length)} are in step, paused or on their way.`;
  }
  return null;
}

/** Quarters of the files that are done, 0 to 4; 0 also while it is not known how many there are. */
export function quarterOf(progress: Mirror['progress']): number {
  if (progress?.total == null || progress.total === 0) return 0;
  return Math.floor((4 * Math.min(progress.done, progress.total)) / progress.total);
}
