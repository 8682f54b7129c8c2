// Change hints from the system, through chokidar, where inotify-watcher.ts does not apply. Only directories are watched, one watch each; the scan finds out what changed. A
// lost hint delays a change and loses none. It runs in the disk's thread.

import { statSync } from 'node:fs';
import path from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { errorCode } from '../port/file-system.ts';
import { isBudgetSpent, type WatchEvents, type Watcher } from './watcher.ts';

export class ChokidarWatcher implements Watcher {
  readonly #root: string;
  readonly #events: WatchEvents;
  readonly #isIgnored: (wirePath: string) => boolean;
  readonly #watch: typeof watch;
  #watcher: FSWatcher | null = null;

  /** `watchWith`: another than the system's, in tests. */
  constructor(
    root: string,
    isIgnored: (wirePath: string) => boolean,
    events: WatchEvents,
    watchWith: typeof watch = watch,
  ) {
    this.#watch = watchWith;
    this.#root = root;
    this.#events = events;
    this.#isIgnored = isIgnored;
  }

  /** Resolves when every directory is watched, or watching was given up (false). */
  async start(): Promise<boolean> {
    const device = statSync(this.#root, { throwIfNoEntry: false })?.dev;
    const watcher = this.#watch(this.#root, {
      persistent: false,
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      // Files are not watched one by one: the watch of their directory reports them. Other disks are left out.
      ignored: (candidate, stats) =>
        (stats !== undefined && (!stats.isDirectory() || Number(stats.dev) !== device)) ||
        this.#isIgnored(this.#wirePath(candidate)),
    });
    this.#watcher = watcher;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    watcher.on('raw', (event, relative, details) => this.#raw(event, relative, details));
    watcher.on('addDir', (directory) => this.#hintDirectory(directory));
    watcher.on('unlinkDir', (directory) => this.#hintDirectory(path.dirname(directory)));
    watcher.on('ready', () => resolve(true));
    watcher.on('error', (error) => {
      const code = errorCode(error);
      const final = isBudgetSpent(code);
      this.#events.onTrouble(code, final);
      if (!final) return;
      resolve(false);
      this.stop().catch((failure: unknown) => this.#events.onTrouble(errorCode(failure), true));
    });
    return promise;
  }

  async stop(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = null;
    await watcher?.close();
  }

  #raw(event: string, relative: string | null, details: unknown): void {
    const watched =
      typeof details === 'object' && details !== null && 'watchedPath' in details
        ? details.watchedPath
        : null;
    if (typeof watched !== 'string') {
      this.#events.onTrouble('ENODETAILS', false);
      return;
    }
    if (relative === null) {
      this.#hintDirectory(watched);
      return;
    }
    const target = path.join(watched, relative);
    if (target === this.#root) return;
    this.#events.onHint(
      this.#wirePath(path.dirname(target)),
      path.basename(target),
      event === 'rename' ? 'renamed' : 'written',
    );
  }

  #hintDirectory(directory: string): void {
    this.#events.onHint(this.#wirePath(directory), null, 'renamed');
  }

  #wirePath(absolute: string): string {
    const relative = path.relative(this.#root, absolute);
    if (relative === '' || relative.startsWith('..')) return '/';
    return `/${path.sep === '/' ? relative : relative.split(path.sep).join('/')}`;
  }
}
