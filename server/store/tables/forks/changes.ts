// Creates, changes and ends forks. Runs in the writer: loads the state that a change needs, lets core/change/forks decide, and
// stores the decision under the fork's own number. No event, no operation, nothing visible outside of the fork.
import type { Applied, ChangeResult } from '../../../core/change/change.ts';
import type { AcceptedChange, AclFile, EarlierWrite } from '../../../core/change/decision.ts';
import {
  decideInFork,
  type ForkChange,
  forkBytesMax,
  forkPathsMax,
  forksMax,
  type StagedPath,
} from '../../../core/change/forks.ts';
import { ancestorsOf } from '../../../core/paths/path.ts';
import type { BlobRows } from '../../contents/blob-rows.ts';
import type { Counters } from '../../database/counters.ts';
import { bytesOf, historyOfPath } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import type { ChangeForkResult, ForkCommand, ForkUnusable } from '../../port/forks.ts';
import { RolledBack } from '../change/change-files.ts';
import { writeDecision } from '../change/write-decision.ts';
import { DirectoryCounts } from '../files/directories.ts';
import { readAclFile } from '../files/entry-metadata.ts';
import { entryAt } from '../files/files.ts';
import { identifiedWrite } from '../files/identities.ts';
import { findActiveWorkspace } from '../workspaces/workspaces.ts';
import { mayChangeFork } from './permission.ts';
import {
  deleteStaged,
  findFork,
  holdingOf,
  type OpenFork,
  openFork,
  stagedKinds,
  storeStaged,
} from './rows.ts';
import { ForkView } from './view.ts';
import { ForkVisibility } from './visibility.ts';

export interface ForkDeps {
  readonly statements: WriteStatements;
  readonly counters: Counters;
  readonly blobs: BlobRows;
}

export function createFork(
  { statements, counters }: ForkDeps,
  input: Input<'create_fork'>,
): Result<'create_fork'> {
  const workspace = findActiveWorkspace(statements, input.workspaceId);
  if (workspace === null) return { kind: 'workspace_not_found' };
  const { proposalId, atMs } = input;
  const known = statements.get<{ number: number; workspace: number; fork_id: string; expires_at: number }>(
    'SELECT number, workspace, fork_id, expires_at FROM forks WHERE proposal = ? AND ended_at IS NULL',
    proposalId,
  );
  if (known !== undefined && known.expires_at > atMs) {
    if (known.workspace !== workspace) return { kind: 'taken' };
    return { kind: 'open', fork: rowOf(statements, input.workspaceId, known.fork_id), created: false };
  }
  if (known !== undefined) endFork(statements, known.number, atMs);
  const open = statements.get<{ found: number }>(
    'SELECT count(*) AS found FROM forks WHERE workspace = ? AND ended_at IS NULL AND expires_at > ?',
    workspace,
    atMs,
  );
  if ((open?.found ?? 0) >= forksMax) return { kind: 'too_many' };
  statements.run(
    `INSERT INTO forks (workspace, fork_id, proposal, base_revision, base_at, last_revision, created_by, creator_tokens, created_at,
         expires_at) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`,
    workspace,
    input.forkId,
    proposalId,
    counters.last.revision,
    atMs,
    input.createdBy,
    JSON.stringify(input.creatorTokens),
    atMs,
    input.expiresAtMs,
  );
  return { kind: 'open', fork: rowOf(statements, input.workspaceId, input.forkId), created: true };
}

function rowOf(statements: ReadStatements, workspaceId: string, forkId: string) {
  const row = findFork(statements, workspaceId, forkId);
  if (row === null) throw new Error('a fork that was just found is not there');
  return row;
}

/** The next retention deletes its contents. */
export function endFork(statements: WriteStatements, fork: number, atMs: number): void {
  statements.run('UPDATE forks SET ended_at = ? WHERE number = ?', atMs, fork);
}

/** The fork, or why the caller cannot change it. */
export function usableFork(
  statements: ReadStatements,
  input: ForkCommand,
): { readonly kind: 'open'; readonly fork: OpenFork } | ForkUnusable {
  const workspace = findActiveWorkspace(statements, input.workspaceId);
  const fork = workspace === null ? null : openFork(statements, workspace, input.forkId);
  if (fork === null) return { kind: 'missing' };
  if (fork.expiresAtMs <= input.atMs) return { kind: 'expired' };
  return mayChangeFork(statements, fork, input) ? { kind: 'open', fork } : { kind: 'forbidden' };
}

export function discardFork(
  statements: WriteStatements,
  input: Input<'discard_fork'>,
): Result<'discard_fork'> {
  const workspace = findActiveWorkspace(statements, input.workspaceId);
  const fork = workspace === null ? null : openFork(statements, workspace, input.forkId);
  if (fork === null) return { kind: 'missing' };
  if (!mayChangeFork(statements, fork, input)) return { kind: 'forbidden' };
  endFork(statements, fork.number, input.atMs);
  return { kind: 'discarded' };
}

export function changeFork(deps: ForkDeps, input: Input<'change_fork'>): Result<'change_fork'> {
  const { statements } = deps;
  const found = usableFork(statements, input);
  if (found.kind !== 'open') return found;
  const { number, workspace } = found.fork;
  statements.expectForkChanges(
    { fork: number, workspace, holding: holdingOf(number) },
    input.changes.map(({ path }) => path),
  );
  const writer = new ForkWriter(deps, found.fork, input);
  const results = input.changes.map((change) => writer.change(change));
  const refused = input.atomic === true ? results.find((result) => !result.ok) : undefined;
  if (refused !== undefined)
    throw new RolledBack<ChangeForkResult>({
      kind: 'changed',
      results: results.map((result) => refusedWith(result, refused)),
    });
  writer.flush();
  statements.run(
    'UPDATE forks SET last_revision = ? WHERE number = ?',
    writer.lastRevision,
    found.fork.number,
  );
  const overfull = overfullBy(statements, found.fork);
  if (overfull !== null) throw new RolledBack<ChangeForkResult>({ kind: 'full', message: overfull });
  return { kind: 'changed', results };
}

/** Of an atomic command of which one change was refused. */
function refusedWith(result: ChangeResult, refused: ChangeResult): ChangeResult {
  if (!result.ok) return result;
  const message = `nothing was applied: ${refused.path} was refused`;
  return { ok: false, path: result.path, code: 'not_applied', message };
}

/** The fork shows at these paths what is below it. Their contents are released. */
export function unstagePaths(
  deps: ForkDeps,
  fork: OpenFork,
  input: Pick<Input<'change_fork'>, 'workspaceId' | 'forkId' | 'actor' | 'atMs' | 'correlationId'>,
  staged: readonly StagedPath[],
): void {
  const { statements } = deps;
  const writer = new ForkWriter(deps, fork, { ...input, access: null, changes: [] });
  for (const { path, file } of staged) {
    if (file !== null) {
      const removed = writer.change({ kind: 'delete_file', path, precondition: { kind: 'any' } });
      if (!removed.ok) throw new Error(`a committed file is not in its fork: ${removed.message}`);
    }
    statements.run(deleteStaged, fork.number, path);
  }
  writer.flush();
  statements.run('UPDATE forks SET last_revision = ? WHERE number = ?', writer.lastRevision, fork.number);
}

/** null: it is within its limits. */
function overfullBy(statements: ReadStatements, fork: OpenFork): string | null {
  const held = statements.get<{ paths: number; bytes: number | null }>(
    `SELECT (SELECT count(*) FROM fork_paths WHERE fork = ?) AS paths,
       (SELECT sum(size) FROM history WHERE workspace = ?) AS bytes`,
    fork.number,
    holdingOf(fork.number),
  );
  if ((held?.paths ?? 0) > forkPathsMax) return `a fork changes at most ${forkPathsMax} paths`;
  if ((held?.bytes ?? 0) > forkBytesMax) return `the contents of a fork have at most ${forkBytesMax} bytes`;
  return null;
}

/** The changes of one command, each loading after its predecessor was stored. */
class ForkWriter {
  lastRevision: number;
  readonly #parts: ForkDeps;
  readonly #fork: OpenFork;
  readonly #holding: number;
  readonly #input: Input<'change_fork'>;
  readonly #view: ForkView;
  readonly #directories: DirectoryCounts;
  readonly #liveAclFiles = new Map<string, AclFile | null>();
  /** null: rules were staged since it was created. */
  #visibility: ForkVisibility | null = null;

  constructor(deps: ForkDeps, fork: OpenFork, input: Input<'change_fork'>) {
    this.#parts = deps;
    this.#fork = fork;
    this.#holding = holdingOf(fork.number);
    this.#input = input;
    this.#view = new ForkView(deps.statements, fork);
    this.#directories = new DirectoryCounts(deps.statements, this.#holding, input.atMs);
    this.lastRevision = fork.lastRevision;
  }

  /** Directories are written once for all changes: an entry at a path is found by its files. */
  flush(): void {
    this.#directories.flush();
  }

  change(change: ForkChange): ChangeResult {
    const { access, atMs } = this.#input;
    const loaded = this.#load(change);
    const decided = decideInFork(change, loaded, {
      workspaceExists: true,
      access,
      atMs,
      nextRevision: this.lastRevision + 1,
    });
    if (!decided.ok) return decided;
    const { decision, staged } = decided;
    const { forkId } = this.#fork;
    if (decision.result.repeated) return decision.result;
    this.lastRevision += 1;
    const result: Applied = {
      ...decision.result,
      forkId,
      opId: `fork:${forkId}:op:${decision.result.revision}`,
    };
    if (decision.accepted !== null) {
      this.#persist(decision.accepted, result);
      if (loaded.staged !== null)
        this.#deleteEarlier(change.path, decision.accepted.written?.revision ?? Number.MAX_SAFE_INTEGER);
    }
    this.#stage(change.path, staged);
    return result;
  }

  #load(change: ForkChange): Parameters<typeof decideInFork>[1] {
    const { statements } = this.#parts;
    const { path } = change;
    this.#visibility ??= new ForkVisibility(statements, this.#view, this.#input.access);
    const entry = this.#view.entry(path);
    return {
      view: {
        entry,
        fileAbove: entry === null ? this.#view.fileAbove(path) : null,
        aclFiles: this.#visibility.aclFilesAbove(path),
      },
      live: {
        entry: entryAt(statements, this.#fork.workspace, path),
        aclFiles: this.#liveAclFilesAbove(path),
      },
      base: this.#view.base(path)?.entry ?? null,
      staged: this.#view.staged(path),
      earlier: this.#earlierOf(change, this.#visibility),
    };
  }

  /** The workspace's own do not change meanwhile. */
  #liveAclFilesAbove(path: string): readonly AclFile[] {
    return ancestorsOf(path).flatMap((directory) => {
      let aclFile = this.#liveAclFiles.get(directory);
      if (aclFile === undefined) {
        aclFile = readAclFile(this.#parts.statements, this.#fork.workspace, directory);
        this.#liveAclFiles.set(directory, aclFile);
      }
      return aclFile ?? [];
    });
  }

  #earlierOf(change: ForkChange, visibility: ForkVisibility): EarlierWrite | null {
    if (change.kind !== 'write_file') return null;
    const { statements } = this.#parts;
    const earlier = identifiedWrite(statements, this.#holding, change.contentIdentity, this.#input.atMs);
    if (earlier === null) return null;
    const seen = this.#view.file(earlier.result.path);
    if (seen === null || !visibility.allows(seen)) return { ...earlier, at: null };
    return {
      ...earlier,
      at: { entry: seen.entry, fileAbove: null, aclFiles: visibility.aclFilesAbove(earlier.result.path) },
    };
  }

  #persist(accepted: AcceptedChange, result: Applied): void {
    const { statements, blobs } = this.#parts;
    const { actor, correlationId, atMs } = this.#input;
    const directories = this.#directories;
    writeDecision(
      { statements, blobs, directories },
      this.#holding,
      { actor, origin: 'agent_write', correlationId, atMs, batch: null },
      {
        ...accepted,
        // The workspace's entries are not removed from the fork's own files.
        removed: accepted.removed?.forkId === undefined ? null : accepted.removed,
        history: accepted.written === null ? [] : accepted.history,
        events: [],
        operations: [],
      },
      { result, firstEventSeq: 0 },
    );
    if (accepted.aclFiles.length > 0) this.#visibility = null;
  }

  /** Of a path at which something was staged: only the newest state counts until the commit. */
  #deleteEarlier(path: string, before: number): void {
    const { statements, blobs } = this.#parts;
    const rows = statements.all<{ revision: number; hash: string }>(
      `SELECT revision, lower(hex(hash)) AS hash FROM ${historyOfPath}
         WHERE workspace = ? AND path = ? AND revision < ?`,
      this.#holding,
      path,
      before,
    );
    for (const { revision, hash } of rows) {
      statements.run('DELETE FROM history WHERE workspace = ? AND revision = ?', this.#holding, revision);
      blobs.release(bytesOf(hash));
    }
  }

  #stage(
    path: string,
    staged: { readonly kind: keyof typeof stagedKinds; readonly baseRevision: number } | null,
  ): void {
    const { statements } = this.#parts;
    if (staged === null) {
      statements.run(deleteStaged, this.#fork.number, path);
      return;
    }
    statements.run(storeStaged, this.#fork.number, path, stagedKinds[staged.kind], staged.baseRevision);
  }
}
