// Between rows of the database and plain data. Only translation: no SQL runs here.
import type { Semantics } from '../../contract/common.ts';
import { type Origin, operationActions, operationStatuses, origins } from '../../contract/words.ts';
import type { Actor, DirEntry, Encoding, Entry, FileEntry } from '../../core/entry.ts';
import { comparePaths, providerOf } from '../../core/paths/path.ts';
import { ImpossibleRowError } from '../port/errors.ts';
import type { TreeEntry, TreeFile } from '../port/store.ts';

export interface EntryRow {
  readonly path: string;
  readonly files: number | null;
  readonly updated_at: number;
  readonly revision: number | null;
  /** Hex in capitals; empty for a directory. */
  readonly hash: string;
  readonly size: number | null;
  readonly content_type: string | null;
  readonly base64: number | null;
  readonly provider_object_id: string | null;
  readonly semantics: string | null;
}

/**
 * History of one path, from its index. The index is named because SQLite without statistics would rather scan a workspace's whole
 * history in the order of the query (https://sqlite.org/queryplanner-ng.html).
 */
export const historyOfPath = 'history INDEXED BY history_by_path';

/**
 * A hash as text, in the capitals of SQLite. Made by SQLite: a Buffer for each row and its text cost as much as all the rest of
 * the row. Made small here (`hexText`): SQLite's lower() costs three times as much.
 */
export const hexHash = 'hex(hash) AS hash';

/** The columns of `EntryRow`, of the table `entries` or of a join with it. */
export const entryColumns = `entries.path AS path, files, updated_at, revision, ${hexHash}, size, content_type, base64, provider_object_id, semantics`;

/** One entry by workspace and path. A constant: building the text each time costs more than the statement. */
export const selectEntry = `SELECT ${entryColumns} FROM entries WHERE workspace = ? AND path = ?`;

const noSemantics: Semantics = Object.freeze({});

export function hexText(hash: string): string {
  return hash.toLowerCase();
}

export function entryOf(row: EntryRow): Entry {
  return row.files === null ? fileOf(row) : dirOf(row);
}

export type TreeRow = Omit<EntryRow, 'content_type'>;

/** The columns of `TreeRow`. */
export const treeColumns = `path, files, updated_at, revision, ${hexHash}, size, base64, provider_object_id, semantics`;

export function treeEntryOf(row: TreeRow): TreeEntry {
  return row.files === null ? treeFileOf(row) : dirOf(row);
}

export function fileOf(row: EntryRow): FileEntry {
  return { ...treeFileOf(row), contentType: row.content_type ?? '' };
}

function treeFileOf(row: TreeRow): TreeFile {
  if (row.hash === '' || row.revision === null) throw new Error(`${row.path} is not a file`);
  return {
    type: 'file',
    path: row.path,
    revision: row.revision,
    hash: hexText(row.hash),
    sizeBytes: row.size ?? 0,
    encoding: encodingOf(row.base64 ?? 0),
    provider: providerOf(row.path),
    providerObjectId: row.provider_object_id,
    editedAtMs: storedTime(row.updated_at),
    semantics: row.semantics === null ? noSemantics : (JSON.parse(row.semantics) as Semantics),
  };
}

function dirOf(row: TreeRow): DirEntry {
  return { type: 'dir', path: row.path, files: row.files ?? 0, updatedAtMs: storedTime(row.updated_at) };
}

/** Year 9999: later times have no form as a date-time of RFC 3339. */
const timeMsMax = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Changed bytes of a page can appear as a time that was never: an answer could not say it. */
export function storedTime(timeMs: number): number {
  if (timeMs >= 0 && timeMs <= timeMsMax) return timeMs;
  throw new ImpossibleRowError(`a row has the time ${timeMs}`);
}

export function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex');
}

export function bytesOf(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

export function encodingOf(base64: number): Encoding {
  return base64 === 1 ? 'base64' : 'utf-8';
}

export function encodingCode(encoding: Encoding): number {
  return encoding === 'base64' ? 1 : 0;
}

/** Stored numbers of words: the position in these lists. Lists only ever grow at the end. */
const actorKinds: readonly Actor['kind'][] = ['token', 'mirror', 'provider', 'system', 'remote'];
const historyActions = ['write', 'delete', 'move'] as const;

export const originCode = (origin: Origin): number => codeOf(origins, origin);
export const originOf = (code: number): Origin => wordOf(origins, code);
export const actorKindCode = (kind: Actor['kind']): number => codeOf(actorKinds, kind);
export const actorKindOf = (code: number): Actor['kind'] => wordOf(actorKinds, code);
export const historyActionCode = (action: (typeof historyActions)[number]): number =>
  codeOf(historyActions, action);
export const historyActionOf = (code: number): (typeof historyActions)[number] =>
  wordOf(historyActions, code);

/** The stored number of a status is its position, from 1; the partial index of the schema names 3, succeeded. */
export const statusCode = (status: (typeof operationStatuses)[number]): number =>
  codeOf(operationStatuses, status) + 1;
export const actionCode = (action: (typeof operationActions)[number]): number =>
  codeOf(operationActions, action) + 1;

export function codeOf<Word extends string>(words: readonly Word[], word: Word): number {
  const code = words.indexOf(word);
  if (code === -1) throw new Error(`no code for "${word}"`);
  return code;
}

export function wordOf<Word extends string>(words: readonly Word[], code: number): Word {
  const word = words[code];
  if (word === undefined) throw new Error(`no word for the code ${code}`);
  return word;
}

/** `op_42` -> 42; null when the text is not such an id. */
export function operationNumber(opId: string): number | null {
  const digits = /^op_([1-9][0-9]{0,15})$/.exec(opId)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The path just after all descendants of a directory: '0' is the byte after '/'. Of the root: after every path. */
export function endOfSubtree(directory: string): string {
  return directory === '/' ? '0' : `${directory}0`;
}

/** The path just before all descendants of a directory. */
export function startOfSubtree(directory: string): string {
  return directory === '/' ? '/' : `${directory}/`;
}

/** The smallest text after this one: paths contain no NUL. */
export function justAfter(path: string): string {
  return `${path}\0`;
}

export function laterPath(left: string, right: string): string {
  return comparePaths(left, right) > 0 ? left : right;
}

export function semanticsText(semantics: Semantics): string | null {
  return Object.keys(semantics).length === 0 ? null : JSON.stringify(semantics);
}
