// Decisions about forks: their lifetime, what a change stages, what differs from the workspace, what a commit does. Pure. A fork
// shows the workspace at its base revision, with staged changes that only the fork shows until they are committed.
import { effectiveRules, isAclPath, isAllowed } from '../access/acl.ts';
import type { FileEntry } from '../entry.ts';
import { comparePaths, providerOf } from '../paths/path.ts';
import type { DeleteFile, FileChange, Precondition, Refusal, WriteFile } from './change.ts';
import { decide } from './decide.ts';
import type { ChangeContext, ChangeDecision, EarlierWrite, PathState } from './decision.ts';

const daySeconds = 24 * 60 * 60;
/** Seconds; see docs/forks.md. */
export const forkTtlSecondsDefault = 7 * daySeconds;
export const forkTtlSecondsMax = 30 * daySeconds;
/** Open forks of one workspace. */
export const forksMax = 100;
/** Staged paths per fork: a commit is one transaction, and others wait for it (about 0.1 ms per path). */
export const forkPathsMax = 10_000;
/** Bytes of all contents that one fork stages. */
export const forkBytesMax = 1024 * 1024 * 1024;

/** Absent or 0: the default. More than the longest life is the longest. */
export function forkExpiryMs(nowMs: number, ttlSeconds: number | undefined): number {
  const asked = ttlSeconds === undefined || ttlSeconds === 0 ? forkTtlSecondsDefault : ttlSeconds;
  return nowMs + Math.min(asked, forkTtlSecondsMax) * 1000;
}

export type ForkChange = WriteFile | DeleteFile;

/** What a fork has staged at a path. */
export interface StagedPath {
  readonly path: string;
  /** The staged file; null: a staged deletion. */
  readonly file: FileEntry | null;
  /** Revision of the workspace's file when the change was staged; 0: there was none. */
  readonly baseRevision: number;
}

export interface ForkPathState {
  /** The path as the fork shows it. */
  readonly view: PathState;
  /** Where the workspace's own rules of today decide, too. */
  readonly live: Pick<PathState, 'entry' | 'aclFiles'>;
  /** The file at the fork's base revision. */
  readonly base: FileEntry | null;
  readonly staged: StagedPath | null;
  /** What the same content identity wrote earlier in this fork; null when it is new or there is none. */
  readonly earlier: EarlierWrite | null;
}

export type ForkDecision =
  | Refusal
  | {
      readonly ok: true;
      /** As for a change of the workspace, but without operations. */
      readonly decision: Extract<ChangeDecision, { ok: true }>;
      /** The staged change of the path; null: the path no longer differs from the workspace. */
      readonly staged: { readonly kind: 'write' | 'delete'; readonly baseRevision: number } | null;
    };

/** Decides on a write or a deletion in a fork. */
export function decideInFork(
  change: ForkChange,
  state: ForkPathState,
  context: Omit<ChangeContext, 'makesOperations' | 'hasConsumer' | 'nextOperation'>,
): ForkDecision {
  const { view, live, base, staged, earlier } = state;
  // A fork never allows what the workspace denies.
  if (!mayTouch(live, context)) {
    return { ok: false, path: change.path, code: 'forbidden', message: 'access denied by ACL' };
  }
  const resolves = staged !== null && isMoved(staged, base) && namesBase(change.precondition, base);
  const precondition: Precondition = resolves ? { kind: 'any' } : change.precondition;
  const decision = decide(
    { ...change, precondition },
    { at: view, to: null, earlier, aclText: null },
    { ...context, nextOperation: 0, makesOperations: false, hasConsumer: () => false },
  );
  if (!decision.ok) {
    // A repeated deletion still updates its base revision.
    if (!(resolves && change.kind === 'delete_file' && decision.code === 'not_found')) return decision;
  }
  const baseRevision = staged === null || resolves ? (base?.revision ?? 0) : staged.baseRevision;
  const kind = change.kind === 'write_file' ? 'write' : 'delete';
  return {
    ok: true,
    decision: decision.ok
      ? decision
      : { ok: true, accepted: null, result: repeatedDeletion(change, context) },
    staged: kind === 'delete' && base === null ? null : { kind, baseRevision },
  };
}

function repeatedDeletion(
  { path }: ForkChange,
  context: Pick<ChangeContext, 'nextRevision'>,
): Extract<ChangeDecision, { ok: true }>['result'] {
  return {
    ok: true,
    path,
    revision: context.nextRevision,
    opId: null,
    provider: providerOf(path),
    contentType: '',
    repeated: false,
  };
}

function mayTouch(
  { entry, aclFiles }: Pick<PathState, 'entry' | 'aclFiles'>,
  { access }: Pick<ChangeContext, 'access'>,
): boolean {
  const own = entry?.type === 'file' ? (entry.semantics.permissions ?? []) : [];
  const inherited = aclFiles.map(({ permissions }) => permissions);
  return isAllowed(effectiveRules(inherited, own), access);
}

/** The precondition that confirms the workspace's current file. */
function namesBase(precondition: Precondition, base: FileEntry | null): boolean {
  if (base === null) return precondition.kind === 'absent';
  return precondition.kind === 'revision' && precondition.revision === `rev_${base.revision}`;
}

/** Was the path changed in the workspace after the fork staged its own change? */
export function isMoved(staged: Pick<StagedPath, 'baseRevision'>, now: FileEntry | null): boolean {
  return (now?.revision ?? 0) !== staged.baseRevision;
}

/** What the committer has read of the fork. */
export interface SeenChanges {
  /** The `stagedRevision` of the fork when it was read. */
  readonly stagedRevision: number;
  /** What the commit itself has staged since. */
  readonly own: readonly { readonly path: string; readonly revision: number }[];
}

/** Has anyone else staged a change since that this commit would contain? `isPart`: the commit has only some of the staged paths. */
export function hasUnseen(
  seen: SeenChanges,
  { lastRevision }: { readonly lastRevision: number },
  committed: readonly StagedPath[],
  isPart: boolean,
): boolean {
  if (lastRevision - seen.own.length <= seen.stagedRevision) return false;
  if (!isPart) return true;
  const own = new Map(seen.own.map(({ path, revision }) => [path, revision]));
  return committed.some(
    // A deletion has no revision.
    ({ path, file }) =>
      file === null || (file.revision > seen.stagedRevision && own.get(path) !== file.revision),
  );
}

/** Both sides are equal: nothing to decide or do. */
export function isSameOutcome({ file }: Pick<StagedPath, 'file'>, now: FileEntry | null): boolean {
  if (file === null || now === null) return file === now;
  return (
    file.hash === now.hash &&
    file.contentType === now.contentType &&
    file.encoding === now.encoding &&
    // Both were put in order when they were stored.
    JSON.stringify(file.semantics) === JSON.stringify(now.semantics)
  );
}

/**
 * Deletions first, so that a file can replace a directory and a directory a file; ACL files last, so that no rule of the commit
 * refuses the rest of it. Each group by path, byte-wise. `aclText`: the text of an ACL file.
 */
export function planCommit(
  staged: readonly (StagedPath & { readonly aclText: string | null })[],
): readonly FileChange[] {
  const sorted = staged.toSorted((left, right) => comparePaths(left.path, right.path));
  const deletions: FileChange[] = [];
  const writes: FileChange[] = [];
  const aclFiles: FileChange[] = [];
  for (const { path, file, baseRevision, aclText } of sorted) {
    const precondition: Precondition =
      baseRevision === 0 ? { kind: 'absent' } : { kind: 'revision', revision: `rev_${baseRevision}` };
    if (file === null) deletions.push({ kind: 'delete_file', path, precondition });
    else (isAclPath(path) ? aclFiles : writes).push(writeOf(file, precondition, aclText));
  }
  return [...deletions, ...writes, ...aclFiles];
}

function writeOf(file: FileEntry, precondition: Precondition, aclText: string | null): WriteFile {
  const { path, hash, sizeBytes, contentType, encoding, semantics } = file;
  return {
    kind: 'write_file',
    path,
    precondition,
    // The fork's own row names it.
    content: { hash, sizeBytes, stored: true },
    contentType,
    defaultContentType: contentType,
    encoding,
    semantics,
    replacesSemantics: true,
    ...(aclText === null ? {} : { aclText }),
  };
}
