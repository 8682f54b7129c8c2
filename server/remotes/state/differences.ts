// What the other server has other than the base, from lists, events, answers and reads. A path that is not
// here has there what the base says. No I/O.
import { ancestorsOf } from '../../core/paths/path.ts';
import type { RemoteBaseRow } from '../../store/port/store.ts';
import { numberOf } from '../client/answers.ts';
import type { RemoteFile } from '../client/remote-server.ts';

/** The state of a path on the other server. null as file: there is none. */
export interface Seen {
  readonly file: RemoteFile | null;
  /** The number of its revision, that of the deletion included; null: not known. Older news are ignored. */
  readonly number: number | null;
}

export class Differences {
  readonly #seen = new Map<string, Seen>();
  /** Files here below each directory. */
  readonly #filesBelow = new Map<string, number>();
  #gone = 0;

  get size(): number {
    return this.#seen.size;
  }

  /** Paths that are gone there. */
  get gone(): number {
    return this.#gone;
  }

  paths(): IterableIterator<string> {
    return this.#seen.keys();
  }

  *gonePaths(): IterableIterator<string> {
    for (const [path, { file }] of this.#seen) if (file === null) yield path;
  }

  /** The file there; null: none. */
  fileAt(path: string, base: RemoteBaseRow | null): RemoteFile | null {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen.file;
    if (base === null) return null;
    return { path, revision: base.remoteRevision, hash: base.hash, metadata: 'unknown' };
  }

  has(path: string): boolean {
    return this.#seen.has(path);
  }

  /** Does it name files below a directory? Files of the base are not counted. */
  holdsBelow(directory: string): boolean {
    return (this.#filesBelow.get(directory) ?? 0) > 0;
  }

  isGone(path: string): boolean {
    return this.#seen.get(path)?.file === null;
  }

  /** What the server says now. `revision`: of the file, or of its deletion; empty: not known. */
  set(path: string, file: RemoteFile | null, revision: string): void {
    this.forget(path);
    this.#seen.set(path, { file, number: numberOf(revision, 'rev_') });
    if (file === null) this.#gone += 1;
    else this.#count(path, 1);
  }

  /** true: a state at least as new is known already, from here or from the base. */
  knows(path: string, revision: string, base: RemoteBaseRow | null): boolean {
    const number = numberOf(revision, 'rev_');
    if (number === null) return false;
    const seen = this.#seen.get(path);
    const known = seen === undefined ? numberOf(base?.remoteRevision ?? '', 'rev_') : seen.number;
    return known !== null && number <= known;
  }

  /** The server has accepted a change, whose revision this is (empty: not known): only something newer is still a difference. */
  settle(path: string, revision: string): void {
    const seen = this.#seen.get(path);
    if (seen === undefined) return;
    const number = numberOf(revision, 'rev_');
    const isNewer = number === null || seen.number === null ? seen.file !== null : seen.number > number;
    if (!isNewer) this.forget(path);
  }

  /** Both sides agree on the path, so the base says it. */
  forget(path: string): void {
    const seen = this.#seen.get(path);
    if (seen === undefined) return;
    this.#seen.delete(path);
    if (seen.file === null) this.#gone -= 1;
    else this.#count(path, -1);
  }

  clear(): void {
    this.#seen.clear();
    this.#filesBelow.clear();
    this.#gone = 0;
  }

  #count(path: string, by: 1 | -1): void {
    for (const ancestor of ancestorsOf(path)) {
      const files = (this.#filesBelow.get(ancestor) ?? 0) + by;
      if (files === 0) this.#filesBelow.delete(ancestor);
      else this.#filesBelow.set(ancestor, files);
    }
  }
}
