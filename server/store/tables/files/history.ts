// Reads retained revisions, their visibility, and since when they are complete. A revision is visible where the rules at its commit
// and the current rules allow it (docs/wire-contract.md#events).
import type { Semantics } from '../../../contract/common.ts';
import { effectiveRules, isAllowed } from '../../../core/access/acl.ts';
import type { PastRevision } from '../../../core/change/change.ts';
import type { AccessSubject } from '../../../core/entry.ts';
import { isWithin } from '../../../core/paths/path.ts';
import { readCounter } from '../../database/counters.ts';
import {
  actorKindOf,
  bytesOf,
  encodingOf,
  hexHash,
  hexText,
  historyActionOf,
  historyOfPath,
  originOf,
} from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { HistoryPage, HistoryQuery, RevisionRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { entryAt } from './files.ts';
import { AccessView } from './visible-files.ts';

/** How many earlier paths of a file are searched for known content. */
const movesFollowedMax = 100;
/** Rows scanned per page; a query with few matches gives short pages with a position to continue from. */
const rowsScannedMax = 10_000;

export interface HistoryRow {
  readonly path: string;
  readonly revision: number;
  readonly action: number;
  readonly moved_from: string | null;
  /** Hex; empty for a tombstone. */
  readonly hash: string;
  readonly size: number;
  readonly content_type: string;
  readonly base64: number;
  readonly actor_kind: number;
  readonly actor_name: string;
  readonly token_id: string | null;
  readonly origin: number;
  readonly correlation_id: string;
  readonly operation: number | null;
  readonly at: number;
  readonly batch: number | null;
  readonly restored_from: number | null;
  readonly semantics: string | null;
  readonly rules: string | null;
}

/** The columns of `HistoryRow`. */
export const historyColumns = `path, revision, action, moved_from, ${hexHash}, size, content_type, base64, actor_kind,
  actor_name, token_id, origin, correlation_id, operation, at, batch, restored_from, semantics, rules`;

const selectOfPath = `SELECT ${historyColumns} FROM ${historyOfPath}
  WHERE workspace = ? AND path = ? AND revision < ? ORDER BY revision DESC LIMIT ?`;
const selectOfAll = `SELECT ${historyColumns} FROM history
  WHERE workspace = ? AND revision < ? ORDER BY revision DESC LIMIT ?`;
const selectOfDeletions = `SELECT ${historyColumns} FROM history INDEXED BY history_deletions
  WHERE workspace = ? AND action = 1 AND revision < ? ORDER BY revision DESC LIMIT ?`;
const selectSameContentOfBatch = `SELECT revision FROM history INDEXED BY history_by_batch
  WHERE workspace = ? AND batch = ? AND hash =
    (SELECT hash FROM history INDEXED BY history_by_path WHERE workspace = ? AND path = ? AND revision < ?
       ORDER BY revision DESC LIMIT 1) LIMIT 1`;
/** A batch of one has no number of its own. */
const selectOfBatch = `SELECT ${historyColumns} FROM history
  WHERE workspace = ? AND revision IN
    (SELECT revision FROM history INDEXED BY history_by_batch WHERE workspace = ? AND batch = ?
       UNION SELECT revision FROM history WHERE workspace = ? AND revision = ? AND batch IS NULL)
    AND revision < ? ORDER BY revision DESC LIMIT ?`;

/** Newest first, without any check. What a moved file was before is the history of its `movedFrom`, before that revision. */
export function readHistory(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  limit: number,
  beforeRevision: number | null,
): readonly RevisionRow[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  const before = beforeRevision ?? Number.MAX_SAFE_INTEGER;
  return statements.all<HistoryRow>(selectOfPath, workspace, path, before, limit).map(revisionOf);
}

/** Revisions of a path, of its descendants or of a batch that the subject may see; newest first. */
export function readHistoryPage(
  statements: ReadStatements,
  workspaceId: string,
  query: HistoryQuery,
): HistoryPage {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return { rows: [], more: false, scannedTo: null };
    const visibility = new HistoryVisibility(statements, workspace, query.access);
    const rows: RevisionRow[] = [];
    let scannedTo: number | null = null;
    let before = query.beforeRevision ?? Number.MAX_SAFE_INTEGER;
    for (let scanned = 0; scanned < rowsScannedMax; ) {
      // One row beyond the page shows whether there is more, and does not count as scanned.
      const asked = Math.min(query.limit - rows.length, rowsScannedMax - scanned) + 1;
      const found = select(statements, workspace, query, before, asked);
      for (const row of found.slice(0, asked - 1)) {
        scannedTo = row.revision;
        before = row.revision;
        if (!isWithin(query.path, row.path) || !visibility.canRead(row)) continue;
        if (query.what.kind !== 'deleted' || isDeletedNow(statements, workspace, row))
          rows.push(revisionOf(row));
      }
      scanned += asked - 1;
      if (found.length < asked) return { rows, more: false, scannedTo };
      if (rows.length === query.limit) return { rows, more: true, scannedTo };
    }
    return { rows, more: true, scannedTo };
  });
}

function select(
  statements: ReadStatements,
  workspace: number,
  { path, what }: HistoryQuery,
  before: number,
  limit: number,
): readonly HistoryRow[] {
  switch (what.kind) {
    case 'path':
      return statements.all(selectOfPath, workspace, path, before, limit);
    case 'below':
      return statements.all(selectOfAll, workspace, before, limit);
    case 'deleted':
      return statements.all(selectOfDeletions, workspace, before, limit);
    case 'batch': {
      const { batch } = what;
      return statements.all(selectOfBatch, workspace, workspace, batch, workspace, batch, before, limit);
    }
  }
}

/**
 * The file of a deletion was neither created again nor moved. A move follows the deletion at the old path directly; a client without
 * moves writes the content elsewhere in the same request.
 */
function isDeletedNow(statements: ReadStatements, workspace: number, deletion: HistoryRow): boolean {
  const { path, revision } = deletion;
  const later = statements.get(
    'SELECT revision FROM history INDEXED BY history_by_path WHERE workspace = ? AND path = ? AND revision > ? LIMIT 1',
    workspace,
    path,
    revision,
  );
  if (later !== undefined) return false;
  const next = statements.get<{ readonly moved_from: string | null }>(
    'SELECT moved_from FROM history WHERE workspace = ? AND revision = ?',
    workspace,
    revision + 1,
  );
  if (next?.moved_from === path) return false;
  return (
    deletion.batch === null ||
    statements.get(selectSameContentOfBatch, workspace, deletion.batch, workspace, path, revision) ===
      undefined
  );
}

/** The revision of a path, or of a file that was moved there since; null: not retained. */
export function findRevision(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  revision: number,
  access: AccessSubject | null,
): { row: RevisionRow; allowed: boolean } | null {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    const row = workspace === null ? null : revisionRow(statements, workspace, path, revision);
    if (workspace === null || row === null) return null;
    return {
      row: revisionOf(row),
      allowed: new HistoryVisibility(statements, workspace, access).canRead(row),
    };
  });
}

/** The revision of exactly this path at a point in time, tombstones included; null: none is retained from then. */
export function findRevisionAt(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  atMs: number,
  access: AccessSubject | null,
): { row: RevisionRow; allowed: boolean } | null {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return null;
    const before = revisionAt(statements, workspace, atMs) + 1;
    const row = statements.get<HistoryRow>(selectOfPath, workspace, path, before, 1);
    if (row === undefined) return null;
    return {
      row: revisionOf(row),
      allowed: new HistoryVisibility(statements, workspace, access).canRead(row),
    };
  });
}

/** As `findRevision`, for the writer and without a check. */
export function revisionRow(
  statements: ReadStatements,
  workspace: number,
  path: string,
  revision: number,
): HistoryRow | null {
  const row = statements.get<HistoryRow>(
    `SELECT ${historyColumns} FROM history WHERE workspace = ? AND revision = ?`,
    workspace,
    revision,
  );
  if (row === undefined) return null;
  return pathsOf(statements, workspace, path).some(
    (place) => place.path === row.path && revision < place.before,
  )
    ? row
    : null;
}

/** The newest revision of a workspace that is not later than this time; 0: before its first one. */
export function revisionAt(statements: ReadStatements, workspace: number, atMs: number): number {
  const next =
    'SELECT revision, at FROM history WHERE workspace = ? AND revision >= ? ORDER BY revision LIMIT 1';
  // Times rise with revisions, so halving finds the last one that is not later.
  let found = 0;
  let low = 1;
  let high = readCounter(statements, 'revision');
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const row = statements.get<{ revision: number; at: number }>(next, workspace, middle);
    if (row === undefined || row.at > atMs) high = middle - 1;
    else {
      found = row.revision;
      low = row.revision + 1;
    }
  }
  return found;
}

/** Searches the retained revisions of the path and of the paths that its file was moved from. */
export function isKnownContent(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  hash: string,
): boolean {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return false;
    const wanted = bytesOf(hash);
    return pathsOf(statements, workspace, path).some(
      (place) =>
        statements.get(
          `SELECT 1 FROM ${historyOfPath} WHERE workspace = ? AND path = ? AND revision < ? AND hash = ? LIMIT 1`,
          workspace,
          place.path,
          place.before,
          wanted,
        ) !== undefined,
    );
  });
}

/** The path and the paths that its file was moved from, each with the revision before which it counts. */
function pathsOf(
  statements: ReadStatements,
  workspace: number,
  path: string,
): readonly { readonly path: string; readonly before: number }[] {
  const places: { path: string; before: number }[] = [{ path, before: Number.MAX_SAFE_INTEGER }];
  for (let index = 0; index < places.length && index < movesFollowedMax; index += 1) {
    const place = places[index] as { path: string; before: number };
    const moves = statements.all<{ moved_from: string; revision: number }>(
      `SELECT moved_from, revision FROM ${historyOfPath}
         WHERE workspace = ? AND path = ? AND revision < ? AND moved_from IS NOT NULL`,
      workspace,
      place.path,
      place.before,
    );
    for (const move of moves) places.push({ path: move.moved_from, before: move.revision });
  }
  return places;
}

/** Decides which revisions a subject may see. */
export class HistoryVisibility {
  readonly #statements: ReadStatements;
  readonly #workspace: number;
  readonly #access: AccessSubject | null;
  readonly #view: AccessView;

  constructor(statements: ReadStatements, workspace: number, access: AccessSubject | null) {
    this.#statements = statements;
    this.#workspace = workspace;
    this.#access = access;
    this.#view = new AccessView(statements, workspace, access);
  }

  /** true: there are rules now, so that subjects may differ in what they see. */
  get hasRules(): boolean {
    return this.#view.hasRules;
  }

  /** true: the current rules hide nothing. */
  get isOpen(): boolean {
    return this.#view.isOpen;
  }

  canRead(row: Pick<HistoryRow, 'path' | 'rules'>): boolean {
    return this.couldRead(row) && this.canReadPath(row.path);
  }

  /** By the rules that were in force at the commit. */
  couldRead(row: Pick<HistoryRow, 'rules'>): boolean {
    if (this.#access === null || row.rules === null) return true;
    return isAllowed(effectiveRules([JSON.parse(row.rules) as string[]], []), this.#access);
  }

  /** By the current rules. */
  canReadPath(path: string): boolean {
    if (this.#view.isOpen) return true;
    const entry = entryAt(this.#statements, this.#workspace, path);
    return entry?.type === 'file' ? this.#view.allowsFile(entry) : this.#view.allowsNew(path);
  }
}

/** null: there was no file. */
export function pastRevisionOf(row: HistoryRow): PastRevision | null {
  if (row.hash === '') return null;
  return {
    revision: row.revision,
    hash: hexText(row.hash),
    sizeBytes: row.size,
    contentType: row.content_type,
    encoding: encodingOf(row.base64),
    semantics: semanticsOf(row),
  };
}

function semanticsOf(row: HistoryRow): Semantics {
  return row.semantics === null ? {} : (JSON.parse(row.semantics) as Semantics);
}

function revisionOf(row: HistoryRow): RevisionRow {
  return {
    revision: row.revision,
    path: row.path,
    action: historyActionOf(row.action),
    movedFrom: row.moved_from,
    hash: row.hash === '' ? null : hexText(row.hash),
    sizeBytes: row.size,
    contentType: row.content_type,
    encoding: encodingOf(row.base64),
    actor: { kind: actorKindOf(row.actor_kind), name: row.actor_name, tokenId: row.token_id },
    origin: originOf(row.origin),
    correlationId: row.correlation_id,
    opId: row.operation === null ? null : `op_${row.operation}`,
    atMs: row.at,
    batch: row.batch ?? row.revision,
    restoredFrom: row.restored_from,
    semantics: semanticsOf(row),
  };
}
