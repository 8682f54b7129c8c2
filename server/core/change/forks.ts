// Forks: a view of a workspace as it stood at a moment, with changes of its own that nobody else sees until they are committed.
// Pure decisions: how long a fork lives, what a change of it stages, what differs from the workspace, what a commit does.
import { effectiveRules, isAclPath, isAllowed } from '../access/acl.ts';
import type { FileEntry } from '../entry.ts';
import { comparePaths, providerOf } from '../paths/path.ts';
import type { DeleteFile, FileChange, Precondition, Refusal, WriteFile } from './change.ts';
import { decide } from './decide.ts';
import type { ChangeContext, ChangeDecision, EarlierWrite, PathState } from './decision.ts';

const daySeconds = 24 * 60 * 60;
/** Contract, forks. */
export const forkTtlSecondsDefault = 7 * daySeconds;
export const forkTtlSecondsMax = 30 * daySeconds;
/** Open forks of one workspace. */
export const forksMax = 100;
/** Paths that one fork may stage: a commit is one transaction, and others wait for it (about 0.1 ms a path). */
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
  /** The file that will stand there; null: it will be deleted. */
  readonly file: FileEntry | null;
  /** Revision of the workspace's file that the change was made on; 0: none stood there. */
  readonly madeOn: number;
}

export interface ForkPathState {
  /** The path as the fork shows it. */
  readonly view: PathState;
  /** Where the workspace's own rules of today decide, too. */
  readonly live: Pick<PathState, 'entry' | 'markers'>;
  /** What stood there at the moment that the fork shows. */
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
      /** What is staged at the path from now on; null: nothing differs from the workspace any more. */
      readonly staged: { readonly kind: 'write' | 'delete'; readonly madeOn: number } | null;
    };

/** Decides on a write or a deletion in a fork. */
export function decideInFork(
  change: ForkChange,
  state: ForkPathState,
  context: Omit<ChangeContext, 'makesOperations' | 'hasConsumer' | 'nextOperation'>,
): ForkDecision {
  const { view, live, base, staged, earlier } = state;
  // No fork opens what is closed in the workspace.
  if (!mayTouch(live, context)) {
    return { ok: false, path: change.path, code: 'forbidden', message: 'access denied by ACL' };
  }
  const resolves = staged !== null && isMoved(staged, base) && namesBase(change.precondition, base);
  const precondition: Precondition = resolves ? { kind: 'any' } : change.precondition;
  const decision = decide(
    { ...change, precondition },
    { at: view, to: null, earlier, markerText: null },
    { ...context, nextOperation: 0, makesOperations: false, hasConsumer: () => false },
  );
  if (!decision.ok) {
    // A deletion that only says again what the fork holds still settles what it was made on.
    if (!(resolves && change.kind === 'delete_file' && decision.code === 'not_found')) return decision;
  }
  const madeOn = staged === null || resolves ? (base?.revision ?? 0) : staged.madeOn;
  const kind = change.kind === 'write_file' ? 'write' : 'delete';
  return {
    ok: true,
    decision: decision.ok ? decision : { ok: true, effect: null, result: repeatedDeletion(change, context) },
    staged: kind === 'delete' && base === null ? null : { kind, madeOn },
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
  { entry, markers }: Pick<PathState, 'entry' | 'markers'>,
  { access }: Pick<ChangeContext, 'access'>,
): boolean {
  const own = entry?.type === 'file' ? (entry.semantics.permissions ?? []) : [];
  const inherited = markers.map(({ permissions }) => permissions);
  return isAllowed(effectiveRules(inherited, own), access);
}

/** The precondition by which a caller says: I know what the workspace has there now. */
function namesBase(precondition: Precondition, base: FileEntry | null): boolean {
  if (base === null) return precondition.kind === 'absent';
  return precondition.kind === 'revision' && precondition.revision === `rev_${base.revision}`;
}

/** Was the path changed in the workspace after the fork staged its own change? */
export function isMoved(staged: Pick<StagedPath, 'madeOn'>, now: FileEntry | null): boolean {
  return (now?.revision ?? 0) !== staged.madeOn;
}

/** Both sides came to the same: there is nothing to decide, and nothing to do. */
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
 * Deletions first, so that a file can take the place of a directory and the other way round; access-rule files last, so that no
 * rule that comes with the commit refuses the rest of it. Each group in the byte order of paths. `aclText`: the text of a marker.
 */
export function planCommit(
  staged: readonly (StagedPath & { readonly aclText: string | null })[],
): readonly FileChange[] {
  const sorted = staged.toSorted((left, right) => comparePaths(left.path, right.path));
  const deletions: FileChange[] = [];
  const writes: FileChange[] = [];
  const markers: FileChange[] = [];
  for (const { path, file, madeOn, aclText } of sorted) {
    const precondition: Precondition =
      madeOn === 0 ? { kind: 'absent' } : { kind: 'revision', revision: `rev_${madeOn}` };
    if (file === null) deletions.push({ kind: 'delete_file', path, precondition });
    else (isAclPath(path) ? markers : writes).push(writeOf(file, precondition, aclText));
  }
  return [...deletions, ...writes, ...markers];
}

function writeOf(file: FileEntry, precondition: Precondition, aclText: string | null): WriteFile {
  const { path, hash, sizeBytes, contentType, encoding, semantics } = file;
  return {
    kind: 'write_file',
    path,
    precondition,
    // The fork's own row names it already, so it is there.
    content: { hash, sizeBytes, staged: true },
    contentType,
    defaultContentType: contentType,
    encoding,
    semantics,
    replacesSemantics: true,
    ...(aclText === null ? {} : { aclText }),
  };
}
