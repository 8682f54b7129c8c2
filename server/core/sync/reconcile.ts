// The planner: from base, folder and workspace to the actions. Pure and total. It does no I/O, knows no clock, and never plans the
// loss of content: a plan may be applied in any order, in part, or twice, and planning again from the result leads to the same end
// (docs/sync-rules.md#1, docs/sync-rules.md#2, docs/sync-rules.md#13).
import { ancestorsOf, comparePaths } from '../paths/path.ts';
import { allSteps, sortInSteps } from '../paths/steps.ts';
import type {
  BaseAction,
  Conflict,
  Mode,
  Plan,
  PutLocal,
  RemoveLocal,
  Trees,
  WorkspaceAction,
} from './plan.ts';
import { decide, type PathDecision, withinMode } from './verdict.ts';

export function reconcile(trees: Trees, mode: Mode = 'two-way'): Plan {
  return allSteps(reconcileInSteps(trees, mode));
}

/** The same in steps, each of a few paths: the plan of a large directory that was renamed takes seconds. Nothing may change the trees meanwhile. */
export function* reconcileInSteps(trees: Trees, mode: Mode): Generator<void, Plan> {
  const candidates = new Set<string>();
  for (const path of trees.candidates) {
    yield;
    candidates.add(path);
  }
  const paths = yield* sortInSteps([...candidates], comparePaths);
  const verdicts = new Map<string, PathDecision>();
  /** Decided, but in a closed direction: the difference stays, and nothing waits for it. */
  const closed = new Set<string>();
  for (const path of paths) {
    yield;
    const decided = decide(trees, path);
    const verdict = decided === null ? null : withinMode(decided, mode, trees);
    if (verdict !== null) verdicts.set(path, verdict);
    else if (decided !== null) closed.add(path);
  }
  const asides = yield* settleTypes(trees, paths, verdicts, closed);
  const groups = yield* groupTypeChanges(trees, paths, verdicts);
  const moves = yield* findMoves(trees, verdicts, groups);
  return yield* assemble(trees, paths, verdicts, asides, groups, moves);
}

/**
 * A file on one side where the other has a directory. Removes verdicts that cannot be applied, and returns the paths that must
 * first become conflict copies in the folder. Removals and deletions need none: they free the path.
 */
function* settleTypes(
  trees: Trees,
  paths: readonly string[],
  verdicts: Map<string, PathDecision>,
  closed: ReadonlySet<string>,
): Generator<void, ReadonlyMap<string, 'file' | 'directory'>> {
  const asides = new Map<string, 'file' | 'directory'>();
  for (const path of paths) {
    yield;
    const verdict = verdicts.get(path);
    if (verdict?.kind === 'conflict') asides.set(path, 'file');
    if (verdict?.kind !== 'put') continue;

    // The workspace has a file here, so nothing below it. The folder's entries below are either equal to the base and will be
    // removed, or new; then the whole directory becomes a conflict copy: its files belong together.
    const inTheWay = trees.local(path)?.kind === 'directory';
    if (inTheWay || (trees.localHolds(path) && !onlyRemovalsBelow(trees, paths, verdicts, path))) {
      asides.set(path, 'directory');
    }

    // The workspace has a directory where the folder has a file. A file that equals the base is removed by its own verdict; any
    // other is new content and becomes a conflict copy. An undecided file waits, and the paths that it blocks wait with it: a file
    // that is only deleted elsewhere must not get a copy.
    for (const ancestor of ancestorsOf(path)) {
      const above = verdicts.get(ancestor);
      if (trees.local(ancestor)?.kind !== 'file' || above?.kind === 'remove') continue;
      if (above !== undefined || closed.has(ancestor)) asides.set(ancestor, 'file');
      verdicts.delete(path);
    }
  }
  for (const [path, what] of asides) {
    verdicts.delete(path);
    // The files of a directory that steps aside are found again under its new name.
    if (what === 'directory') for (const below of pathsBelow(paths, path)) verdicts.delete(below);
  }
  return asides;
}

function onlyRemovalsBelow(
  trees: Trees,
  paths: readonly string[],
  verdicts: ReadonlyMap<string, PathDecision>,
  directory: string,
): boolean {
  // Other paths below are equal on all three trees; the workspace has nothing below, so there are none.
  return pathsBelow(paths, directory).every((path) => {
    const local = trees.local(path);
    return local === null || verdicts.get(path)?.kind === 'remove';
  });
}

/** The same for uploads: which changes of the folder must reach the workspace in one request. Keyed by the file. */
function* groupTypeChanges(
  trees: Trees,
  paths: readonly string[],
  verdicts: Map<string, PathDecision>,
): Generator<void, ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    yield;
    if (verdicts.get(path)?.kind !== 'write') continue;
    const file = ancestorsOf(path).find((ancestor) => trees.workspace(ancestor) !== null);
    if (file !== undefined) {
      // A file became a directory. If the workspace's file is to be deleted anyway, both are one request; otherwise it is new
      // there, and its own verdict (a put, which makes a conflict copy of the folder's directory) comes first.
      if (verdicts.get(file)?.kind === 'delete') group(groups, file).push(path);
      else verdicts.delete(path);
    } else if (trees.workspaceHolds(path)) {
      // A directory became a file. The workspace's entries below must equal the base; new ones come first: their put makes a
      // conflict copy of the folder's file.
      const below = pathsBelow(paths, path).filter((candidate) => trees.workspace(candidate) !== null);
      if (below.every((candidate) => verdicts.get(candidate)?.kind === 'delete'))
        group(groups, path).push(...below);
      else verdicts.delete(path);
    }
  }
  return groups;
}

function group(groups: Map<string, string[]>, key: string): string[] {
  const members = groups.get(key) ?? [];
  groups.set(key, members);
  return members;
}

/**
 * A deletion and a creation that are one renaming: the new file has the inode and the content that were agreed on at the
 * old path. Keyed by the new path. Both must be provable; an inode alone may have been reused, and equal content alone may
 * be a copy whose original was deleted for its own reasons.
 */
function* findMoves(
  trees: Trees,
  verdicts: ReadonlyMap<string, PathDecision>,
  groups: ReadonlyMap<string, readonly string[]>,
): Generator<void, ReadonlyMap<string, string>> {
  const inGroup = new Set([...groups].flatMap(([file, others]) => [file, ...others]));
  const gone = new Map<string, string>();
  for (const verdict of verdicts.values()) {
    yield;
    if (verdict.kind !== 'delete' || inGroup.has(verdict.path)) continue;
    const base = trees.base(verdict.path);
    if (base !== null && base.inode !== '') gone.set(identity(base), verdict.path);
  }
  const moves = new Map<string, string>();
  if (gone.size === 0) return moves;
  for (const verdict of verdicts.values()) {
    yield;
    if (verdict.kind !== 'write' || verdict.expected !== null || inGroup.has(verdict.path)) continue;
    const local = trees.local(verdict.path);
    if (local?.kind !== 'file') continue;
    const from = gone.get(identity(local));
    if (from === undefined) continue;
    // Each origin moves once: of two hard links to it, the first by name is the move and the other is a new file.
    gone.delete(identity(local));
    moves.set(verdict.path, from);
  }
  return moves;
}

function identity(entry: { readonly inode: string; readonly hash: string }): string {
  return `${entry.inode} ${entry.hash}`;
}

function* assemble(
  trees: Trees,
  paths: readonly string[],
  verdicts: ReadonlyMap<string, PathDecision>,
  asides: ReadonlyMap<string, 'file' | 'directory'>,
  groups: ReadonlyMap<string, readonly string[]>,
  moves: ReadonlyMap<string, string>,
): Generator<void, Plan> {
  const removals: RemoveLocal[] = [];
  const puts: PutLocal[] = [];
  const deletes: WorkspaceAction[][] = [];
  const writes: WorkspaceAction[][] = [];
  const toBase: BaseAction[] = [];
  const conflictCopies: Conflict[] = [];
  const movedFrom = new Set<string>();
  for (const from of moves.values()) {
    yield;
    movedFrom.add(from);
  }
  const grouped = new Set([...groups].flatMap(([file, others]) => [file, ...others]));

  for (const path of paths) {
    yield;
    const verdict = verdicts.get(path);
    if (verdict === undefined || verdict.kind === 'conflict') continue;
    switch (verdict.kind) {
      case 'beside':
        conflictCopies.push(conflict(trees, path, 'file'));
        break;
      case 'agree':
        toBase.push({ path, hash: verdict.hash });
        break;
      case 'put':
        puts.push(verdict);
        break;
      case 'remove':
        removals.push(verdict);
        break;
      case 'delete':
        if (!grouped.has(path) && !movedFrom.has(path)) deletes.push([verdict]);
        break;
      case 'write': {
        const from = moves.get(path);
        if (from !== undefined) writes.push([{ kind: 'move', path, from, hash: verdict.hash }]);
        else if (!grouped.has(path)) writes.push([verdict]);
        break;
      }
    }
  }
  for (const [file, others] of groups) {
    const members = [file, ...others].map((path) => verdicts.get(path) as WorkspaceAction);
    // Deletions first: within one request each step loads the result of the previous one.
    writes.push(
      members.sort((left, right) => Number(right.kind === 'delete') - Number(left.kind === 'delete')),
    );
  }
  return {
    // Innermost removals first, so that directories empty themselves from the leaves.
    toLocal: [...removals.reverse(), ...puts],
    toWorkspace: [...deletes, ...writes],
    toBase,
    conflicts: [...asides].map(([path, what]) => conflict(trees, path, what)),
    conflictCopies,
  };
}

function conflict(trees: Trees, path: string, what: 'file' | 'directory'): Conflict {
  const local = trees.local(path);
  return {
    path,
    what,
    localHash: local?.kind === 'file' ? local.hash : null,
    workspaceHash: trees.workspace(path)?.hash ?? null,
    baseHash: trees.base(path)?.hash ?? null,
  };
}

/** Of the sorted paths, those strictly below a directory. */
function pathsBelow(paths: readonly string[], directory: string): readonly string[] {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePaths(paths[middle] as string, prefix) < 0) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < paths.length && (paths[end] as string).startsWith(prefix)) end += 1;
  return paths.slice(low, end);
}
