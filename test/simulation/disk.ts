// A disk in memory that behaves as Linux's do where it matters to a mirror: inodes whose numbers are used again, times of a
// coarse grain that no program can set back (ctime), links that are followed on the way, and a power cut that keeps what was
// synced, a beginning of the rest, and torn bytes of files that were not. Its names are bytes, or those of macOS and Windows.
import type { FileStat } from '../../server/disk/port/file-system.ts';
import type { SeededRandom } from '../support/trees.ts';

export interface Inode {
  readonly number: bigint;
  readonly kind: 'file' | 'directory' | 'symlink';
  readonly entries: Map<string, Inode>;
  data: Buffer;
  /** What a power cut leaves of a file; null: nothing was ever synced. */
  durable: Buffer | null;
  mode: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  links: number;
}

interface Change {
  readonly directory: Inode;
  readonly name: string;
  readonly before: Inode | null;
}

interface Place {
  readonly directory: Inode;
  readonly name: string;
  readonly inode: Inode | null;
}

export type DiskEvent = (directory: string, name: string, kind: 'renamed' | 'written') => void;

/**
 * `bytes`: each spelling is a name of its own. `folding`: spellings that differ in case or Unicode form are one name, shown as it
 * was made. `decomposing`: the same, but every name is shown with its accents apart, and what is renamed onto another takes along
 * its own spelling.
 */
export type DiskNames = 'bytes' | 'folding' | 'decomposing';

export interface DiskOptions {
  readonly names: DiskNames;
  readonly nowMs: () => number;
  readonly grainMs: number;
  readonly reusesInodes: boolean;
}

const linksFollowedMax = 8;

export class SimDisk {
  readonly top: Inode;
  onEvent: DiskEvent = () => undefined;
  readonly #options: DiskOptions;
  readonly #unsynced = new Set<Inode>();
  /** Names that changed and are not durable, in order; those of one call lie together. */
  #journal: Change[][] = [];
  #freed: bigint[] = [];
  #lastNumber = 1n;

  constructor(options: DiskOptions) {
    this.#options = options;
    this.top = this.#inode('directory', 0o755);
  }

  // ---- looking

  inodeAt(path: string): Inode | null {
    return this.#place(path).inode;
  }

  list(path: string): readonly string[] {
    // A listing follows a link, even where it is the last name.
    return [...this.#directory(`${path}/.`).entries.keys()].map((name) => this.#shown(name));
  }

  stat(inode: Inode): FileStat {
    const { kind, mtimeNs, ctimeNs, mode, links, number, data } = inode;
    return { kind, mtimeNs, ctimeNs, mode, links, inode: number, device: 1n, sizeBytes: data.length };
  }

  // ---- files

  create(path: string, mode = 0o644): Inode {
    const place = this.#place(path);
    if (place.inode !== null) throw diskFault('EEXIST', path);
    const inode = this.#inode('file', mode);
    this.#change(path, [[place, inode]]);
    return inode;
  }

  write(path: string, inode: Inode, data: Buffer): void {
    inode.data = data;
    inode.mtimeNs = this.#stamp();
    inode.ctimeNs = inode.mtimeNs;
    this.#unsynced.add(inode);
    this.#tell(path, 'written');
  }

  setTimes(path: string, mtimeNs: bigint): void {
    const inode = this.#file(path);
    inode.mtimeNs = mtimeNs;
    inode.ctimeNs = this.#stamp();
    this.#tell(path, 'written');
  }

  setMode(inode: Inode, mode: number): void {
    inode.mode = mode;
    inode.ctimeNs = this.#stamp();
  }

  // ---- names

  makeDirectory(path: string): void {
    const place = this.#place(path);
    if (place.inode !== null) throw diskFault('EEXIST', path);
    this.#change(path, [[place, this.#inode('directory', 0o755)]]);
  }

  removeDirectory(path: string): void {
    const place = this.#place(path);
    if (this.#directory(path).entries.size > 0) throw diskFault('ENOTEMPTY', path);
    this.#change(path, [[place, null]]);
  }

  symlink(target: string, path: string): void {
    const place = this.#place(path);
    if (place.inode !== null) throw diskFault('EEXIST', path);
    const inode = this.#inode('symlink', 0o777);
    inode.data = Buffer.from(target);
    this.#change(path, [[place, inode]]);
  }

  unlink(path: string): void {
    const place = this.#place(path);
    if (place.inode === null) throw diskFault('ENOENT', path);
    if (place.inode.kind === 'directory') throw diskFault('EISDIR', path);
    place.inode.ctimeNs = this.#stamp();
    this.#change(path, [[place, null]]);
  }

  link(from: string, to: string): void {
    const inode = this.#file(from);
    const place = this.#place(to);
    if (place.inode !== null) throw diskFault('EEXIST', to);
    inode.ctimeNs = this.#stamp();
    this.#change(to, [[place, inode]]);
  }

  rename(from: string, to: string): void {
    const source = this.#place(from);
    const target = this.#place(to);
    const moved = source.inode;
    if (moved === null) throw diskFault('ENOENT', from);
    const spelled = lastName(this.#form(to));
    if (moved === target.inode) {
      if (source.directory === target.directory && source.name === target.name && spelled !== source.name)
        this.#spell(to, source, spelled);
      return;
    }
    if (target.inode?.kind === 'directory') {
      if (moved.kind !== 'directory') throw diskFault('EISDIR', to);
      if (target.inode.entries.size > 0) throw diskFault('ENOTEMPTY', to);
    } else if (target.inode !== null && moved.kind === 'directory') throw diskFault('ENOTDIR', to);
    if (moved.kind === 'directory' && holds(moved, target.directory)) throw diskFault('EINVAL', to);
    moved.ctimeNs = this.#stamp();
    if (target.inode !== null) target.inode.ctimeNs = this.#stamp();
    const takesAlong = this.#options.names === 'decomposing' && spelled !== target.name;
    // In this order its links never come down to none, and its number stays its own.
    const steps: readonly (readonly [Place, Inode | null])[] = takesAlong
      ? [
          [target, null],
          [{ ...target, name: spelled, inode: null }, moved],
        ]
      : [[target, moved]];
    this.#change(to, [...steps, [source, null]]);
    this.#tell(from, 'renamed');
  }

  /** Another spelling of the name that it has. */
  #spell(path: string, source: Place, spelled: string): void {
    if (source.inode !== null) source.inode.ctimeNs = this.#stamp();
    this.#change(path, [
      [{ ...source, name: spelled, inode: null }, source.inode],
      [source, null],
    ]);
  }

  // ---- what lasts

  syncFile(inode: Inode): void {
    inode.durable = inode.data;
    this.#unsynced.delete(inode);
  }

  /** All names up to the last one that changed in this directory are durable, as a journal commits them: in order. */
  syncDirectory(path: string): void {
    const directory = this.#directory(path);
    const last = this.#journal.findLastIndex((group) =>
      group.some((change) => change.directory === directory),
    );
    this.#journal.splice(0, last + 1);
  }

  /** All names are durable, as after a person's own work and a moment. */
  syncNames(): void {
    this.#journal = [];
  }

  syncAll(): void {
    this.syncNames();
    for (const inode of this.#unsynced) this.syncFile(inode);
  }

  powerCut(random: SeededRandom): void {
    const kept = random.below(this.#journal.length + 1);
    for (const group of this.#journal.splice(kept).reverse()) {
      for (const { directory, name, before } of [...group].reverse()) this.#set(directory, name, before);
    }
    this.#journal = [];
    for (const inode of this.#unsynced) {
      const fate = random.below(3);
      if (fate === 0) inode.data = inode.durable ?? Buffer.alloc(0);
      else if (fate === 1) inode.data = inode.data.subarray(0, random.below(inode.data.length + 1));
      inode.durable = inode.data;
    }
    this.#unsynced.clear();
    this.#freed = [];
  }

  // ---- within

  #change(path: string, changes: readonly (readonly [Place, Inode | null])[]): void {
    this.#journal.push(changes.map(([{ directory, name, inode }]) => ({ directory, name, before: inode })));
    for (const [{ directory, name }, inode] of changes) this.#set(directory, name, inode);
    this.#tell(path, 'renamed');
  }

  #tell(path: string, kind: 'renamed' | 'written'): void {
    this.onEvent(this.#shown(parentPath(path)), this.#shown(lastName(path)), kind);
  }

  /** As it is kept. */
  #form(path: string): string {
    return this.#options.names === 'decomposing' ? path.normalize('NFC') : path;
  }

  #shown(path: string): string {
    return this.#options.names === 'decomposing' ? path.normalize('NFD') : path;
  }

  /** The spelling that a name has in a directory; its own where nothing has it. */
  #nameIn(directory: Inode, name: string): string {
    if (this.#options.names === 'bytes' || directory.entries.has(name)) return name;
    return [...directory.entries.keys()].find((other) => foldOf(other) === foldOf(name)) ?? name;
  }

  #set(directory: Inode, name: string, inode: Inode | null): void {
    const before = directory.entries.get(name);
    if (before !== undefined) {
      before.links -= 1;
      if (before.links === 0 && this.#options.reusesInodes) this.#freed.push(before.number);
    }
    if (inode === null) directory.entries.delete(name);
    else {
      inode.links += 1;
      directory.entries.set(name, inode);
    }
  }

  #inode(kind: Inode['kind'], mode: number): Inode {
    this.#lastNumber += 1n;
    const number = this.#freed.pop() ?? this.#lastNumber;
    const stamp = this.#stamp();
    const data = Buffer.alloc(0);
    return {
      number,
      kind,
      entries: new Map(),
      data,
      durable: null,
      mode,
      mtimeNs: stamp,
      ctimeNs: stamp,
      links: 0,
    };
  }

  #stamp(): bigint {
    const { nowMs, grainMs } = this.#options;
    return BigInt(Math.floor(Math.floor(nowMs() / grainMs) * grainMs * 1000)) * 1000n;
  }

  #file(path: string): Inode {
    const { inode } = this.#place(path);
    if (inode === null) throw diskFault('ENOENT', path);
    if (inode.kind !== 'file') throw diskFault(inode.kind === 'symlink' ? 'ELOOP' : 'EISDIR', path);
    return inode;
  }

  #directory(path: string): Inode {
    const { inode } = this.#place(path);
    if (inode === null) throw diskFault('ENOENT', path);
    if (inode.kind !== 'directory') throw diskFault('ENOTDIR', path);
    return inode;
  }

  /** The last name is never followed (unless `/.` stands after it), the ones before it are. */
  #place(path: string, followed = 0): Place {
    if (followed > linksFollowedMax) throw diskFault('ELOOP', path);
    const names = this.#form(path)
      .split('/')
      .filter((name) => name !== '' && name !== '.');
    const last = names.pop();
    if (last === undefined) return { directory: this.top, name: '', inode: this.top };
    let directory = this.top;
    for (const [index, name] of names.entries()) {
      const inode = directory.entries.get(this.#nameIn(directory, name));
      if (inode === undefined) throw diskFault('ENOENT', path);
      if (inode.kind === 'file') throw diskFault('ENOTDIR', path);
      if (inode.kind === 'symlink') {
        const rest = [...names.slice(index + 1), last].join('/');
        return this.#place(`${inode.data.toString()}/${rest}`, followed + 1);
      }
      directory = inode;
    }
    const name = this.#nameIn(directory, last);
    const inode = directory.entries.get(name) ?? null;
    if (inode?.kind === 'symlink' && path.endsWith('/.'))
      return this.#place(`${inode.data.toString()}/.`, followed + 1);
    return { directory, name, inode };
  }
}

export function diskFault(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** Two names with the same are one name for a disk that folds. */
export function foldOf(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function holds(directory: Inode, other: Inode): boolean {
  if (directory === other) return true;
  for (const child of directory.entries.values()) {
    if (child.kind === 'directory' && holds(child, other)) return true;
  }
  return false;
}
