// Merkle trees over the files of a mirror: a digest per directory, of its own files and of its subdirectories, so that two trees
// are equal exactly when their roots are, and a difference is found by descending where digests differ. Pure: the digest function
// is an argument.
import { depthOf, joinPath, nameOf, parentOf } from '../paths/path.ts';

/** A hash of text, free of collisions; SHA-256 outside of tests. */
export type Digest = (text: string) => string;

/** The files directly in a directory. */
export interface OwnFiles {
  readonly digest: string;
  readonly files: number;
  readonly bytes: number;
}

/** By directory; a directory without files of its own has no row. */
export type OwnFilesByDirectory = ReadonlyMap<string, OwnFiles>;

interface OpenDirectory {
  readonly path: string;
  /** What every path below it begins with. */
  readonly prefix: string;
  readonly lines: string[];
  bytes: number;
}

/**
 * Accepts each path once, and the files below a directory contiguously: by path, or as a walk finds them. So it stores the files of
 * the directories that are open, and only a digest of each closed one.
 */
export class OwnFilesCollector {
  readonly #digest: Digest;
  readonly #closed = new Map<string, OwnFiles>();
  /** From the root down to the last file's directory, without those that have no files of their own. */
  readonly #open: OpenDirectory[] = [];

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  add(path: string, hash: string, sizeBytes: number): void {
    const own = this.#directory(parentOf(path) ?? '/');
    // A name contains no NUL, and a hash is hexadecimal: two different lists of files never make the same text.
    own.lines.push(`${nameOf(path)}\0${hash}\n`);
    own.bytes += sizeBytes;
  }

  finish(): OwnFilesByDirectory {
    while (this.#open.length > 0) this.#close();
    return this.#closed;
  }

  #directory(path: string): OpenDirectory {
    let top = this.#open.at(-1);
    while (top !== undefined && top.path !== path && !path.startsWith(top.prefix)) {
      this.#close();
      top = this.#open.at(-1);
    }
    if (top?.path === path) return top;
    if (this.#closed.has(path)) throw new Error(`the files of ${path} were given in two parts`);
    const opened = { path, prefix: joinPath(path, ''), lines: [], bytes: 0 };
    this.#open.push(opened);
    return opened;
  }

  #close(): void {
    const own = this.#open.pop();
    if (own === undefined) return;
    const { path, lines, bytes } = own;
    this.#closed.set(path, { digest: this.#digest(lines.sort().join('')), files: lines.length, bytes });
  }
}

interface MerkleNode {
  readonly digest: string;
  readonly own: string;
  /** Names of the directories in it, in order. */
  readonly children: readonly string[];
}

export interface MerkleTree {
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  readonly nodes: ReadonlyMap<string, MerkleNode>;
}

export function merkleTree(ownFiles: OwnFilesByDirectory, digest: Digest): MerkleTree {
  const children = new Map<string, Set<string>>([['/', new Set()]]);
  let files = 0;
  let bytes = 0;
  for (const [directory, own] of ownFiles) {
    files += own.files;
    bytes += own.bytes;
    let at = directory;
    for (let parent = parentOf(at); parent !== null; parent = parentOf(at)) {
      if (!children.has(at)) children.set(at, new Set());
      const siblings = children.get(parent) ?? new Set();
      children.set(parent, siblings);
      if (siblings.has(nameOf(at))) break;
      siblings.add(nameOf(at));
      at = parent;
    }
  }
  const nodes = new Map<string, MerkleNode>();
  // Deepest first: a directory's descendants are known before it.
  for (const directory of [...children.keys()].sort((left, right) => depthOf(right) - depthOf(left))) {
    const own = ownFiles.get(directory)?.digest ?? '';
    const names = [...(children.get(directory) ?? [])].sort();
    const lines = names.map((name) => `${name}\0${nodes.get(joinPath(directory, name))?.digest ?? ''}\n`);
    nodes.set(directory, { digest: digest(`${own}\n${lines.join('')}`), own, children: names });
  }
  return { root: nodes.get('/')?.digest ?? '', files, bytes, nodes };
}

/** Directories whose own files are not the same in all trees, at most so many, in the order in which they are met. */
export function differingDirectories(trees: readonly MerkleTree[], limit: number): readonly string[] {
  const found: string[] = [];
  const open = ['/'];
  for (let at = open.pop(); at !== undefined && found.length < limit; at = open.pop()) {
    const directory = at;
    const nodes = trees.map((tree) => tree.nodes.get(directory));
    if (new Set(nodes.map((node) => node?.digest)).size === 1) continue;
    if (new Set(nodes.map((node) => node?.own ?? '')).size > 1) found.push(directory);
    for (const name of new Set(nodes.flatMap((node) => node?.children ?? [])))
      open.push(joinPath(directory, name));
  }
  return found;
}
