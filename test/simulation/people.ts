// Who works on the two sides: a person with programs at the folder, whose every system call may fall between any two of the
// mirror's, and an agent at the workspace. They see only their own side, as people do.
import type { FileChange, Precondition } from '../../server/core/change/change.ts';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import { inlineBlob } from '../../server/store/contents/inline-content.ts';
import type { SeededRandom } from '../support/trees.ts';
import type { DiskNames, Inode, SimDisk } from './disk.ts';
import type { View } from './ledger.ts';

/** Two spellings of one name for the eye, and of one name for another disk: four files on a disk whose names are bytes. */
const names = ['a', 'b', 'c.txt', 'A', '\u00e9', 'e\u0301', 'd', 'f'];
const directories = ['', '/d', '/d/e', '/f'];
/** Where `d` and `D` are one directory. */
const directoriesFolded = ['', '/d', '/D/e', '/f'];

/** Out of which people make paths. */
export interface PathParts {
  readonly directories: readonly string[];
  readonly names: readonly string[];
}

export function pathPartsOn(disk: DiskNames): PathParts {
  if (disk === 'bytes') return { directories, names };
  if (disk === 'folding') return { directories: directoriesFolded, names };
  // Nobody there can see a name with its accents apart, so nobody asks for it.
  return { directories: directoriesFolded, names: names.map((name) => name.normalize('NFC')) };
}
const equalOneIn = 25;
const emptyOneIn = 40;
const longOneIn = 6;

/** Contents that tell where they came from; mostly of one length, so that size tells nothing. */
export class Contents {
  readonly #random: SeededRandom;
  readonly #know: (content: string) => void;
  readonly #made: string[] = [];

  constructor(random: SeededRandom, know: (content: string) => void) {
    this.#random = random;
    this.#know = know;
  }

  next(author: string): string {
    const { below, pick } = this.#random;
    if (below(emptyOneIn) === 0) return '';
    if (this.#made.length > 0 && below(equalOneIn) === 0) return pick(this.#made);
    const content = `${author} ${String(this.#made.length).padStart(5, '0')}${below(longOneIn) === 0 ? '+'.repeat(below(40)) : ''}`;
    this.#made.push(content);
    this.#know(content);
    return content;
  }
}

/** One system call for each step. */
export type Steps = Generator<undefined, void>;

export class FolderPerson {
  readonly #disk: SimDisk;
  readonly #random: SeededRandom;
  readonly #contents: Contents;
  readonly #know: (content: string) => void;
  readonly #root: string;
  readonly #parts: PathParts;
  readonly #truncates: boolean;
  #temps = 0;

  constructor(
    disk: SimDisk,
    root: string,
    random: SeededRandom,
    contents: Contents,
    know: (content: string) => void,
    parts: PathParts,
    truncates: boolean,
  ) {
    this.#parts = parts;
    this.#truncates = truncates;
    this.#disk = disk;
    this.#root = root;
    this.#random = random;
    this.#contents = contents;
    this.#know = know;
  }

  /** Something that a person or a program does, on what stands there now. `near`: where something is going on. */
  act(files: View, near: string | null): { readonly what: string; readonly steps: Steps } {
    const { pick, below } = this.#random;
    const path = near ?? (files.size > 0 && below(3) > 0 ? pick([...files.keys()]) : this.#anyPath());
    const other = below(2) === 0 && files.size > 0 ? pick([...files.keys()]) : this.#anyPath();
    const truncations = this.#truncates ? this.#truncations(path, [...files.keys()]) : [];
    const [what, steps] = pick([...this.#repertoire(path, other), ...truncations]);
    return { what: `${what} ${path}`, steps: steps() };
  }

  #repertoire(path: string, other: string): readonly (readonly [string, () => Steps])[] {
    return [
      ['writes', () => this.#write(path)],
      ['saves in place', () => this.#write(path)],
      ['saves through a hidden file', () => this.#save(path, '.swp')],
      ['saves through a visible file', () => this.#save(path, '.tmp')],
      ['saves as vim does', () => this.#saveWithBackup(path, `${path}~`)],
      ['saves as JetBrains does', () => this.#saveWithBackup(path, `${path}___jb_old___`)],
      ['edits twice in a row', () => this.#editTwice(path)],
      ['deletes', () => this.#delete(path)],
      ['deletes', () => this.#delete(path)],
      ['renames', () => this.#rename(path, other)],
      ['renames', () => this.#rename(path, other)],
      ['swaps with another', () => this.#swap(path, other)],
      ['moves the directory of', () => this.#moveDirectory(path, other)],
      ['deletes the directory of', () => this.#delete(directoryOf(path) || path)],
      ['makes a directory of', () => this.#fileToDirectory(path)],
      ['makes a file of the directory of', () => this.#directoryToFile(directoryOf(path) || path)],
      ['makes a link of', () => this.#toLink(path)],
      ['touches', () => this.#touch(path)],
      ['opens and closes with a lock file', () => this.#lockFile(path)],
      ['copies', () => this.#copy(path, other)],
    ];
  }

  #truncations(path: string, all: readonly string[]): readonly (readonly [string, () => Steps])[] {
    return [
      ['truncates', () => this.#truncate([path])],
      ['truncates', () => this.#truncate([path])],
      ['truncates everything, also', () => this.#truncate([...all, path])],
      ['truncates everything, also', () => this.#truncate([...all, path])],
    ];
  }

  *#truncate(paths: readonly string[]): Steps {
    for (const path of paths) {
      const inode = this.#disk.inodeAt(this.#at(path));
      if (inode?.kind !== 'file') continue;
      this.#put(this.#at(path), inode, '');
      yield;
    }
  }

  /** A new file wherever; never fails for lack of a directory. */
  *#write(path: string): Steps {
    yield* this.#directories(path);
    const content = this.#contents.next('folder');
    const inode = this.#disk.inodeAt(this.#at(path)) ?? this.#disk.create(this.#at(path));
    if (inode.kind !== 'file') return;
    yield;
    // In one go, or as slow programs do: cut, a beginning, the rest.
    const ways = this.#random.below(3);
    if (ways > 0) {
      this.#put(this.#at(path), inode, '');
      yield;
    }
    if (ways > 1) {
      const part = content.slice(0, content.length >> 1);
      this.#know(part);
      this.#put(this.#at(path), inode, part);
      yield;
    }
    this.#put(this.#at(path), inode, content);
  }

  /** Neither size nor inode tells the two apart, and on a coarse disk no time either. */
  *#editTwice(path: string): Steps {
    yield* this.#directories(path);
    const inode = this.#disk.inodeAt(this.#at(path)) ?? this.#disk.create(this.#at(path));
    if (inode.kind !== 'file') return;
    for (let times = 0; times < 2; times += 1) {
      this.#put(this.#at(path), inode, this.#contents.next('edited'));
      yield;
      // A program that writes to a file that is gone by now writes to nothing.
      if (this.#disk.inodeAt(this.#at(path)) !== inode) return;
    }
  }

  *#save(path: string, ending: string): Steps {
    yield* this.#directories(path);
    this.#temps += 1;
    const temp = `${this.#at(directoryOf(path))}/.save${this.#temps}${ending}`;
    const inode = this.#disk.create(temp);
    yield;
    this.#put(temp, inode, this.#contents.next('saved'));
    yield;
    this.#disk.rename(temp, this.#at(path));
  }

  *#saveWithBackup(path: string, backup: string): Steps {
    if (this.#disk.inodeAt(this.#at(path)) !== null) {
      this.#disk.rename(this.#at(path), this.#at(backup));
      yield;
    }
    yield* this.#write(path);
    yield;
    if (this.#disk.inodeAt(this.#at(backup)) !== null) this.#disk.unlink(this.#at(backup));
  }

  *#delete(path: string): Steps {
    const inode = this.#disk.inodeAt(this.#at(path));
    if (inode?.kind !== 'directory') {
      this.#disk.unlink(this.#at(path));
      return;
    }
    for (const name of this.#disk.list(this.#at(path))) {
      yield* this.#delete(`${path}/${name}`);
      yield;
    }
    this.#disk.removeDirectory(this.#at(path));
  }

  *#rename(from: string, to: string): Steps {
    yield* this.#directories(to);
    this.#disk.rename(this.#at(from), this.#at(to));
  }

  *#swap(one: string, other: string): Steps {
    this.#temps += 1;
    const aside = `${this.#at(directoryOf(one))}/.swap${this.#temps}${this.#random.below(2) === 0 ? '.swp' : ''}`;
    this.#disk.rename(this.#at(one), aside);
    yield;
    this.#disk.rename(this.#at(other), this.#at(one));
    yield;
    this.#disk.rename(aside, this.#at(other));
  }

  *#moveDirectory(path: string, other: string): Steps {
    const from = directoryOf(path);
    if (from !== '') yield* this.#rename(from, other);
  }

  *#fileToDirectory(path: string): Steps {
    yield* this.#delete(path);
    yield;
    yield* this.#write(`${path}/${this.#random.pick(this.#parts.names)}`);
  }

  *#directoryToFile(path: string): Steps {
    yield* this.#delete(path);
    yield;
    yield* this.#write(path);
  }

  *#toLink(path: string): Steps {
    yield* this.#delete(path);
    yield;
    this.#disk.symlink(this.#random.pick(['/outside', '/outside/file', '/nowhere']), this.#at(path));
  }

  // biome-ignore lint/correctness/useYield: it is one call.
  *#touch(path: string): Steps {
    // Also long ago and far ahead: what a program can set proves nothing.
    this.#disk.setTimes(this.#at(path), BigInt(this.#random.below(2 ** 31)) * 1_500_000_000n);
  }

  *#lockFile(path: string): Steps {
    const lock = `${this.#at(directoryOf(path))}/.~lock.${path.slice(path.lastIndexOf('/') + 1)}#`;
    this.#disk.create(lock);
    yield;
    this.#disk.unlink(lock);
  }

  *#copy(from: string, to: string): Steps {
    const source = this.#disk.inodeAt(this.#at(from));
    if (source?.kind !== 'file' || this.#disk.inodeAt(this.#at(to)) !== null) return;
    yield* this.#directories(to);
    const inode = this.#disk.create(this.#at(to));
    yield;
    this.#put(this.#at(to), inode, source.data.toString('latin1'));
  }

  /** A power cut never takes back what a person did: then nobody could say what is right. */
  #put(path: string, inode: Inode, content: string): void {
    this.#disk.write(path, inode, Buffer.from(content, 'latin1'));
    this.#disk.syncFile(inode);
  }

  *#directories(path: string): Steps {
    const parts = directoryOf(path).split('/').slice(1);
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const directory = this.#at(`/${parts.slice(0, depth).join('/')}`);
      if (this.#disk.inodeAt(directory) !== null) continue;
      this.#disk.makeDirectory(directory);
      yield;
    }
  }

  #anyPath(): string {
    return anyPath(this.#random, this.#parts);
  }

  #at(path: string): string {
    return this.#root + path;
  }
}

/** Changes of one command; the workspace may refuse them. */
export function workspaceAct(
  files: View,
  random: SeededRandom,
  contents: Contents,
  parts: PathParts,
): { readonly what: string; readonly changes: readonly FileChange[] } {
  const { pick, below } = random;
  const known = [...files.keys()];
  const path = known.length > 0 && below(3) > 0 ? pick(known) : anyPath(random, parts);
  const other = below(3) === 0 && known.length > 0 ? pick(known) : anyPath(random, parts);
  const content = files.get(path);
  const asSeen: Precondition =
    content === undefined ? { kind: 'absent' } : { kind: 'content', hash: hashOf(content) };
  const precondition: Precondition = below(2) === 0 ? { kind: 'any' } : asSeen;
  const write = (at: string, how: Precondition = { kind: 'any' }): FileChange => {
    const bytes = Buffer.from(contents.next('agent'), 'latin1');
    return {
      kind: 'write_file',
      path: at,
      precondition: how,
      content: inlineBlob(sha256Hex(bytes), bytes),
      defaultContentType: 'text/plain',
      encoding: 'utf-8',
    };
  };
  const remove = (at: string): FileChange => ({
    kind: 'delete_file',
    path: at,
    precondition: { kind: 'any' },
  });
  const below_ = (at: string) => known.filter((file) => file.startsWith(`${at}/`));
  const directory = directoryOf(path);
  return pick<{ what: string; changes: readonly FileChange[] }>([
    { what: `writes ${path}`, changes: [write(path, precondition)] },
    { what: `writes ${path}`, changes: [write(path, precondition)] },
    { what: `writes ${other}`, changes: [write(other)] },
    { what: `deletes ${path}`, changes: [{ kind: 'delete_file', path, precondition }] },
    { what: `deletes ${directory}/`, changes: below_(directory || '/none').map(remove) },
    {
      what: `moves ${path} to ${other}`,
      changes: [{ kind: 'move_file', from: path, to: other, precondition: { kind: 'any' } }],
    },
    { what: `makes a directory of ${path}`, changes: [remove(path), write(`${path}/${pick(parts.names)}`)] },
    {
      what: `makes a file of ${directory}/`,
      changes: directory === '' ? [] : [...below_(directory).map(remove), write(directory)],
    },
  ]);
}

function anyPath({ pick }: SeededRandom, parts: PathParts): string {
  return `${pick(parts.directories)}/${pick(parts.names)}`;
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function hashOf(content: string): string {
  return sha256Hex(Buffer.from(content, 'latin1'));
}
