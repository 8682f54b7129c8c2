// Whether every directory that is known has a watch, so that hints are complete (docs/sync-rules.md#25). chokidar sets the watches of
// the start. A directory that a scan finds new, or in the place of another one, gets a watch here before it is listed: chokidar sets
// its own some time later, and may keep that of a directory which was moved away. Memory only.

/** More names of renames, or more watches, than these are not remembered: then nothing is known until the watches are set anew. */
const directoriesMax = 50_000;

/** Watches of single directories, each of whatever is at the path when it is set. */
export interface DirectoryWatches {
  /** Replaces the one of the same path. */
  set(directory: string): void;
  keepOnly(exists: (directory: string) => boolean): void;
  readonly size: number;
  close(): void;
}

export class WatchCoverage {
  /** null: there is no watcher, or no known order of its events. */
  #watches: DirectoryWatches | null = null;
  /** Names of renames since the last scan: a directory at one of them may be another one than was known. */
  #replaced = new Set<string>();
  #isLost = false;
  #areAllSet = false;
  #isScanned = false;

  /** The watches of the start are set from here on. */
  begin(watches: DirectoryWatches): void {
    this.end();
    this.#watches = watches;
  }

  /** All watches of the start are set. No event reports a change made in a directory before its watch: a full scan finds it. */
  allSet(): void {
    this.#areAllSet = true;
  }

  /** Call what it returns when the scan has seen the whole folder. */
  fullScanBegins(): () => void {
    const watches = this.#areAllSet ? this.#watches : null;
    return () => {
      if (watches !== null && watches === this.#watches) this.#isScanned = true;
    };
  }

  /** There is no watcher. */
  end(): void {
    this.#watches?.close();
    this.#watches = null;
    this.#isLost = false;
    this.#areAllSet = false;
    this.#isScanned = false;
    this.#replaced.clear();
  }

  /** No event was lost since the watches were begun. */
  get isIntact(): boolean {
    return this.#watches !== null && !this.#isLost;
  }

  /** Every change since the last full scan leads to a hint. */
  get isComplete(): boolean {
    return this.isIntact && this.#isScanned;
  }

  /** Events were lost, or may have been: a directory may have been replaced without a word. */
  lost(): void {
    this.#isLost = true;
    this.#replaced.clear();
    this.#watches?.close();
  }

  /** An entry of this name appeared or disappeared. */
  renamed(path: string): void {
    if (!this.isIntact) return;
    this.#replaced.add(path);
    if (this.#replaced.size > directoriesMax) this.lost();
  }

  /** Since the last call. */
  takeReplaced(): ReadonlySet<string> {
    const replaced = this.#replaced;
    this.#replaced = new Set();
    return replaced;
  }

  /** A scan met a directory that is new, or that may have replaced another one, and lists it next. */
  found(directory: string): void {
    if (!this.isIntact || this.#watches === null) return;
    this.#watches.set(directory);
    if (this.#watches.size > directoriesMax) this.lost();
  }

  /** Directories that are gone need no watch. */
  keepOnly(exists: (directory: string) => boolean): void {
    this.#watches?.keepOnly(exists);
  }
}
