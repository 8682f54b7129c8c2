// Change hints from Linux: one watch for each directory, set here. chokidar keeps five kilobytes of objects for each directory, and needs
// half a gigabyte while it sets the watches of 18,000; this keeps one. A lost hint delays a change and loses none. It runs in the disk's thread.
import { type FSWatcher, lstatSync, readdirSync, type Stats, watch } from 'node:fs';
import { joinPath } from '../../core/paths/path.ts';
import { tempPrefix } from '../names/ignore.ts';
import { errorCode } from '../port/file-system.ts';
import type { DirectoryWatches } from './watch-coverage.ts';
import { isBudgetSpent, type WatchEvents, type Watcher } from './watcher.ts';

/** The thread is given back after so long. */
const sliceMs = 10;
/** Renamed entries are looked at together: an atomic save is two or three events. */
const gatherMs = 5;
/** It is gone, which its parent's watch reports. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
/** Or not for this process, which a scan reports. */
const refusedCodes: ReadonlySet<string> = new Set([...goneCodes, 'EACCES', 'EPERM']);

export class InotifyWatcher implements Watcher, DirectoryWatches {
  readonly #root: string;
  readonly #isIgnored: (wirePath: string) => boolean;
  readonly #events: WatchEvents;
  /** By wire path. */
  readonly #watches = new Map<string, FSWatcher>();
  /** Those that a scan has found since the start. */
  readonly #found = new Set<string>();
  readonly #failed = (error: unknown) => this.#trouble(error);
  readonly #watchWith: typeof watch;
  #device = 0;
  /** Entries that appeared or disappeared, which may be directories. */
  #renamed = new Set<string>();
  #gathering: NodeJS.Timeout | null = null;
  #isStopped = false;

  /** `watchWith`: another than the system's, in tests. */
  constructor(
    root: string,
    isIgnored: (wirePath: string) => boolean,
    events: WatchEvents,
    watchWith: typeof watch = watch,
  ) {
    this.#watchWith = watchWith;
    this.#root = root;
    this.#isIgnored = isIgnored;
    this.#events = events;
  }

  /** Resolves when every directory is watched, or watching was given up (false). */
  async start(): Promise<boolean> {
    this.#device = this.#lstat('/')?.dev ?? 0;
    await this.#watchTree('/');
    return !this.#isStopped;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  get size(): number {
    return this.#found.size;
  }

  /** Of a directory that a scan lists next. */
  set(directory: string): void {
    if (this.#isStopped) return;
    this.#found.add(directory);
    this.#watch(directory, goneCodes);
  }

  keepOnly(exists: (directory: string) => boolean): void {
    for (const directory of this.#found) {
      if (exists(directory)) continue;
      this.#found.delete(directory);
      this.#watches.get(directory)?.close();
      this.#watches.delete(directory);
    }
  }

  /** They stay watched; the coverage does not depend on them any more. */
  close(): void {
    this.#found.clear();
  }

  /** The watch of a directory is set before the directory is listed: what appears in it later is an event. */
  async #watchTree(top: string, onWatched: (directory: string) => void = () => undefined): Promise<void> {
    const waiting = [top];
    let sliceEndMs = performance.now() + sliceMs;
    for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
      if (this.#isStopped) return;
      if (this.#watch(directory)) {
        for (const below of this.#subdirectories(directory)) waiting.push(below);
        onWatched(directory);
      }
      if (performance.now() < sliceEndMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEndMs = performance.now() + sliceMs;
    }
  }

  /** Replaces the watch of the same path, without a gap where it is the same directory. */
  #watch(directory: string, expected = refusedCodes): boolean {
    const former = this.#watches.get(directory);
    try {
      const watcher = this.#watchWith(this.#absolute(directory), { persistent: false }, (event, name) =>
        this.#heard(directory, event, name),
      );
      watcher.on('error', this.#failed);
      this.#watches.set(directory, watcher);
      return true;
    } catch (error) {
      this.#watches.delete(directory);
      this.#trouble(error, expected);
      return false;
    } finally {
      former?.close();
    }
  }

  #subdirectories(directory: string): readonly string[] {
    try {
      return readdirSync(this.#absolute(directory), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => joinPath(directory, name))
        .filter((path) => this.#isOurs(path));
    } catch (error) {
      this.#trouble(error);
      return [];
    }
  }

  /** A directory of the folder's disk that is not ignored. */
  #isOurs(path: string): boolean {
    if (this.#isIgnored(path)) return false;
    const stat = this.#lstat(path);
    return stat?.isDirectory() === true && stat.dev === this.#device;
  }

  #heard(directory: string, event: string, name: string | null): void {
    if (this.#isStopped) return;
    this.#events.onHint(directory, name, event === 'rename' ? 'renamed' : 'written');
    if (event !== 'rename' || name === null || name.startsWith(tempPrefix)) return;
    this.#renamed.add(joinPath(directory, name));
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      const renamed = this.#renamed;
      this.#renamed = new Set();
      void this.#lookAgain(renamed);
    }, gatherMs).unref();
  }

  async #lookAgain(renamed: ReadonlySet<string>): Promise<void> {
    for (const path of renamed) {
      if (this.#isStopped) return;
      const former = this.#watches.has(path) ? this.#below(path) : [];
      // What was made in it before its watch is found by a scan.
      if (this.#isOurs(path))
        await this.#watchTree(path, (found) => this.#events.onHint(found, null, 'renamed'));
      // Only now: until its watch is replaced, a directory keeps the one that it has.
      for (const [directory, watcher] of former) {
        if (this.#watches.get(directory) !== watcher) continue;
        watcher.close();
        this.#watches.delete(directory);
      }
    }
  }

  /** At a path and below it. */
  #below(path: string): readonly (readonly [directory: string, watcher: FSWatcher])[] {
    const prefix = `${path}/`;
    return [...this.#watches].filter(([directory]) => directory === path || directory.startsWith(prefix));
  }

  #trouble(error: unknown, expected = refusedCodes): void {
    const code = errorCode(error);
    if (this.#isStopped || expected.has(code)) return;
    const isFinal = isBudgetSpent(code);
    if (isFinal) void this.stop();
    this.#events.onTrouble(code, isFinal);
  }

  #lstat(path: string): Stats | null {
    try {
      return lstatSync(this.#absolute(path), { throwIfNoEntry: false }) ?? null;
    } catch (error) {
      this.#trouble(error);
      return null;
    }
  }

  #absolute(path: string): string {
    return path === '/' ? this.#root : this.#root + path;
  }
}
