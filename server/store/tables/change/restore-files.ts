// Restores a past state: loads the current and the past entries, lets core/change/restore plan, and runs the changes as one atomic
// command. Runs in the writer.

import { grantsScope } from '../../../core/access/scope.ts';
import { type ChangeResult, pathOfChange, type WriteFile } from '../../../core/change/change.ts';
import { planRestore, type RestoredPath } from '../../../core/change/restore.ts';
import { isWithin } from '../../../core/paths/path.ts';
import { readCounter } from '../../database/counters.ts';
import { readInParts } from '../../database/read-in-parts.ts';
import { endOfSubtree, historyOfPath, startOfSubtree } from '../../database/rows.ts';
import type { Asked, WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import type { ChangedSince, RestoredFile, RestoreResult, UndoDecision } from '../../port/store.ts';
import { entryAt, fileAt } from '../files/files.ts';
import {
  type HistoryRow,
  HistoryVisibility,
  historyColumns,
  pastRevisionOf,
  revisionAt,
  revisionRow,
} from '../files/history.ts';
import { findActiveWorkspace } from '../workspaces/workspaces.ts';
import { type ChangeDeps, changeFiles, RolledBack, refusalOf } from './change-files.ts';

/** Files per restore: it delays every other write while it runs (about 40 µs per file). */
const restoredPathsMax = 100_000;
/** Changes in the whole workspace, per file below the path now, that are scanned to find those of the path. */
const changesWalkedPerFile = 10;
/** Files and paths that an answer lists; its numbers count all. */
const listedMax = 1_000;

const newestOfAll = Number.MAX_SAFE_INTEGER;

const selectLatest = `SELECT ${historyColumns} FROM ${historyOfPath}
  WHERE workspace = ? AND path = ? AND revision < ? ORDER BY revision DESC LIMIT 1`;

type Command = Input<'restore_files'>;
type Refused = Extract<RestoreResult, { ok: false }>;
/** What is to be compared, or why it cannot be. */
type Loaded =
  | {
      readonly ok: true;
      readonly paths: readonly RestoredPath[];
      readonly kept: readonly string[];
      /** Merges with what changed since: written as they are. */
      readonly merges?: readonly WriteFile[];
    }
  | Refused;

export function restoreFiles(deps: ChangeDeps, command: Command): Result<'restore_files'> {
  const { statements, counters } = deps;
  const workspace = findActiveWorkspace(statements, command.workspaceId);
  if (workspace === null) return refuse('workspace_not_found', 'the workspace does not exist');
  const loaded = load(statements, workspace, command);
  if (!loaded.ok) return loaded;
  const merges = loaded.merges ?? [];
  const changes = [...planRestore(loaded.paths), ...merges];
  const batch = counters.last.revision + 1;
  const { atMs, workspaceId, actor, access, correlationId } = command;
  let results: readonly ChangeResult[] = [];
  const refusal = refusalOf(() => {
    results = changeFiles(deps, {
      kind: 'change_files',
      workspaceId,
      changes,
      atomic: true,
      actor,
      origin: 'agent_write',
      access,
      correlationId,
      makesOperations: true,
      atMs,
    });
  });
  if (refusal !== null) {
    const { code, path, message } = refusal;
    throw new RolledBack(refuse(code, `${path}: ${message}; nothing was restored`, [path]));
  }
  const before = new Map(loaded.paths.map((one) => [one.path, one]));
  const merged = new Map(merges.map((one) => [one.path, one]));
  const files = changes.map((change, index) => {
    const path = pathOfChange(change);
    const merge = merged.get(path);
    return merge === undefined
      ? restoredFile(before.get(path), results[index], command.dryRun)
      : mergedFile(merge, results[index], command.dryRun);
  });
  const count = (action: RestoredFile['action']) => files.filter((file) => file.action === action).length;
  const result: RestoreResult = {
    ok: true,
    batch: command.dryRun || changes.length === 0 ? null : batch,
    files: files.slice(0, listedMax),
    created: count('create'),
    updated: count('update'),
    deleted: count('delete'),
    kept: loaded.kept.slice(0, listedMax),
  };
  if (command.dryRun && changes.length > 0) throw new RolledBack(result);
  return result;
}

function refuse(code: Refused['code'], message: string, paths: readonly string[] = []): Refused {
  return { ok: false, code, message, paths: paths.slice(0, listedMax) };
}

function restoredFile(
  path: RestoredPath | undefined,
  applied: ChangeResult | undefined,
  dryRun: boolean,
): RestoredFile {
  if (path === undefined || !applied?.ok) throw new Error('a restored file came back without a result');
  const { now, past } = path;
  return {
    path: path.path,
    action: past === null ? 'delete' : now === null ? 'create' : 'update',
    before: now?.revision ?? null,
    from: past?.revision ?? null,
    hash: past?.hash ?? null,
    sizeBytes: past?.sizeBytes ?? 0,
    revision: dryRun ? null : applied.revision,
    opId: dryRun ? null : applied.opId,
  };
}

/** `before`: a merge is written over that revision only. */
function mergedFile(
  { path, precondition, content }: WriteFile,
  applied: ChangeResult | undefined,
  dryRun: boolean,
): RestoredFile {
  if (!applied?.ok || precondition.kind !== 'revision')
    throw new Error('a merged file came back without a result');
  return {
    path,
    action: 'update',
    before: Number(precondition.revision.slice('rev_'.length)),
    from: null,
    hash: content.hash,
    sizeBytes: content.sizeBytes,
    revision: dryRun ? null : applied.revision,
    opId: dryRun ? null : applied.opId,
  };
}

// ---- current and past entries

function load(statements: WriteStatements, workspace: number, command: Command): Loaded {
  const look = new RestoreReader(statements, workspace, command);
  const { target } = command;
  switch (target.kind) {
    case 'batch':
      return look.beforeBatches(target.path, [target.batch], {
        ifChanged: target.ifChanged,
        decisions: [],
        omitsHidden: true,
      });
    case 'run':
      return look.beforeBatches(target.path, target.batches, {
        ifChanged: 'refuse',
        decisions: target.decisions,
        omitsHidden: false,
      });
    case 'instant': {
      if (target.atMs < look.completeSinceMs) return refuse('not_kept', notKept(look.completeSinceMs));
      return look.asOf(target.path, revisionAt(statements, workspace, target.atMs));
    }
    case 'revision':
      return look.atRevision(target.path, target.revision);
  }
}

interface BatchRestore {
  readonly ifChanged: 'refuse' | 'keep';
  /** About paths that others changed since. */
  readonly decisions: readonly UndoDecision[];
  /** true: files that the caller may not see or change stay unchanged. false: they refuse the restore. */
  readonly omitsHidden: boolean;
}

function notKept(completeSinceMs: number): string {
  const since = new Date(completeSinceMs).toISOString();
  return (
    `the history of this time is no longer kept: it is complete since ${since}. Choose that time or a later one, or restore ` +
    'single files from their history. Larger values of historyDays and historyBytes keep more from now on'
  );
}

class RestoreReader {
  readonly completeSinceMs: number;
  readonly #statements: WriteStatements;
  readonly #workspace: number;
  readonly #workspaceId: string;
  readonly #access: Command['access'];
  readonly #visibility: HistoryVisibility;

  constructor(statements: WriteStatements, workspace: number, { access, workspaceId }: Command) {
    this.#statements = statements;
    this.#workspace = workspace;
    this.#workspaceId = workspaceId;
    this.#access = access;
    this.#visibility = new HistoryVisibility(statements, workspace, access);
    this.completeSinceMs = readCounter(statements, 'history_floor');
  }

  /** One file at one of its own revisions, at its path then; else the path and its descendants after that revision. */
  atRevision(path: string, revision: number): Loaded {
    const own = revisionRow(this.#statements, this.#workspace, path, revision);
    if (own !== null) {
      if (!this.#maySee(own) || !this.#mayTouch(path))
        return refuse('forbidden', 'access denied by ACL', [path]);
      return {
        ok: true,
        paths: [{ path, now: fileAt(this.#statements, this.#workspace, path), past: pastRevisionOf(own) }],
        kept: [],
      };
    }
    const row = this.#statements.get<{ at: number }>(
      'SELECT at FROM history WHERE workspace = ? AND revision = ?',
      this.#workspace,
      revision,
    );
    if (row === undefined || row.at < this.completeSinceMs)
      return refuse('not_kept', 'this revision is not kept, or was never one of this workspace');
    return this.asOf(path, revision);
  }

  /** Only paths that changed since can differ. Entries that rules hide from the caller, now or then, stay unchanged. */
  asOf(path: string, revision: number): Loaded {
    const changed = this.#pathsChangedAfter(path, revision);
    if (changed.length > restoredPathsMax) return tooMany();
    this.#statements.expectChanges(
      this.#workspaceId,
      changed.map((one) => one.path),
    );
    const latest = readInParts(
      this.#statements,
      changed,
      (one) => [this.#latestRead(one.path, revision + 1)],
      (one) => this.#latest(one.path, revision + 1),
    );
    const paths: RestoredPath[] = [];
    for (const [index, one] of changed.entries()) {
      if (!this.#mayTouch(one.path)) continue;
      const past = latest[index] ?? null;
      if (past !== null && !this.#maySee(past)) continue;
      paths.push({
        path: one.path,
        now: fileAt(this.#statements, this.#workspace, one.path),
        past: past === null ? null : pastRevisionOf(past),
      });
    }
    return { ok: true, paths, kept: [] };
  }

  /** The batches oldest first. A path that others changed after or between them is decided on, or refused or kept. */
  beforeBatches(
    path: string,
    batches: readonly number[],
    { ifChanged, decisions, omitsHidden }: BatchRestore,
  ): Loaded {
    const rows = batches.flatMap((batch) => this.#batchRows(batch)).filter((row) => isWithin(path, row.path));
    if (rows.length > restoredPathsMax) return tooMany();
    this.#statements.expectChanges(this.#workspaceId, [...new Set(rows.map((row) => row.path))]);
    const touched = new Map<string, { first: number; rows: number; last: HistoryRow }>();
    for (const row of rows) {
      if (!this.#mayTouch(row.path) || !this.#maySee(row)) {
        if (omitsHidden) continue;
        return refuse('forbidden', 'not every file of the run may be changed by this token');
      }
      const known = touched.get(row.path);
      touched.set(row.path, {
        first: known?.first ?? row.revision,
        rows: (known?.rows ?? 0) + 1,
        last: row,
      });
    }
    if (touched.size === 0) return refuse('not_found', 'no such batch is kept');
    const decided = new Map(decisions.map((decision) => [decision.path, decision]));
    const paths: RestoredPath[] = [];
    const kept: string[] = [];
    const merges: WriteFile[] = [];
    const changed: ChangedSince[] = [];
    const around = readInParts(
      this.#statements,
      [...touched],
      ([one, { first }]) => [this.#latestRead(one, newestOfAll), this.#latestRead(one, first)],
      ([one, { first }]) => ({ newest: this.#latest(one, newestOfAll), past: this.#latest(one, first) }),
    );
    for (const [index, [one, { first, rows: own, last }]] of [...touched].entries()) {
      const { newest = null, past = null } = around[index] ?? {};
      const isContinuous = batches.length === 1 || own === this.#countBetween(one, first, last.revision);
      const isUntouched = isContinuous && newest?.revision === last.revision;
      const decision = isUntouched ? undefined : decided.get(one);
      const take = isUntouched
        ? 'before'
        : decision?.revision === newest?.revision
          ? decision?.take
          : undefined;
      if (take === 'now' || (take === undefined && ifChanged === 'keep')) kept.push(one);
      else if (take === undefined)
        changed.push({ ...this.#changedSince(one, newest, last, past), isContinuous });
      else {
        if (past === null && last.at < this.completeSinceMs)
          return refuse('not_kept', `what ${one} was before is no longer kept`, [one]);
        if (past !== null && !this.#maySee(past)) return refuse('forbidden', 'access denied by ACL', [one]);
        if (take !== 'before') merges.push(take);
        else {
          const before = past === null ? null : pastRevisionOf(past);
          paths.push({ path: one, now: fileAt(this.#statements, this.#workspace, one), past: before });
        }
      }
    }
    if (changed.length > 0) {
      const refusal = refuse(
        'changed',
        'files of this batch were changed since',
        changed.map((one) => one.path),
      );
      return { ...refusal, changed: changed.slice(0, listedMax) };
    }
    return { ok: true, paths, kept, merges };
  }

  /** What the caller may not see looks like no file: it is never merged. */
  #changedSince(
    path: string,
    newest: HistoryRow | null,
    last: HistoryRow,
    past: HistoryRow | null,
  ): Omit<ChangedSince, 'isContinuous'> {
    const visible = (row: HistoryRow | null) =>
      row !== null && this.#maySee(row) ? pastRevisionOf(row) : null;
    return {
      path,
      revision: newest?.revision ?? 0,
      now: visible(newest),
      committed: visible(last),
      before: visible(past),
    };
  }

  /** Revisions of exactly this path from one to another. */
  #countBetween(path: string, first: number, last: number): number {
    const row = this.#statements.get<{ count: number }>(
      `SELECT count(*) AS count FROM ${historyOfPath} WHERE workspace = ? AND path = ? AND revision BETWEEN ? AND ?`,
      this.#workspace,
      path,
      first,
      last,
    );
    return row?.count ?? 0;
  }

  #batchRows(batch: number): readonly HistoryRow[] {
    const alone = this.#rowAt(batch);
    if (alone !== undefined && alone.batch === null) return [alone];
    return this.#statements.all<HistoryRow>(
      `SELECT ${historyColumns} FROM history INDEXED BY history_by_batch WHERE workspace = ? AND batch = ? ORDER BY revision LIMIT ?`,
      this.#workspace,
      batch,
      restoredPathsMax + 1,
    );
  }

  #rowAt(revision: number): HistoryRow | undefined {
    return this.#statements.get<HistoryRow>(
      `SELECT ${historyColumns} FROM history WHERE workspace = ? AND revision = ?`,
      this.#workspace,
      revision,
    );
  }

  /**
   * Paths in order. After few changes these are scanned by number; else the paths at and below the path by name: a small folder
   * then costs its own size, however much was changed elsewhere.
   */
  #pathsChangedAfter(path: string, revision: number): readonly { readonly path: string }[] {
    const [workspace, start, end] = [this.#workspace, startOfSubtree(path), endOfSubtree(path)];
    const few = this.#filesAt(path) * changesWalkedPerFile;
    const since = this.#statements.get<{ count: number }>(
      'SELECT count(*) AS count FROM (SELECT 1 FROM history WHERE workspace = ? AND revision > ? LIMIT ?) AS newer',
      workspace,
      revision,
      few + 1,
    );
    const most = restoredPathsMax + 1;
    if (since !== undefined && since.count <= few) {
      return this.#statements.all(
        `SELECT DISTINCT +path AS path FROM history WHERE workspace = ? AND revision > ?
           AND (path = ? OR (path > ? AND path < ?)) ORDER BY path LIMIT ?`,
        ...[workspace, revision, path, start, end, most],
      );
    }
    return this.#statements.all(
      `SELECT path FROM ${historyOfPath} WHERE workspace = ? AND path = ? AND revision > ?
         UNION SELECT path FROM ${historyOfPath} WHERE workspace = ? AND path > ? AND path < ? AND revision > ?
         ORDER BY path LIMIT ?`,
      ...[workspace, path, revision, workspace, start, end, revision, most],
    );
  }

  #filesAt(path: string): number {
    const entry = entryAt(this.#statements, this.#workspace, path);
    if (entry === null) return 0;
    return entry.type === 'file' ? 1 : entry.files;
  }

  /** The newest retained revision of exactly this path before another one. */
  #latest(path: string, before: number): HistoryRow | null {
    return this.#statements.get<HistoryRow>(selectLatest, this.#workspace, path, before) ?? null;
  }

  #latestRead(path: string, before: number): Asked {
    return { sql: selectLatest, values: [this.#workspace, path, before] };
  }

  /** Where the token may write, and today's rules allow it. */
  #mayTouch(path: string): boolean {
    return this.#grants('fs:write', path) && this.#visibility.canReadPath(path);
  }

  /** A restore gives no access to content that the token may not read, or that was hidden from it. */
  #maySee(row: HistoryRow): boolean {
    return this.#grants('fs:read', row.path) && this.#visibility.canRead(row);
  }

  #grants(scope: 'fs:read' | 'fs:write', path: string): boolean {
    return this.#access === null || grantsScope(this.#access.scopes, scope, path);
  }
}

function tooMany(): Refused {
  return refuse('too_many', `more than ${restoredPathsMax} files would have to be looked at: restore parts`);
}
