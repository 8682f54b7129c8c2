// Reads files: single entries, lists, contents by their hash. Pages of a tree are in tree.ts, queries in query.ts, past states in
// history.ts.
import type { AccessSubject, Entry, FileEntry } from '../../../core/entry.ts';
import { sha256Hex } from '../../../platform/crypto/hashes.ts';
import {
  bytesOf,
  type EntryRow,
  endOfSubtree,
  entryColumns,
  entryOf,
  fileOf,
  selectEntry,
  startOfSubtree,
} from '../../database/rows.ts';
import type { Asked, ReadStatements } from '../../database/statements.ts';
import { CorruptContentError, ImpossibleRowError } from '../../port/errors.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { AccessView } from './visible-files.ts';

/** The row of a path if no path of the workspace has a rule. */
export const selectUnruled = `SELECT ${entryColumns} FROM entries
  WHERE workspace = (SELECT number FROM workspaces WHERE workspace_id = ?) AND path = ?
    AND NOT EXISTS (SELECT 1 FROM access_rules WHERE workspace = entries.workspace)`;

export function getEntry(statements: ReadStatements, workspaceId: string, path: string): Entry | null {
  const workspace = workspaceNumber(statements, workspaceId);
  return workspace === null ? null : entryAt(statements, workspace, path);
}

export function entryAt(statements: ReadStatements, workspace: number, path: string): Entry | null {
  const row = statements.get<EntryRow>(selectEntry, workspace, path);
  return row === undefined ? null : entryOf(rowOfPath(row, path));
}

/** On corrupted pages a search by key can end at the row of another path, whose content would be shown under this one. */
function rowOfPath<Row extends { readonly path: string }>(row: Row, path: string): Row {
  // What is no Unicode is stored with replacement characters.
  if (row.path !== path && path.isWellFormed())
    throw new ImpossibleRowError(`the row of ${path} names another path`);
  return row;
}

/** null: there is no file. */
export function fileAt(statements: ReadStatements, workspace: number, path: string): FileEntry | null {
  const entry = entryAt(statements, workspace, path);
  return entry?.type === 'file' ? entry : null;
}

/** The same with the text of a file that was written as text and is small. */
export const selectUnruledText = selectUnruled.replace(
  ' FROM entries',
  `, CASE base64 WHEN 0 THEN (SELECT CAST(bytes AS TEXT) FROM blobs WHERE blobs.hash = entries.hash) END AS text FROM entries`,
);

/** A directory counts as an unused path: a subject that may see one file below it may not act on its name. */
export function allowEach(
  statements: ReadStatements,
  workspaceId: string,
  paths: readonly string[],
  access: AccessSubject | null,
): readonly boolean[] {
  if (access === null) return paths.map(() => true);
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return paths.map(() => false);
    return paths.map(visiblePaths(statements, workspace, access));
  });
}

/** May the subject see this path, by the current rules? One read of the rules, for many paths in one transaction. */
export function visiblePaths(
  statements: ReadStatements,
  workspace: number,
  access: AccessSubject | null,
): (path: string) => boolean {
  const view = new AccessView(statements, workspace, access);
  return (path) => {
    if (view.isOpen) return true;
    const file = fileAt(statements, workspace, path);
    return file === null ? view.allowsNew(path) : view.allowsFile(file);
  };
}

/** As `getChecked`, with the content where the same read returns it; null does not mean that there is none. */
export function getCheckedText(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  access: AccessSubject | null,
): { entry: Entry | null; allowed: boolean; text: string | null; forEveryone: boolean } {
  // The common case in one statement, as below.
  const row = statements.get<EntryRow & { text: string | null }>(selectUnruledText, workspaceId, path);
  if (row === undefined || row.files !== null)
    return { ...getChecked(statements, workspaceId, path, access), text: null, forEveryone: false };
  const entry = fileOf(rowOfPath(row, path));
  if (row.text !== null) assertText(statements, entry.hash, row.text);
  return { entry, allowed: true, text: row.text, forEveryone: true };
}

export function getChecked(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  access: AccessSubject | null,
): { entry: Entry | null; allowed: boolean } {
  if (access === null) return { entry: getEntry(statements, workspaceId, path), allowed: true };
  // The common case in one statement: the entry exists, and no path of the workspace has a rule.
  const row = statements.get<EntryRow>(selectUnruled, workspaceId, path);
  if (row !== undefined) {
    const entry = entryOf(rowOfPath(row, path));
    return { entry, allowed: entry.type === 'file' || entry.files > 0 };
  }
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

/** The file if no path of the workspace has a rule. */
export function getOpen(statements: ReadStatements, workspaceId: string, path: string): FileEntry | null {
  const row = statements.get<EntryRow>(selectUnruled, workspaceId, path);
  return row === undefined || row.files !== null ? null : fileOf(rowOfPath(row, path));
}

export function listFiles(
  statements: ReadStatements,
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
  /** null: the content is in a file. */
  readonly bytes: Uint8Array | null;
}

const selectContent = 'SELECT size, bytes FROM blobs WHERE hash = ?';

/** What `fileAt` and `findContent` read, for `together`. */
export function fileRead(workspace: number, path: string): Asked {
  return { sql: selectEntry, values: [workspace, path] };
}

export function contentRead(hash: string): Asked {
  return { sql: selectContent, values: [bytesOf(hash)] };
}

/** CorruptContentError: the stored bytes do not match their hash. */
export function findContent(statements: ReadStatements, hash: string): StoredContent | null {
  const row = statements.get<{ size: number; bytes: Buffer | null }>(selectContent, bytesOf(hash));
  if (row === undefined) return null;
  // SQLite stores no checksums (https://sqlite.org/cksumvfs.html); a content's hash is one.
  if (row.bytes !== null && sha256Hex(row.bytes) !== hash)
    throw new CorruptContentError(hash, 'is corrupted');
  return { sizeBytes: row.size, bytes: row.bytes };
}

/** The text of a small content, for rules. null: not UTF-8, or too large for rules (contents of that size are in files). */
export function ruleText(statements: ReadStatements, hash: string): string | null {
  const row = statements.get<{ bytes: Buffer | null }>(
    'SELECT bytes FROM blobs WHERE hash = ?',
    bytesOf(hash),
  );
  if (row === undefined || row.bytes === null) return null;
  const text = row.bytes.toString('utf8');
  return Buffer.from(text).equals(row.bytes) ? text : null;
}

/** Text of a small content; `isFile`: it is in a file. null: there is no such content. Throws as `findContent`. */
export function findText(
  statements: ReadStatements,
  hash: string,
): { readonly text: string; readonly isFile: false } | { readonly isFile: true } | null {
  // https://sqlite.org/lang_expr.html#castexpr: the bytes unchanged, interpreted as UTF-8. A Buffer per read costs more than the
  // whole lookup.
  const row = statements.get<{ text: string | null }>(
    'SELECT CAST(bytes AS TEXT) AS text FROM blobs WHERE hash = unhex(?)',
    hash,
  );
  if (row === undefined) return null;
  if (row.text === null) return { isFile: true };
  assertText(statements, hash, row.text);
  return { text: row.text, isFile: false };
}

/** CorruptContentError: neither this text nor its bytes have this hash. */
function assertText(statements: ReadStatements, hash: string, text: string): void {
  // Bytes that are no UTF-8 have another hash as text than as bytes.
  if (sha256Hex(text) !== hash) findContent(statements, hash);
}

export function isContentNamed(statements: ReadStatements, hash: string): boolean {
  return statements.get('SELECT 1 FROM blobs WHERE hash = ? AND bytes IS NULL', bytesOf(hash)) !== undefined;
}
