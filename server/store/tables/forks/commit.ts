// Rebases a fork onto its workspace, or commits it: the staged changes run as one atomic command. Runs in the writer.
import { isAclPath } from '../../../core/access/acl.ts';
import { grantsScope } from '../../../core/access/scope.ts';
import {
  hasUnseen,
  isMoved,
  isSameOutcome,
  planCommit,
  type StagedPath,
} from '../../../core/change/forks.ts';
import type { AccessSubject } from '../../../core/entry.ts';
import { readInParts } from '../../database/read-in-parts.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import type { CommitForkResult, StagedChange } from '../../port/forks.ts';
import { type ChangeDeps, changeFiles, RolledBack, refusalOf } from '../change/change-files.ts';
import { fileAt, fileRead, ruleText } from '../files/files.ts';
import { HistoryVisibility } from '../files/history.ts';
import { endFork, unstagePaths, usableFork } from './changes.ts';
import { deleteStaged, type OpenFork, openForkById, stagedPaths } from './rows.ts';
import { ForkView } from './view.ts';
import { ForkVisibility } from './visibility.ts';

export function commitFork(deps: ChangeDeps, input: Input<'commit_fork'>): Result<'commit_fork'> {
  const { statements, counters } = deps;
  const found = usableFork(statements, input);
  if (found.kind !== 'open') return found;
  const { fork } = found;
  const staged = stagedPaths(statements, fork);
  const chosen = input.paths === undefined ? null : new Set(input.paths);
  const wanted = staged.filter(({ path }) => chosen?.has(path) ?? true);
  if (input.seen !== undefined && hasUnseen(input.seen, fork, wanted, chosen !== null))
    return { kind: 'unseen' };
  statements.expectChanges(
    input.workspaceId,
    wanted.map(({ path }) => path),
  );
  const compared = wanted.map((one) => compare(statements, fork, one));
  const visibility = new HistoryVisibility(statements, fork.workspace, input.access);
  const denied = compared.find(
    ({ path }) => !grants(input.access, 'fs:write', path) || !visibility.canReadPath(path),
  );
  if (denied !== undefined) {
    return {
      kind: 'refused',
      refusal: { ok: false, path: denied.path, code: 'forbidden', message: 'access denied' },
    };
  }
  const conflicts = compared.filter((one) => one.conflicts);
  if (conflicts.length > 0) return { kind: 'conflicts', revision: counters.last.revision, conflicts };
  const changes = planCommit(
    compared
      // The workspace already has this outcome.
      .filter((one) => !isSameOutcome(one, one.live))
      .map((one) => ({ ...one, aclText: aclText(statements, one) })),
  );
  const batch = counters.last.revision + 1;
  const refusal = refusalOf(() =>
    changeFiles(deps, {
      kind: 'change_files',
      workspaceId: input.workspaceId,
      changes,
      atomic: true,
      actor: input.actor,
      origin: 'agent_write',
      access: input.access,
      correlationId: input.correlationId,
      makesOperations: true,
      atMs: input.atMs,
    }),
  );
  if (refusal !== null) throw new RolledBack<CommitForkResult>({ kind: 'refused', refusal });
  const isWhole = compared.length === staged.length;
  if (isWhole) endFork(statements, fork.number, input.atMs);
  else continueFork(deps, input, fork, compared);
  const writes = changes.filter(({ kind }) => kind === 'write_file').length;
  return {
    kind: 'committed',
    revision: counters.last.revision,
    writes,
    deletes: changes.length - writes,
    batch,
    isWhole,
  };
}

/** After a commit in part: the committed paths are no longer staged, and the rest is staged over the newest revision. */
function continueFork(
  deps: ChangeDeps,
  input: Input<'commit_fork'>,
  fork: OpenFork,
  committed: readonly StagedPath[],
): void {
  unstagePaths(deps, fork, input, committed);
  moveBase(deps, fork, input.atMs);
}

/** The newest state of the workspace becomes what the fork shows below its own changes; these stay as they are. */
export function rebaseFork(deps: ChangeDeps, input: Input<'rebase_fork'>): Result<'rebase_fork'> {
  const { statements } = deps;
  const found = usableFork(statements, input);
  if (found.kind !== 'open') return found;
  const { fork } = found;
  const visibility = new HistoryVisibility(statements, fork.workspace, input.access);
  const conflicts: StagedChange[] = [];
  let clean = 0;
  for (const compared of compareAll(statements, fork, stagedPaths(statements, fork))) {
    if (!compared.conflicts) {
      clean += 1;
      saveOutcome(statements, fork, compared);
    } else if (grants(input.access, 'fs:read', compared.path) && visibility.canReadPath(compared.path)) {
      conflicts.push(compared);
    }
  }
  const baseRevision = moveBase(deps, fork, input.atMs);
  return { kind: 'rebased', baseRevision, clean, conflicts };
}

/** The fork shows the newest state of the workspace below its staged changes. */
function moveBase({ statements, counters }: ChangeDeps, fork: OpenFork, atMs: number): number {
  const baseRevision = counters.last.revision;
  statements.run(
    'UPDATE forks SET base_revision = ?, base_at = ? WHERE number = ?',
    baseRevision,
    atMs,
    fork.number,
  );
  return baseRevision;
}

/** Where both came to the same, the fork's change is from now on one of what is there. */
function saveOutcome(
  statements: WriteStatements,
  fork: OpenFork,
  { path, file, live, baseRevision }: StagedChange,
): void {
  if (!isMoved({ baseRevision }, live)) return;
  if (file === null) {
    statements.run(deleteStaged, fork.number, path);
  } else {
    statements.run(
      'UPDATE fork_paths SET made_on = ? WHERE fork = ? AND path = ?',
      live?.revision ?? 0,
      fork.number,
      path,
    );
  }
}

/** What is staged at the paths that the subject may see, beside what the workspace has there now. */
export function listStaged(
  statements: ReadStatements,
  forkId: string,
  page: { readonly access: AccessSubject | null; readonly afterPath: string | null; readonly limit: number },
): readonly StagedChange[] {
  return statements.consistently(() => {
    const fork = openForkById(statements, forkId);
    if (fork === null) return [];
    const view = new ForkView(statements, fork);
    const visibility = new ForkVisibility(statements, view, page.access);
    const seen: StagedPath[] = [];
    let after = page.afterPath ?? '';
    for (let isMore = true; isMore && seen.length < page.limit; ) {
      const wanted = page.limit - seen.length;
      const next = stagedPaths(statements, fork, after, wanted);
      for (const staged of next) {
        const allowed =
          staged.file === null
            ? visibility.allowsNew(staged.path)
            : visibility.allows({ entry: staged.file, rules: null });
        if (allowed && grants(page.access, 'fs:read', staged.path)) seen.push(staged);
      }
      after = next.at(-1)?.path ?? after;
      isMore = next.length === wanted;
    }
    return compareAll(statements, fork, seen);
  });
}

function compareAll(
  statements: ReadStatements,
  fork: OpenFork,
  staged: readonly StagedPath[],
): readonly StagedChange[] {
  return readInParts(
    statements,
    staged,
    ({ path }) => [fileRead(fork.workspace, path)],
    (one) => compare(statements, fork, one),
  );
}

function compare(statements: ReadStatements, { workspace }: OpenFork, staged: StagedPath): StagedChange {
  const { path, file, baseRevision } = staged;
  const live = fileAt(statements, workspace, path);
  return {
    path,
    kind: file === null ? 'delete' : 'write',
    file,
    baseRevision,
    live,
    conflicts: isMoved(staged, live) && !isSameOutcome(staged, live),
  };
}

function grants(access: AccessSubject | null, scope: 'fs:read' | 'fs:write', path: string): boolean {
  return access === null || grantsScope(access.scopes, scope, path);
}

/** The decoded text of an access-rule file; null: it is none, or no text. */
function aclText(statements: ReadStatements, { path, file }: StagedPath): string | null {
  if (file === null || !isAclPath(path)) return null;
  return ruleText(statements, file.hash);
}
