// Files: single entries, lists, history, contents by their hash. Pages of a tree are in tree.ts, queries in query.ts.
import type { AccessSubject, Entry, FileEntry } from '../core/entry.ts';
import { AccessView } from './access.ts';
import type { RevisionRow } from './port.ts';
import {
  actorKindOf,
  bytesOf,
  type EntryRow,
  encodingOf,
  endOfSubtree,
  entryColumns,
  entryOf,
  fileOf,
  hexOf,
  historyActionOf,
  originOf,
  selectEntry,
  startOfSubtree,
} from './rows.ts';
import type { Statements } from './sqlite.ts';
import { workspaceNumber } from './workspaces.ts';

/** How many earlier places of a file are searched for known content. */
const movesFollowedMax = 100;

export function getEntry(statements: Statements, workspaceId: string, path: string): Entry | null {
  const workspace = workspaceNumber(statements, workspaceId);
  return workspace === null ? null : entryAt(statements, workspace, path);
}

export function entryAt(statements: Statements, workspace: number, path: string): Entry | null {
  const row = statements.get<EntryRow>(selectEntry, workspace, path);
  return row === undefined ? null : entryOf(row);
}

export function getChecked(
  statements: Statements,
  workspaceId: string,
  path: string,
  access: AccessSubject | null,
): { entry: Entry | null; allowed: boolean } {
  if (access === null) return { entry: getEntry(statements, workspaceId, path), allowed: true };
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return { entry: null, allowed: true };
    const entry = entryAt(statements, workspace, path);
    const view = new AccessView(statements, workspace, access);
    if (entry === null) return { entry, allowed: view.allowsNew(path) };
    if (entry.type === 'dir') return { entry, allowed: view.visibleFiles(path, entry.files) > 0 };
    return { entry, allowed: view.allowsFile(entry) };
  });
}

export function listFiles(
  statements: Statements,
  workspaceId: string,
  path: string,
  afterPath: string | null,
  limit: number,
): readonly FileEntry[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  const self = afterPath === null ? entryAt(statements, workspace, path) : null;
  if (self?.type === 'file') return limit > 0 ? [self] : [];
  return statements
    .all<EntryRow>(
      `SELECT ${entryColumns} FROM entries
         WHERE workspace = ? AND path > max(?, ?) AND path < ? AND files IS NULL ORDER BY path LIMIT ?`,
      workspace,
      startOfSubtree(path),
      afterPath ?? '',
      endOfSubtree(path),
      limit,
    )
    .map(fileOf);
}

// ---- contents

export interface StoredContent {
  readonly sizeBytes: number;
  /** null: the content lies in a file of its own. */
  readonly bytes: Uint8Array | null;
}

export function findContent(statements: Statements, hash: string): StoredContent | null {
  const row = statements.get<{ size: number; bytes: Buffer | null }>(
    'SELECT size, bytes FROM blobs WHERE hash = ?',
    bytesOf(hash),
  );
  return row === undefined ? null : { sizeBytes: row.size, bytes: row.bytes };
}

export function isContentNamed(statements: Statements, hash: string): boolean {
  return statements.get('SELECT 1 FROM blobs WHERE hash = ? AND bytes IS NULL', bytesOf(hash)) !== undefined;
}

// ---- history

interface HistoryRow {
  readonly path: string;
  readonly revision: number;
  readonly action: number;
  readonly moved_from: string | null;
  readonly hash: Buffer | null;
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
}

/** Newest first. What a moved file was before is the history of its `movedFrom`, before that revision. */
export function readHistory(
  statements: Statements,
  workspaceId: string,
  path: string,
  limit: number,
  beforeRevision: number | null,
): readonly RevisionRow[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  return statements
    .all<HistoryRow>(
      'SELECT * FROM history WHERE workspace = ? AND path = ? AND revision < ? ORDER BY revision DESC LIMIT ?',
      workspace,
      path,
      beforeRevision ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    .map(revisionOf);
}

/** Looks through the kept revisions of the path and of the places that its file was moved from. */
export function isKnownContent(
  statements: Statements,
  workspaceId: string,
  path: string,
  hash: string,
): boolean {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return false;
    const wanted = bytesOf(hash);
    const places: { path: string; before: number }[] = [{ path, before: Number.MAX_SAFE_INTEGER }];
    for (let index = 0; index < places.length && index < movesFollowedMax; index += 1) {
      const place = places[index] as { path: string; before: number };
      const found = statements.get(
        'SELECT 1 FROM history WHERE workspace = ? AND path = ? AND revision < ? AND hash = ? LIMIT 1',
        workspace,
        place.path,
        place.before,
        wanted,
      );
      if (found !== undefined) return true;
      const moves = statements.all<{ moved_from: string; revision: number }>(
        `SELECT moved_from, revision FROM history
           WHERE workspace = ? AND path = ? AND revision < ? AND moved_from IS NOT NULL`,
        workspace,
        place.path,
        place.before,
      );
      for (const move of moves) places.push({ path: move.moved_from, before: move.revision });
    }
    return false;
  });
}

function revisionOf(row: HistoryRow): RevisionRow {
  return {
    revision: row.revision,
    path: row.path,
    action: historyActionOf(row.action),
    movedFrom: row.moved_from,
    hash: row.hash === null ? null : hexOf(row.hash),
    sizeBytes: row.size,
    contentType: row.content_type,
    encoding: encodingOf(row.base64),
    actor: { kind: actorKindOf(row.actor_kind), name: row.actor_name, tokenId: row.token_id },
    origin: originOf(row.origin),
    correlationId: row.correlation_id,
    opId: row.operation === null ? null : `op_${row.operation}`,
    atMs: row.at,
  };
}
