// Counts the files below each directory. Directories are implied by files: one is created with its first file and deleted with its
// last. A command's changes are collected here and written once, so that a thousand files in one directory cost one update of it.
// Only the writer uses this.
import type { DirEntry } from '../../../core/entry.ts';
import { ancestorsOf, nameOf, parentOf } from '../../../core/paths/path.ts';
import type { WriteStatements } from '../../database/statements.ts';

/** One directory by workspace and path. */
export const selectDirectory =
  'SELECT files, updated_at FROM entries WHERE workspace = ? AND path = ? AND files IS NOT NULL';

export const storeDirectory = `INSERT INTO entries (workspace, path, files, updated_at, top) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (workspace, path) DO UPDATE SET files = excluded.files, updated_at = excluded.updated_at`;
export const deleteEntry = 'DELETE FROM entries WHERE workspace = ? AND path = ?';

interface Directory {
  readonly storedFiles: number | null;
  readonly storedAtMs: number;
  files: number;
}

export class DirectoryCounts {
  readonly #statements: WriteStatements;
  readonly #workspace: number;
  readonly #atMs: number;
  readonly #directories = new Map<string, Directory>();

  constructor(statements: WriteStatements, workspace: number, atMs: number) {
    this.#statements = statements;
    this.#workspace = workspace;
    this.#atMs = atMs;
  }

  /** The directory at this path as the command has left it so far; null when there is none. */
  get(path: string): DirEntry | null {
    const { files, storedFiles, storedAtMs } = this.#load(path);
    if (files === 0 && path !== '/') return null;
    return { type: 'dir', path, files, updatedAtMs: files === storedFiles ? storedAtMs : this.#atMs };
  }

  /** Is this a directory that the command has touched? Then its stored row is out of date. */
  knows(path: string): boolean {
    return this.#directories.has(path);
  }

  /** A file was added (+1) or removed (-1) at this path. */
  add(path: string, delta: 1 | -1): void {
    for (const ancestor of ancestorsOf(path)) this.#load(ancestor).files += delta;
  }

  /** Before a file is written to this path: deletes the row of a directory that the command has emptied. */
  removeEmptied(path: string): void {
    const emptied = this.#directories.get(path);
    if (emptied === undefined) return;
    if (emptied.storedFiles !== null) {
      this.#statements.run(deleteEntry, this.#workspace, path);
    }
    this.#directories.delete(path);
  }

  /** Writes the changes and clears the cache. */
  flush(): void {
    for (const [path, { files, storedFiles }] of this.#directories) {
      if (files < 0) throw new Error(`fewer than no files below ${path}`);
      if (files === (storedFiles ?? 0)) continue;
      if (files === 0 && path !== '/') {
        this.#statements.run(deleteEntry, this.#workspace, path);
      } else {
        this.#statements.run(storeDirectory, this.#workspace, path, files, this.#atMs, topOf(path));
      }
    }
    this.#directories.clear();
  }

  /** Drops unwritten changes. */
  forget(): void {
    this.#directories.clear();
  }

  #load(path: string): Directory {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const row = this.#statements.get<{ files: number; updated_at: number }>(
      selectDirectory,
      this.#workspace,
      path,
    );
    const directory: Directory = {
      storedFiles: row?.files ?? null,
      storedAtMs: row?.updated_at ?? this.#atMs,
      files: row?.files ?? 0,
    };
    this.#directories.set(path, directory);
    return directory;
  }
}

/** The provider key: set for entries directly below the root, else null. */
export function topOf(path: string): string | null {
  return path !== '/' && parentOf(path) === '/' ? nameOf(path).toLowerCase() : null;
}
