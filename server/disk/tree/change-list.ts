// Changes that a scan found, in order. The first scan of a folder finds every file: a list of objects would need a kilobyte for each,
// so they are packed while the list grows. Pure.
import type { FolderChange, FolderChanges, FolderFile, PackedFiles } from '../port/folder.ts';
import { folderFile } from './local-tree.ts';
import { packFiles, unpackFiles } from './packed-files.ts';

/** So many changes at the end of the list are objects; these are few in a usual scan, and never packed. */
const openChangesMax = 2048;

/** Successive changes: the files among them in columns, and the others with their places. */
export interface PackedChanges {
  readonly files: PackedFiles;
  readonly others: readonly { readonly place: number; readonly change: FolderChange }[];
}

export class ChangeList implements FolderChanges {
  readonly #packed: PackedChanges[];
  #open: FolderChange[];
  #length = 0;

  constructor(packed: readonly PackedChanges[] = [], open: readonly FolderChange[] = []) {
    this.#packed = [...packed];
    this.#open = [...open];
    for (const { files, others } of packed) this.#length += files.sizeBytes.length + others.length;
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
  const others: PackedChanges['others'][number][] = [];
  for (const [place, change] of changes.entries()) {
    const { path, entry } = change;
    if (entry?.kind === 'file') files.push({ path, ...entry });
    else others.push({ place, change });
  }
  return { files: packFiles(files), others };
}

function* unpack({ files, others }: PackedChanges): IterableIterator<FolderChange> {
  let place = 0;
  let next = 0;
  for (const [path, node] of unpackFiles(files)) {
    for (; others[next]?.place === place; next += 1, place += 1) yield (others[next] as Other).change;
    yield { path, entry: folderFile(node) };
    place += 1;
  }
  for (; next < others.length; next += 1) yield (others[next] as Other).change;
}

type Other = PackedChanges['others'][number];
