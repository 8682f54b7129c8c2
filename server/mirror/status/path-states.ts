// The sync state of paths: up to date, transferring, or not synced. Derived from the explanation of the path; a directory has the most
// severe state below it. Reads the state of the session; no I/O.
import { type PathStateWord, pathStates } from '../../contract/words.ts';
import { plural } from '../../core/amounts.ts';
import { ancestorsOf } from '../../core/paths/path.ts';
import type { SyncRule } from '../../core/sync/rules.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import { haltText } from '../guard/halt-causes.ts';
import { mirrorPath } from '../state/scoped-workspace.ts';
import { type Explained, explain } from './explain.ts';
import type { LoopView } from './loop-view.ts';
import { ignoredReason } from './reasons.ts';

/** With more differing paths the state of directories is not computed, as that would delay the mirror. */
const differingPathsMax = 2_000;
/** Links and the like, whose state is known at once; a package manager makes thousands. */
const blockedPathsMax = 20_000;

export interface PathState {
  readonly mirrorId: string;
  readonly state: PathStateWord;
  /** For people. */
  readonly why: string;
  readonly next: string | null;
  readonly retryAtMs: number | null;
}

type ShownState = Omit<PathState, 'mirrorId'>;
type MirrorSources = Pick<LoopView, 'row' | 'session' | 'halt' | 'conflicts' | 'failure'>;

export function mostSevere(states: readonly PathState[]): PathStateWord | null {
  return pathStates.find((word) => states.some(({ state }) => state === word)) ?? null;
}

/** Of paths of the workspace, in one mirror; paths outside the mirror are omitted. */
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
      ? new Map<string, ShownState>()
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

/** Unlike `mirrorPath` it accepts the mirrored directory itself. */
function pathInMirror({ rootPath }: MirrorRow, path: string): string | null {
  if (path === rootPath) return '/';
  return mirrorPath(rootPath, path);
}

function isDirectory({ trees }: SyncSession, path: string): boolean {
  return path === '/' || (trees.workspaceAt(path) === null && trees.workspaceHolds(path));
}

function ofFile(mirror: MirrorSources, path: string): ShownState {
  const { row, session, conflicts } = mirror;
  // Conflicts are stored: they are known without a session.
  if (pathsInConflict(conflicts).has(path)) return inConflict;
  const explained = explain(row, session, path);
  if (explained.state === 'unknown') return { ...unknown, why: whyUnknown(mirror, explained) };
  const { text: why, problem } = explained;
  const state = wordOf(explained);
  const halted = state === 'sending' || state === 'receiving' ? haltedState(mirror) : null;
  return halted ?? { state, why, next: problem?.next ?? null, retryAtMs: problem?.retryAtMs ?? null };
}

/** By the list, which is replaced when a conflict begins or ends. */
const conflictPaths = new WeakMap<readonly ConflictRow[], ReadonlySet<string>>();

function pathsInConflict(conflicts: readonly ConflictRow[]): ReadonlySet<string> {
  const known = conflictPaths.get(conflicts);
  if (known !== undefined) return known;
  const paths = new Set(conflicts.flatMap(({ path, copyPath }) => [path, copyPath]));
  conflictPaths.set(conflicts, paths);
  return paths;
}

const inConflict: ShownState = {
  state: 'conflict',
  why: 'Both sides changed it; both versions are kept.',
  next: 'Choose a version under Conflicts.',
  retryAtMs: null,
};
const unknown = { state: 'unknown', next: null, retryAtMs: null } as const;

function whyUnknown(mirror: MirrorSources, { text }: Explained): string {
  return haltedState(mirror)?.why ?? mirror.failure ?? text;
}

/** A halted mirror syncs nothing; null: it is not halted. */
function haltedState({ row: { dir }, halt }: MirrorSources): ShownState | null {
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

/** States that a directory takes from its paths; an intended difference is not one. */
const inheritedStates: ReadonlySet<PathStateWord> = new Set([
  'conflict',
  'refused',
  'unknown',
  'receiving',
  'sending',
]);

interface Tally {
  readonly paths: number;
  readonly worst: PathStateWord | null;
}

function ofDirectories(
  mirror: MirrorSources,
  session: SyncSession,
  directories: readonly string[],
): ReadonlyMap<string, ShownState> {
  const tallies = new Map<string, Tally>();
  const states = new Map<string, ShownState>();
  for (const path of directories) {
    // An ignored or unreadable directory has a state of its own.
    const own = session.folderState.ignores(path, true) ? ignoredDirectory : ofFile(mirror, path);
    if (own.state === 'absent') tallies.set(path, { paths: 0, worst: null });
    else states.set(path, own);
  }
  if (tallies.size === 0) return states;
  const { trees, folderState } = session;
  const blocked = trees.localOnlyBlocked();
  const others = trees.differing - blocked.size + folderState.unsettled.size;
  if (others > differingPathsMax || blocked.size > blockedPathsMax) {
    for (const path of tallies.keys()) states.set(path, tooMuchDiffers);
    return states;
  }
  const tally = (path: string, stateOf: () => Pick<ShownState, 'state'>) => {
    const above = ancestorsOf(path).filter((ancestor) => tallies.has(ancestor));
    if (above.length === 0) return;
    const { state } = stateOf();
    if (!inheritedStates.has(state)) return;
    for (const ancestor of above) {
      const { paths = 0, worst = null } = tallies.get(ancestor) ?? {};
      tallies.set(ancestor, { paths: paths + 1, worst: worse(worst, state) });
    }
  };
  const differing = new Set(trees.differingPaths());
  for (const path of blocked.keys()) differing.delete(path);
  for (const path of folderState.unsettled) differing.add(path);
  for (const { path } of mirror.conflicts) differing.add(path);
  for (const path of differing) tally(path, () => ofFile(mirror, path));
  for (const path of blocked.keys())
    if (!differing.has(path))
      tally(path, () => ({ state: folderState.ignores(path) ? 'ignored' : 'refused' }));
  for (const [path, tallied] of tallies) states.set(path, directoryState(tallied));
  return states;
}

const ignoredDirectory: ShownState = {
  state: 'ignored',
  why: ignoredReason.cause,
  next: ignoredReason.next,
  retryAtMs: null,
};
const tooMuchDiffers: ShownState = {
  ...unknown,
  why: 'Too many paths differ right now to compute this state.',
};

function worse(left: PathStateWord | null, right: PathStateWord): PathStateWord {
  if (left === null) return right;
  return pathStates.indexOf(right) < pathStates.indexOf(left) ? right : left;
}

function directoryState({ paths, worst }: Tally): ShownState {
  if (worst === null)
    return { state: 'same', why: 'Everything below it is up to date.', next: null, retryAtMs: null };
  const why = `${plural(paths, 'path')} below it ${paths === 1 ? 'is' : 'are'} not up to date.`;
  return { state: worst, why, next: null, retryAtMs: null };
}
