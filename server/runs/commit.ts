// Commits a run, wholly or in part, as one atomic change. Where the workspace has changed the same files, texts are merged in the
// run's fork first; the workspace changes only when every conflict is decided.
import type { DeleteFile, Precondition, WriteFile } from '../core/change/change.ts';
import type { FileEntry } from '../core/entry.ts';
import type { PathChoice } from '../core/paths/path-choice.ts';
import type { RunRow } from '../store/port/store.ts';
import { type CommitForkResult, type StagedChange, unusableFork } from '../workspaces/forks.ts';
import { type Decision, decisionAt, mergeVersions, type UndecidedConflict } from './decisions.ts';
import { commitAttemptsMax } from './limits.ts';
import type { RunCaller, RunServiceDeps } from './run.ts';
import { stagedChanges } from './staged.ts';

type Committed = Extract<CommitForkResult, { kind: 'committed' }>;

export type CommitRunResult =
  | (Committed & { readonly merged: readonly string[] })
  | Extract<CommitForkResult, { kind: 'refused' }>
  | { readonly kind: 'conflicts'; readonly conflicts: readonly UndecidedConflict[] }
  /** No staged change has a chosen path. */
  | { readonly kind: 'nothing' }
  /** There are changes that the caller has not seen; nothing is committed. */
  | { readonly kind: 'unseen' };

export interface CommitChoice {
  readonly isChosen: PathChoice;
  readonly decisions: readonly Decision[];
  /** The staged revision up to which the caller has read the run; null: the commit contains everything that is staged. */
  readonly stagedRevision: number | null;
}

/** Throws a ForkGoneError or a ForkForbiddenError. */
export async function commitRun(
  deps: RunServiceDeps,
  run: RunRow,
  caller: RunCaller,
  { isChosen, decisions, stagedRevision }: CommitChoice,
): Promise<CommitRunResult> {
  const paths = isChosen === null ? null : await chosenPaths(deps, run, isChosen);
  if (paths?.length === 0) return { kind: 'nothing' };
  const request = {
    workspaceId: run.workspaceId,
    forkId: run.forkId,
    access: caller.access,
    actor: caller.actor,
    correlationId: caller.correlationId,
    ...(paths === null ? {} : { paths }),
  };
  const merged = new Set<string>();
  const own: { readonly path: string; readonly revision: number }[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const seen = stagedRevision === null ? {} : { seen: { stagedRevision, own } };
    const result = await deps.forks.commit({ ...request, ...seen });
    if (result.kind === 'committed') return { ...result, merged: [...merged] };
    if (result.kind === 'refused' || result.kind === 'unseen') return result;
    if (result.kind !== 'conflicts') throw unusableFork(result.kind);
    const { changes, undecided } = await decideAll(deps, run, result.conflicts, decisions);
    if (undecided.length > 0 || attempt === commitAttemptsMax) {
      const open = undecided.length > 0 ? undecided : result.conflicts.map(changedAgain);
      return { kind: 'conflicts', conflicts: open };
    }
    const rebased = await deps.forks.rebase(request);
    if (rebased.kind !== 'rebased') throw unusableFork(rebased.kind);
    const files = await deps.forks.files(run.workspaceId, run.forkId);
    // A change that is refused because the workspace changed once more is a conflict of the next attempt.
    const results = await files.change({
      ...request,
      changes,
      atomic: false,
      origin: 'agent_write',
      makesOperations: false,
    });
    for (const result of results) if (result.ok) own.push({ path: result.path, revision: result.revision });
    for (const { path } of changes) merged.add(path);
  }
}

async function chosenPaths(
  deps: RunServiceDeps,
  run: RunRow,
  isChosen: PathChoice,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of stagedChanges(deps, run, null, isChosen)) paths.push(path);
  return paths;
}

async function decideAll(
  deps: RunServiceDeps,
  run: RunRow,
  conflicts: readonly StagedChange[],
  decisions: readonly Decision[],
): Promise<{ readonly changes: (WriteFile | DeleteFile)[]; readonly undecided: UndecidedConflict[] }> {
  const changes: (WriteFile | DeleteFile)[] = [];
  const undecided: UndecidedConflict[] = [];
  for (const conflict of conflicts) {
    const { path, live, file } = conflict;
    const revision = live?.revision ?? 0;
    const take = decisionAt(decisions, path, revision);
    if (take === 'run') changes.push(await changeTo(deps, conflict, file));
    else if (take === 'workspace') changes.push(await changeTo(deps, conflict, live));
    else {
      const merge = await mergeVersions(deps, {
        path,
        base: await baseOf(deps, run, conflict),
        mine: file,
        theirs: live,
      });
      if (merge.ok && live !== null)
        changes.push(await writeOf(deps, conflict, live, new TextEncoder().encode(merge.text)));
      else undecided.push({ path, revision, reason: merge.ok ? 'deleted' : merge.reason });
    }
  }
  return { changes, undecided };
}

/** The workspace's file on which the change was staged; null: there was none, or it is no longer retained. */
async function baseOf(
  { store }: RunServiceDeps,
  { workspaceId }: RunRow,
  { path, baseRevision }: StagedChange,
): Promise<{ readonly hash: string; readonly sizeBytes: number } | null> {
  if (baseRevision === 0) return null;
  const found = await store.files.revision(workspaceId, path, baseRevision, null);
  const hash = found?.row.hash ?? null;
  return found === null || hash === null ? null : { hash, sizeBytes: found.row.sizeBytes };
}

/** Stages one of the two versions over the workspace's current one. */
async function changeTo(
  deps: RunServiceDeps,
  conflict: StagedChange,
  version: FileEntry | null,
): Promise<WriteFile | DeleteFile> {
  const { path } = conflict;
  if (version === null) return { kind: 'delete_file', path, precondition: onLive(conflict) };
  const bytes = await deps.workspaces.readContent(version.hash);
  if (bytes === null) throw new Error(`the content of ${path} cannot be read`);
  return await writeOf(deps, conflict, version, bytes);
}

async function writeOf(
  { workspaces }: RunServiceDeps,
  conflict: StagedChange,
  { path, contentType, encoding, semantics }: FileEntry,
  bytes: Uint8Array,
): Promise<WriteFile> {
  return {
    kind: 'write_file',
    path,
    precondition: onLive(conflict),
    content: await workspaces.stage(bytes),
    contentType,
    defaultContentType: contentType,
    encoding,
    semantics,
    replacesSemantics: true,
  };
}

/** Names the workspace's file that was decided on. */
function onLive({ live }: StagedChange): Precondition {
  return live === null ? { kind: 'absent' } : { kind: 'revision', revision: `rev_${live.revision}` };
}

function changedAgain({ path, live }: StagedChange): UndecidedConflict {
  return { path, revision: live?.revision ?? 0, reason: 'busy' };
}
