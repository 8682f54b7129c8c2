// What a folder has other than the base says, by path. Files are in columns (state/base-table.ts): before a first mirror every file of the
// folder is one of these. No I/O.
import type { FolderEntry, FolderFile } from '../../disk/port/folder.ts';
import type { BaseRow } from '../../store/port/store.ts';
import { BaseTable } from './base-table.ts';

/** Of a file that the base does not know. */
const noRevision = 0;
/** Columns keep their size. Those of so many files are given back when few are left: there is one first mirror. */
const freedFilesMin = 1000;
const freedShareMax = 0.01;

export class FolderDifferences {
  #files = new BaseTable();
  #filesMost = 0;
  /** null: nothing is there. */
  readonly #others = new Map<string, Exclude<FolderEntry, FolderFile> | null>();

  get size(): number {
    return this.#files.size + this.#others.size;
  }

  has(path: string): boolean {
    return this.#others.has(path) || this.#files.has(path);
  }

  isBlocked(path: string): boolean {
    return this.#others.get(path)?.kind === 'blocked';
  }

  /** undefined: it has what the base says. */
  get(path: string): FolderEntry | null | undefined {
    const other = this.#others.get(path);
    if (other !== undefined) return other;
    const row = this.#files.get(path);
    return row === null ? undefined : fileOf(row);
  }

  set(path: string, entry: FolderEntry | null): void {
    if (entry?.kind === 'file') {
      this.#others.delete(path);
      this.#files.set({ ...withoutKind(entry), path, revision: noRevision });
      this.#filesMost = Math.max(this.#filesMost, this.#files.size);
      return;
    }
    this.#deleteFile(path);
    this.#others.set(path, entry);
  }

  delete(path: string): void {
    this.#others.delete(path);
    this.#deleteFile(path);
  }

  /** In no order to rely on; nothing may be set or deleted meanwhile. */
  *paths(): IterableIterator<string> {
    yield* this.#others.keys();
    yield* this.#files.paths();
  }

  #deleteFile(path: string): void {
    if (this.#files.size === 0) return;
    this.#files.delete(path);
    if (this.#filesMost < freedFilesMin || this.#files.size > this.#filesMost * freedShareMax) return;
    const few = new BaseTable();
    for (const kept of this.#files.paths()) few.set(this.#files.get(kept) as BaseRow);
    this.#files = few;
    this.#filesMost = few.size;
  }
}

type FileFacts = Omit<FolderFile, 'kind'>;

export function fileOf(facts: FileFacts): FolderFile {
  const { hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted } = facts;
  return { kind: 'file', hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted };
}

function withoutKind({ hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted }: FolderFile): FileFacts {
  return { hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted };
}
