// Changes that a scan found, in order. The first scan of a folder finds every file: a list of objects would need a kilobyte for each,
// so they are packed while the list grows. Pure.
import type { FolderChange, FolderChanges, FolderFile, PackedFiles } from '../port/folder.ts';
import { folderFile } from './local-tree.ts';
import { type FileNode, packFiles, unpackFiles } from './packed-files.ts';

/** So many changes at the end of the list are objects; these are few in a usual scan, and never packed. */
const openChangesMax = 2048;

/** Successive changes: the files among them in columns; the paths that are gone, each with a NUL after it, and the others with their places. */
export interface PackedChanges {
  readonly files: PackedFiles;
  readonly gone: { readonly paths: string; readonly places: Uint16Array };
  readonly others: readonly { readonly place: number; readonly change: FolderChange }[];
}

export class ChangeList implements FolderChanges {
  readonly #packed: PackedChanges[];
  #open: FolderChange[];
  #length = 0;

  constructor(packed: readonly PackedChanges[] = [], open: readonly FolderChange[] = []) {
    this.#packed = [...packed];
    this.#open = [...open];
    for (const { files, gone, others } of packed)
      this.#length += files.sizeBytes.length + gone.places.length + others.length;
    this.#length += open.length;
  }

  get length(): number {
    return this.#length;
  }

  add(change: FolderChange): void {
    this.#open.push(change);
    this.#length += 1;
    if (this.#open.length < openChangesMax) return;
    this.#packed.push(pack(this.#open));
    this.#open = [];
  }

  addAll(changes: Iterable<FolderChange>): void {
    for (const change of changes) this.add(change);
  }

  *[Symbol.iterator](): IterableIterator<FolderChange> {
    for (const packed of this.#packed) yield* unpack(packed);
    yield* this.#open;
  }

  /** What crosses to another thread, where a list is made of it again. */
  get parts(): { readonly packed: readonly PackedChanges[]; readonly open: readonly FolderChange[] } {
    return { packed: this.#packed, open: this.#open };
  }
}

function pack(changes: readonly FolderChange[]): PackedChanges {
  const files: ({ readonly path: string } & FolderFile)[] = [];
  const places: number[] = [];
  const others: PackedChanges['others'][number][] = [];
  for (const [place, change] of changes.entries()) {
    const { path, entry } = change;
    if (entry === null) places.push(place);
    else if (entry.kind === 'file') files.push({ path, ...entry });
    else others.push({ place, change });
  }
  const paths = places.map((place) => `${changes[place]?.path}\0`).join('');
  return { files: packFiles(files), gone: { paths, places: Uint16Array.from(places) }, others };
}

function* unpack({ files, gone, others }: PackedChanges): IterableIterator<FolderChange> {
  const present = unpackFiles(files);
  const length = files.sizeBytes.length + gone.places.length + others.length;
  let nextGone = 0;
  let goneStart = 0;
  let nextOther = 0;
  for (let place = 0; place < length; place += 1) {
    if (gone.places[nextGone] === place) {
      const end = gone.paths.indexOf('\0', goneStart);
      yield { path: gone.paths.slice(goneStart, end), entry: null };
      nextGone += 1;
      goneStart = end + 1;
    } else if (others[nextOther]?.place === place) {
      yield (others[nextOther] as PackedChanges['others'][number]).change;
      nextOther += 1;
    } else {
      const [path, node] = present.next().value as readonly [string, FileNode];
      yield { path, entry: folderFile(node) };
    }
  }
}
