// The last observation of every path of the folder, by directory. Memory only.
import { joinPath, nameOf, parentOf } from '../../core/paths/path.ts';
import type { FileStat } from '../port/file-system.ts';
import type { BlockedReason, FolderFile, KnownFiles } from '../port/folder.ts';
import { type FileNode, knownFiles } from './known-files.ts';

export type { FileNode } from './known-files.ts';

export type Node =
  | FileNode
  | { readonly kind: 'directory' }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly detail: string };

export const directoryNode: Node = { kind: 'directory' };

export class LocalTree {
  readonly #directories = new Map<string, Map<string, Node>>();
  /** Where a file with this inode was seen last: how a renaming is recognised. */
  readonly #byInode = new Map<bigint, string>();

  static from(known: KnownFiles): LocalTree {
    const tree = new LocalTree();
    for (const [path, file] of knownFiles(known)) tree.set(path, file);
    return tree;
  }

  get(path: string): Node | undefined {
    const parent = parentOf(path);
    return parent === null ? directoryNode : this.#directories.get(parent)?.get(nameOf(path));
  }

  /** Makes the directories above known, too. */
  set(path: string, node: Node): void {
    const parent = parentOf(path);
    if (parent === null) return;
    this.#unindex(path);
    this.#makeDirectory(parent).set(nameOf(path), node);
    if (node.kind === 'file') this.#byInode.set(node.inode, path);
  }

  /** Forgets a path and, if it was a directory, all below. */
  delete(path: string): void {
    this.#unindex(path);
    for (const name of [...(this.#directories.get(path)?.keys() ?? [])]) this.delete(joinPath(path, name));
    this.#directories.delete(path);
    const parent = parentOf(path);
    if (parent !== null) this.#directories.get(parent)?.delete(nameOf(path));
  }

  children(directory: string): ReadonlyMap<string, Node> {
    return this.#directories.get(directory) ?? noChildren;
  }

  /** Files and blocked things at or below a path. */
  *leaves(path: string): IterableIterator<string> {
    const node = this.get(path);
    if (node !== undefined && node.kind !== 'directory') yield path;
    for (const name of this.children(path).keys()) yield* this.leaves(joinPath(path, name));
  }

  pathOfInode(inode: bigint): string | undefined {
    return this.#byInode.get(inode);
  }

  #makeDirectory(directory: string): Map<string, Node> {
    const existing = this.#directories.get(directory);
    if (existing !== undefined) return existing;
    const made = new Map<string, Node>();
    this.#directories.set(directory, made);
    const parent = parentOf(directory);
    if (parent !== null) {
      const siblings = this.#makeDirectory(parent);
      // A file that is known here as well cannot be there: an operation was done and its end was never heard. Which of the two
      // is gone, the next scan finds out; forgotten here, it would never be missed.
      if (siblings.get(nameOf(directory)) === undefined) siblings.set(nameOf(directory), directoryNode);
    }
    return made;
  }

  #unindex(path: string): void {
    const node = this.get(path);
    if (node?.kind === 'file' && this.#byInode.get(node.inode) === path) this.#byInode.delete(node.inode);
  }
}

const noChildren: ReadonlyMap<string, Node> = new Map();

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
