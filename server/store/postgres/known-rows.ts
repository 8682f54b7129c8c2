// Rows that a group of changes will ask for, loaded in one round trip before it runs: the entries at its paths and above them, and
// which of the paths have an open operation. Without them a change waits for the server five times.
//
// A row is known until a statement writes it. What a statement writes is read from its text and its values; a text that is not one of
// the few below makes everything unknown, which costs a round trip and is never wrong.
import { ancestorsOf } from '../../core/paths/path.ts';
import { type EntryRow, entryColumns, selectEntry } from '../database/rows.ts';
import type { Command } from '../port/commands.ts';
import { selectDirectory } from '../tables/files/directories.ts';
import { selectOpenOperation } from '../tables/files/provenance.ts';

/** Paths of a group that are loaded; the rest is asked for one by one. */
const pathsMax = 20_000;

export const selectKnown = `SELECT wanted.workspace_id AS wanted_id, wanted.path AS wanted_path, workspaces.number AS number, ${entryColumns},
    EXISTS (SELECT 1 FROM operations WHERE operations.workspace = workspaces.number AND operations.path = wanted.path
      AND status IN (1, 2)) AS is_open
  FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS wanted (workspace_id, path)
  JOIN workspaces ON workspaces.workspace_id = wanted.workspace_id
  LEFT JOIN entries ON entries.workspace = workspaces.number AND entries.path = wanted.path`;

export interface KnownRow extends Omit<EntryRow, 'path'> {
  /** null: there is no entry. */
  readonly path: string | null;
  readonly wanted_path: string;
  readonly number: number;
  readonly is_open: number;
}

/** The workspaces and paths that changes of files will look at. */
export function wantedBy(commands: readonly Command[]): readonly [string[], string[]] {
  const workspaceIds: string[] = [];
  const paths: string[] = [];
  const seen = new Set<string>();
  const want = (workspaceId: string, path: string) => {
    const key = `${workspaceId}\0${path}`;
    if (seen.has(key) || seen.size >= pathsMax) return;
    seen.add(key);
    workspaceIds.push(workspaceId);
    paths.push(path);
  };
  for (const { name, input } of commands) {
    if (name !== 'change_files') continue;
    for (const change of input.changes)
      for (const path of 'path' in change ? [change.path] : [change.from, change.to]) {
        want(input.workspaceId, path);
        for (const above of ancestorsOf(path)) want(input.workspaceId, above);
      }
  }
  return [workspaceIds, paths];
}

type Answer = { readonly row: unknown } | null;

export class KnownRows {
  readonly #entries = new Map<string, EntryRow | undefined>();
  /** Of paths: does an operation wait or run there? */
  readonly #open = new Map<string, boolean>();

  set(rows: readonly KnownRow[]): void {
    this.clear();
    for (const row of rows) {
      const key = keyOf(row.number, row.wanted_path);
      const { path, wanted_path: _path, number: _number, is_open: isOpen, ...columns } = row;
      this.#entries.set(key, path === null ? undefined : { ...columns, path });
      this.#open.set(key, isOpen === 1);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#open.clear();
  }

  /** null: it is not known. */
  answer(sql: string, values: readonly unknown[]): Answer {
    if (this.#entries.size === 0 && this.#open.size === 0) return null;
    if (sql !== selectEntry && sql !== selectDirectory && sql !== selectOpenOperation) return null;
    const key = keyOf(values[0], values[1]);
    if (sql === selectOpenOperation) {
      const isOpen = this.#open.get(key);
      return isOpen === undefined ? null : { row: isOpen ? { known: 1 } : undefined };
    }
    if (!this.#entries.has(key)) return null;
    const row = this.#entries.get(key);
    if (sql === selectEntry) return { row };
    return { row: row === undefined || row.files === null ? undefined : row };
  }

  /** The statement is about to run. */
  written(sql: string, values: readonly unknown[]): void {
    if (this.#entries.size === 0 && this.#open.size === 0) return;
    if (/\bentries\b/.test(sql)) this.#entryWritten(sql, values);
    if (/\boperations\b/.test(sql)) {
      if (sql.startsWith('INSERT INTO operations (workspace, number, path,'))
        this.#open.set(keyOf(values[0], values[2]), true);
      else this.#open.clear();
    }
  }

  #entryWritten(sql: string, values: readonly unknown[]): void {
    if (sql === 'DELETE FROM entries WHERE workspace = ? AND path = ?')
      this.#entries.set(keyOf(values[0], values[1]), undefined);
    else if (sql.startsWith('INSERT INTO entries (workspace, path, files, updated_at, top)'))
      this.#entries.set(keyOf(values[0], values[1]), directoryRow(values));
    else if (sql.startsWith('INSERT INTO entries (workspace, path,'))
      this.#entries.delete(keyOf(values[0], values[1]));
    else if (sql.startsWith('UPDATE entries SET updated_at = ?, revision = ?'))
      this.#entries.delete(keyOf(values.at(-2), values.at(-1)));
    else this.#entries.clear();
  }
}

function directoryRow([, path, files, updatedAt]: readonly unknown[]): EntryRow {
  return {
    path: String(path),
    files: Number(files),
    updated_at: Number(updatedAt),
    revision: null,
    hash: '',
    size: null,
    content_type: null,
    base64: null,
    provider_object_id: null,
    semantics: null,
  };
}

function keyOf(workspace: unknown, path: unknown): string {
  return `${workspace}\0${path}`;
}
