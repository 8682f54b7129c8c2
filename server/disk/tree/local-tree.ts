// The last observation of every path of the folder, in columns (core/sync/file-columns.ts). Memory only.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { PathRows } from '../../core/paths/path-rows.ts';
import { grown, noRow } from '../../core/paths/row-slots.ts';
import { FileColumns } from '../../core/sync/file-columns.ts';
import type { FileStat } from '../port/file-system.ts';
import type { BlockedReason, FolderFile, PackedFiles } from '../port/folder.ts';
import { InodeIndex } from './inode-index.ts';
import { type FileNode, unpackFiles } from './packed-files.ts';

export type { FileNode } from './packed-files.ts';

export type Node =
  | FileNode
  | { readonly kind: 'directory' }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly detail: string };

export const directoryNode: Node = { kind: 'directory' };

/** Kinds of a row. */
const aFile = 1;
const aDirectory = 2;
const blocked = 3;

export class LocalTree {
  readonly #paths = new PathRows();
  readonly #files = new FileColumns();
  #kinds = new Uint8Array(64);
  readonly #blocked = new Map<number, Node>();
  /** How a renaming is recognised. */
  readonly #byInode = new InodeIndex(this.#files);

  static from(known: readonly PackedFiles[]): LocalTree {
    const tree = new LocalTree();
    for (const files of known) for (const [path, file] of unpackFiles(files)) tree.set(path, file);
    return tree;
  }

  /** Made for each question: for files that are looked at often there is `trustedFile`. */
  get(path: string): Node | undefined {
    if (path === '/') return directoryNode;
    const row = this.#paths.find(path);
    if (row === noRow) return undefined;
    const kind = this.#kinds[row];
    if (kind === aFile) return { kind: 'file', ...this.#files.get(row) };
    return kind === aDirectory ? directoryNode : this.#blocked.get(row);
  }

  /** Makes the directories above known, too. */
  set(path: string, node: Node): void {
    const parent = parentOf(path);
    if (parent === null) return;
    this.#makeDirectory(parent);
    const row = this.#paths.add(path);
    this.#forget(row);
    if (row >= this.#kinds.length) this.#kinds = grown(this.#kinds, new Uint8Array(2 * row));
    this.#kinds[row] = { file: aFile, directory: aDirectory, blocked }[node.kind];
    if (node.kind === 'blocked') this.#blocked.set(row, node);
    if (node.kind !== 'file') return;
    this.#files.set(row, node);
    this.#byInode.add(row);
  }

  /** Forgets a path and, if it was a directory, all below. */
  delete(path: string): void {
    for (const name of this.names(path)) this.delete(joinPath(path, name));
    const row = path === '/' ? noRow : this.#paths.find(path);
    if (row === noRow) return;
    this.#forget(row);
    this.#paths.remove(row);
  }

  /** A row of a file whose identity is conclusive (docs/sync-rules.md#5), valid until the next change; `noRow`: it is none. */
  trustedFile(path: string): number {
    const row = this.#paths.find(path);
    return row !== noRow && this.#kinds[row] === aFile && this.#files.isTrusted(row) ? row : noRow;
  }

  /** Is the file of the row in the same state? */
  isSameFile(row: number, identity: Identity): boolean {
    return this.#files.hasIdentity(row, identity);
  }

  /** Is anything known directly below the path? */
  hasChildren(path: string): boolean {
    return this.#paths.countIn(path) > 0;
  }

  /** Of what is known directly in a directory. */
  names(directory: string): readonly string[] {
    if (!this.hasChildren(directory)) return noNames;
    const names: string[] = [];
    for (const row of this.#paths.rowsIn(directory)) names.push(this.#paths.nameOf(row));
    return names;
  }

  /** Of what is known directly in a directory, the names that are not present. Usually there are none. */
  namesMissing(directory: string, present: ReadonlySet<string>): readonly string[] {
    if (this.#paths.countNames(directory, present) === this.#paths.countIn(directory)) return noNames;
    return this.names(directory).filter((name) => !present.has(name));
  }

  /** Paths of the directories that are known directly in a directory. */
  subdirectories(directory: string): readonly string[] {
    return this.names(directory)
      .map((name) => joinPath(directory, name))
      .filter((path) => this.#kinds[this.#paths.find(path)] === aDirectory);
  }

  /** Files and blocked things at or below a path. */
  *leaves(path: string): IterableIterator<string> {
    const row = path === '/' ? noRow : this.#paths.find(path);
    if (row !== noRow && this.#kinds[row] !== aDirectory) yield path;
    for (const name of this.names(path)) yield* this.leaves(joinPath(path, name));
  }

  /** Where a file with this inode was seen last. */
  pathOfInode(inode: bigint): string | undefined {
    const row = this.#byInode.find(inode);
    return row === noRow ? undefined : this.#paths.pathOf(row);
  }

  #makeDirectory(directory: string): void {
    // What is known in it made it known, too.
    if (directory === '/' || this.hasChildren(directory)) return;
    // A file that is known here as well cannot be there: an operation was done and its end was never heard. Which of the two
    // is gone, the next scan finds out; forgotten here, it would never be missed.
    if (this.#paths.find(directory) === noRow) this.set(directory, directoryNode);
  }

  /** Before the row gets another node, or none. */
  #forget(row: number): void {
    if (this.#kinds[row] === aFile) {
      this.#byInode.remove(row);
      this.#files.clear(row);
    }
    this.#blocked.delete(row);
    this.#kinds[row] = 0;
  }
}

const noNames: readonly string[] = [];

/** Distinguishes two states of a file. */
export type Identity = Pick<FileStat, 'sizeBytes' | 'mtimeNs' | 'ctimeNs' | 'inode'>;

export function sameIdentity(left: Identity, right: Identity): boolean {
  return (
    left.ctimeNs === right.ctimeNs &&
    left.mtimeNs === right.mtimeNs &&
    left.inode === right.inode &&
    left.sizeBytes === right.sizeBytes
  );
}

export function fileNode(file: Omit<FolderFile, 'kind'>): FileNode {
  const { mtimeNs, ctimeNs, inode } = file;
  return {
    ...file,
    kind: 'file',
    mtimeNs: BigInt(mtimeNs),
    ctimeNs: BigInt(ctimeNs),
    inode: BigInt(inode),
  };
}

export function folderFile(node: FileNode): FolderFile {
  const { mtimeNs, ctimeNs, inode } = node;
  return { ...node, mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(inode) };
}
