// Numbers paths: each has a row, for columns of what is known of it (core/sync/file-columns.ts). A path is its directory, stored once
// for all in it, and the bytes of its name: 40 bytes a path instead of 200 as a key of a Map. Pure.
import { joinPath, ownText } from './path.ts';
import { grown, mixed, noRow, RowSlots } from './row-slots.ts';

const rowsMin = 64;
const nameBytesMin = 1024;
const growth = 1.5;
/** Set in the length of a name that has characters beyond Latin-1: two bytes each. */
const wide = 0x8000;
/** In UTF-16 units. No disk and no workspace has names of more than 255. */
const nameLengthMax = 0x7fff;
const noDirectory = 0xffff_ffff;
/** Unused bytes of names, as a share of all, at which they are moved together instead of growing. */
const unusedShareMax = 0.25;

interface Directory {
  readonly path: string;
  readonly id: number;
  first: number;
  last: number;
  count: number;
}

/** A row keeps its number until its path is removed; the number is given again then. The root has no row. */
export class PathRows {
  readonly #directories = new Map<string, Directory>();
  readonly #directoryAt: (Directory | null)[] = [];
  readonly #freeDirectories: number[] = [];
  #directoryOf = new Uint32Array(rowsMin);
  #nameAt = new Uint32Array(rowsMin);
  #nameLength = new Uint16Array(rowsMin);
  /** The rows of a directory in the order in which they came. Of removed rows: the next one to give again. */
  #next = new Int32Array(rowsMin);
  #previous = new Int32Array(rowsMin);
  #rows = 0;
  #size = 0;
  #free = noRow;
  #names = new Uint8Array(nameBytesMin);
  #namesEnd = 0;
  #unusedBytes = 0;
  readonly #slots = new RowSlots((row) => this.#hashOf(row));

  get size(): number {
    return this.#size;
  }

  /** `noRow`: the path has none. */
  find(path: string): number {
    const cut = path.lastIndexOf('/');
    const directory = this.#directories.get(cut <= 0 ? '/' : path.slice(0, cut));
    return directory === undefined ? noRow : this.#search(directory.id, path, cut + 1);
  }

  /** The row of the path, a new one if it has none. */
  add(path: string): number {
    const cut = path.lastIndexOf('/');
    const directory = this.#directory(cut <= 0 ? '/' : path.slice(0, cut));
    const existing = this.#search(directory.id, path, cut + 1);
    if (existing !== noRow) return existing;
    const row = this.#newRow();
    this.#directoryOf[row] = directory.id;
    this.#writeName(row, path, cut + 1);
    this.#slots.add(row);
    this.#append(directory, row);
    this.#size += 1;
    return row;
  }

  remove(row: number): void {
    const directory = this.#directoryOfRow(row);
    this.#slots.remove(row);
    this.#unlink(directory, row);
    this.#unusedBytes += this.#nameBytes(row);
    this.#directoryOf[row] = noDirectory;
    this.#next[row] = this.#free;
    this.#free = row;
    this.#size -= 1;
    if (directory.count > 0) return;
    this.#directories.delete(directory.path);
    this.#directoryAt[directory.id] = null;
    this.#freeDirectories.push(directory.id);
  }

  pathOf(row: number): string {
    return joinPath(this.#directoryOfRow(row).path, this.nameOf(row));
  }

  nameOf(row: number): string {
    const length = (this.#nameLength[row] as number) & nameLengthMax;
    const start = this.#nameAt[row] as number;
    if (((this.#nameLength[row] as number) & wide) === 0)
      return textOf(this.#names.subarray(start, start + length));
    const units: number[] = [];
    for (let unit = 0; unit < length; unit += 1) units.push(this.#unit(start, unit, true));
    return textOf(units);
  }

  /** How many rows are directly in a directory. */
  countIn(directory: string): number {
    return this.#directories.get(directory)?.count ?? 0;
  }

  /** How many of the names have a row in a directory: cheaper than to list the names that do. */
  countNames(directory: string, names: Iterable<string>): number {
    const id = this.#directories.get(directory)?.id;
    if (id === undefined) return 0;
    let count = 0;
    for (const name of names) if (this.#search(id, name, 0) !== noRow) count += 1;
    return count;
  }

  /** Rows directly in a directory, in the order in which they came; nothing may be added or removed meanwhile. */
  *rowsIn(directory: string): IterableIterator<number> {
    let row = this.#directories.get(directory)?.first ?? noRow;
    while (row !== noRow) {
      yield row;
      row = this.#next[row] as number;
    }
  }

  /** All rows, in no order to rely on; nothing may be added meanwhile. */
  *rows(): IterableIterator<number> {
    for (let row = 0; row < this.#rows; row += 1) if (this.#directoryOf[row] !== noDirectory) yield row;
  }

  #search(directory: number, path: string, from: number): number {
    const slots = this.#slots;
    for (let slot = slots.first(hashName(directory, path, from)); ; slot = slots.next(slot)) {
      const row = slots.rowAt(slot);
      if (row === noRow || this.#isAt(row, directory, path, from)) return row;
    }
  }

  #isAt(row: number, directory: number, path: string, from: number): boolean {
    if (this.#directoryOf[row] !== directory) return false;
    const stored = this.#nameLength[row] as number;
    const length = stored & nameLengthMax;
    if (length !== path.length - from) return false;
    const start = this.#nameAt[row] as number;
    const isWide = (stored & wide) !== 0;
    for (let unit = 0; unit < length; unit += 1)
      if (this.#unit(start, unit, isWide) !== path.charCodeAt(from + unit)) return false;
    return true;
  }

  #hashOf(row: number): number {
    const stored = this.#nameLength[row] as number;
    const start = this.#nameAt[row] as number;
    let hash = hashStart(this.#directoryOf[row] as number);
    for (let unit = 0; unit < (stored & nameLengthMax); unit += 1)
      hash = hashStep(hash, this.#unit(start, unit, (stored & wide) !== 0));
    return mixed(hash);
  }

  #unit(start: number, unit: number, isWide: boolean): number {
    if (!isWide) return this.#names[start + unit] as number;
    const at = start + 2 * unit;
    return (this.#names[at] as number) | ((this.#names[at + 1] as number) << 8);
  }

  #nameBytes(row: number): number {
    const stored = this.#nameLength[row] as number;
    return (stored & nameLengthMax) * ((stored & wide) === 0 ? 1 : 2);
  }

  #writeName(row: number, path: string, from: number): void {
    const length = path.length - from;
    if (length > nameLengthMax) throw new Error(`a name has ${length} characters`);
    let isWide = false;
    for (let at = from; at < path.length; at += 1) isWide ||= path.charCodeAt(at) > 0xff;
    // Of a row whose name is not written yet nothing is moved.
    this.#nameLength[row] = 0;
    this.#makeRoom(length * (isWide ? 2 : 1));
    this.#nameAt[row] = this.#namesEnd;
    this.#nameLength[row] = length | (isWide ? wide : 0);
    for (let at = from; at < path.length; at += 1) {
      const unit = path.charCodeAt(at);
      this.#names[this.#namesEnd] = unit & 0xff;
      if (isWide) this.#names[this.#namesEnd + 1] = unit >>> 8;
      this.#namesEnd += isWide ? 2 : 1;
    }
  }

  #makeRoom(bytes: number): void {
    if (this.#namesEnd + bytes <= this.#names.length) return;
    const old = this.#names;
    const isWasteful = this.#unusedBytes > this.#namesEnd * unusedShareMax;
    const needed = this.#namesEnd - (isWasteful ? this.#unusedBytes : 0) + bytes;
    this.#names = new Uint8Array(Math.ceil(needed * growth));
    if (!isWasteful) {
      this.#names.set(old);
      return;
    }
    let end = 0;
    for (const row of this.rows()) {
      const start = this.#nameAt[row] as number;
      const length = this.#nameBytes(row);
      this.#names.set(old.subarray(start, start + length), end);
      this.#nameAt[row] = end;
      end += length;
    }
    this.#namesEnd = end;
    this.#unusedBytes = 0;
  }

  /** A row that was removed is used again only instead of growing, so rows mostly stay in the order in which they came. */
  #newRow(): number {
    if (this.#rows === this.#nameAt.length) {
      const reused = this.#free;
      if (reused !== noRow) {
        this.#free = this.#next[reused] as number;
        return reused;
      }
      this.#growRows();
    }
    this.#rows += 1;
    return this.#rows - 1;
  }

  #growRows(): void {
    const capacity = Math.ceil(this.#rows * growth);
    this.#directoryOf = grown(this.#directoryOf, new Uint32Array(capacity));
    this.#nameAt = grown(this.#nameAt, new Uint32Array(capacity));
    this.#nameLength = grown(this.#nameLength, new Uint16Array(capacity));
    this.#next = grown(this.#next, new Int32Array(capacity));
    this.#previous = grown(this.#previous, new Int32Array(capacity));
  }

  #directory(path: string): Directory {
    const existing = this.#directories.get(path);
    if (existing !== undefined) return existing;
    const id = this.#freeDirectories.pop() ?? this.#directoryAt.length;
    const made = { path: ownText(path), id, first: noRow, last: noRow, count: 0 };
    this.#directories.set(made.path, made);
    this.#directoryAt[id] = made;
    return made;
  }

  #directoryOfRow(row: number): Directory {
    const directory = this.#directoryAt[this.#directoryOf[row] as number];
    if (directory === null || directory === undefined) throw new Error(`row ${row} has no path`);
    return directory;
  }

  #append(directory: Directory, row: number): void {
    this.#previous[row] = directory.last;
    this.#next[row] = noRow;
    if (directory.last === noRow) directory.first = row;
    else this.#next[directory.last] = row;
    directory.last = row;
    directory.count += 1;
  }

  #unlink(directory: Directory, row: number): void {
    const previous = this.#previous[row] as number;
    const next = this.#next[row] as number;
    if (previous === noRow) directory.first = next;
    else this.#next[previous] = next;
    if (next === noRow) directory.last = previous;
    else this.#previous[next] = previous;
    directory.count -= 1;
  }
}

function hashName(directory: number, path: string, from: number): number {
  let hash = hashStart(directory);
  for (let at = from; at < path.length; at += 1) hash = hashStep(hash, path.charCodeAt(at));
  return mixed(hash);
}

function hashStart(directory: number): number {
  return Math.imul(directory + 1, 0x9e3779b1);
}

/** FNV-1a, for UTF-16 units. */
function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function textOf(units: Uint8Array | readonly number[]): string {
  return String.fromCharCode.apply(null, units as number[]);
}
