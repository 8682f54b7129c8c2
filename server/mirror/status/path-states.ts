// What everybody is shown of a path beside its name: whether a mirror has it in step, carries it, or cannot. Made of the
// explanation of the path; of a directory it is the worst of what lies below it. Reads only what the mirror knows; no I/O.
import { type PathStateWord, pathStates } from '../../contract/words.ts';
import { ancestorsOf } from '../../core/paths/path.ts';
import type { SyncRule } from '../../core/sync/rules.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import { haltText } from '../guard/halt-causes.ts';
import { mirrorPath } from '../state/scoped-workspace.ts';
import { type Explained, explain } from './explain.ts';
import type { LoopView } from './loop-view.ts';
import { ignoredReason } from './reasons.ts';

/** Of directories only while no more than so many paths differ: one look at them must not hold up the mirror. */
const differingPathsMax = 2_000;

export interface PathState {
  readonly mirrorId: string;
  readonly state: PathStateWord;
  /** For people. */
  readonly why: string;
  readonly next: string | null;
  readonly retryAtMs: number | null;
}

type Seen = Omit<PathState, 'mirrorId'>;
type MirrorSources = Pick<LoopView, 'row' | 'session' | 'halt' | 'conflicts' | 'failure'>;

export function mostSevere(states: readonly PathState[]): PathStateWord | null {
  return pathStates.find((word) => states.some(({ state }) => state === word)) ?? null;
}

/** The paths are those of the workspace, in one mirror; what the mirror does not show is left out. */
export function pathStatesOf(
  mirror: MirrorSources,
  paths: readonly string[],
): ReadonlyMap<string, PathState> {
  const { row, session } = mirror;
  const inMirror = new Map<string, string>();
  for (const path of paths) {
    const below = pathInMirror(row, path);
    if (below !== null) inMirror.set(path, below);
  }
  const directories =
    session === null
      ? new Map<string, Seen>()
      : ofDirectories(
          mirror,
          session,
          [...inMirror.values()].filter((path) => isDirectory(session, path)),
        );
  return new Map(
    [...inMirror].map(([path, below]) => {
      const seen = directories.get(below) ?? ofFile(mirror, below);
      return [path, { mirrorId: row.mirrorId, ...seen }];
    }),
  );
}

/** Unlike `mirrorPath` it knows the directory that the mirror shows. */
function pathInMirror({ rootPath }: MirrorRow, path: string): string | null {
  if (path === rootPath) return '/';
  return mirrorPath(rootPath, path);
}

function isDirectory({ trees }: SyncSession, path: string): boolean {
  return path === '/' || (trees.workspaceAt(path) === null && trees.workspaceHolds(path));
}

function ofFile(mirror: MirrorSources, path: string): Seen {
  const { row, session, conflicts } = mirror;
  // A conflict is remembered, whether the mirror looks or not.
  if (conflicts.some((each) => each.path === path || each.copyPath === path)) return inConflict;
  const explained = explain(row, session, path);
  if (explained.state === 'unknown') return { ...unknown, why: whyUnknown(mirror, explained) };
  const { text: why, problem } = explained;
  const state = wordOf(explained);
  const held = state === 'sending' || state === 'receiving' ? haltedState(mirror) : null;
  return held ?? { state, why, next: problem?.next ?? null, retryAtMs: problem?.retryAtMs ?? null };
}

const inConflict: Seen = {
  state: 'conflict',
  why: 'Both sides changed it: two versions are kept.',
  next: 'Choose one under Conflicts.',
  retryAtMs: null,
};
const unknown = { state: 'unknown', next: null, retryAtMs: null } as const;

function whyUnknown(mirror: MirrorSources, { text }: Explained): string {
  return haltedState(mirror)?.why ?? mirror.failure ?? text;
}

/** A halted mirror syncs nothing; null: it is not halted. */
function haltedState({ row: { dir }, halt }: MirrorSources): Seen | null {
  if (halt.cause === null) return null;
  const { cause, next } = haltText(halt.cause, dir, halt.pendingCounts);
  return { state: 'refused', why: cause, next, retryAtMs: null };
}

function wordOf({ state, rule, row }: Explained): PathStateWord {
  switch (state) {
    case 'settling':
      return row.mode === 'to-folder' ? 'kept' : 'sending';
    case 'on_its_way':
      return row.mode !== 'to-folder' && rule !== null && goesUp(rule, row) ? 'sending' : 'receiving';
    case 'waiting':
    case 'not_mirrored':
      return 'refused';
    default:
      return state;
  }
}

function goesUp(rule: SyncRule, { mode }: MirrorRow): boolean {
  if (rule === 'both_added' || rule === 'both_edited') return mode === 'to-workspace';
  return rule.startsWith('folder_');
}

// ---- directories

/** What waits for somebody, or is on its way; what stays different on purpose is no state of its directory. */
const ofDirectoryToo: ReadonlySet<PathStateWord> = new Set([
  'conflict',
  'refused',
  'unknown',
  'receiving',
  'sending',
]);

function ofDirectories(
  mirror: MirrorSources,
  session: SyncSession,
  directories: readonly string[],
): ReadonlyMap<string, Seen> {
  const found = new Map<string, { paths: number; worst: Seen | null }>();
  const states = new Map<string, Seen>();
  for (const path of directories) {
    // One that is ignored, or cannot be looked into, is so itself.
    const own = session.isIgnored(path, true) ? ignoredDirectory : ofFile(mirror, path);
    if (own.state === 'absent') found.set(path, { paths: 0, worst: null });
    else states.set(path, own);
  }
  if (found.size === 0) return states;
  if (session.trees.differing + session.unsettled.size > differingPathsMax) {
    for (const path of found.keys()) states.set(path, tooMuchDiffers);
    return states;
  }
  const differing = new Set([
    ...session.trees.candidates(),
    ...session.unsettled,
    ...mirror.conflicts.map(({ path }) => path),
  ]);
  for (const path of differing) {
    const above = ancestorsOf(path).filter((ancestor) => found.has(ancestor));
    if (above.length === 0) continue;
    const seen = ofFile(mirror, path);
    if (!ofDirectoryToo.has(seen.state)) continue;
    for (const ancestor of above) {
      const { paths = 0, worst = null } = found.get(ancestor) ?? {};
      found.set(ancestor, { paths: paths + 1, worst: worse(worst, seen) });
    }
  }
  for (const [path, { paths, worst }] of found) states.set(path, directoryState(paths, worst));
  return states;
}

const ignoredDirectory: Seen = {
  state: 'ignored',
  why: ignoredReason.cause,
  next: ignoredReason.next,
  retryAtMs: null,
};
const tooMuchDiffers: Seen = { ...unknown, why: 'So much is different right now that it is not counted.' };

function worse(left: Seen | null, right: Seen): Seen {
  if (left === null) return right;
  return pathStates.indexOf(right.state) < pathStates.indexOf(left.state) ? right : left;
}

function directoryState(paths: number, worst: Seen | null): Seen {
  if (worst === null)
    return { state: 'same', why: 'Everything below it is in step.', next: null, retryAtMs: null };
  const why = paths === 1 ? 'One path below it is not in step.' : `${paths} paths below it are not in step.`;
  return { state: worst.state, why, next: null, retryAtMs: null };
}
