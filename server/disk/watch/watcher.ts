// Change hints from the system, through chokidar. Only directories are watched, one watch each; the scan finds out what changed. A
// lost hint delays a change and loses none. It runs in the disk's thread.

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { errorCode } from '../port/file-system.ts';
import type { WatchTrouble } from '../port/folder.ts';
import type { NameHint } from '../scan/write-stability.ts';

export interface WatchEvents {
  /** `directory` is a wire path; `name` null: the directory as a whole. */
  onHint(directory: string, name: string | null, hint: NameHint): void;
  /** Hints have been lost or may be. `final`: there will be no more of them; poll. */
  onTrouble(detail: string, final: boolean): void;
}

/** The kernel's budget is spent; watching on would only pretend. */
const budgetCodes = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

export class Watcher {
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
      const final = budgetCodes.has(code);
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

const limitsFolder = '/proc/sys/fs/inotify';

/** How many events the kernel keeps until they are read; null: unknown. */
export function readQueueLimit(folder = limitsFolder): number | null {
  return readLimit(folder, 'max_queued_events');
}

function readLimit(folder: string, name: string): number | null {
  try {
    const value = Number.parseInt(readFileSync(`${folder}/${name}`, 'utf8'), 10);
    return Number.isSafeInteger(value) ? value : null;
  } catch {
    return null;
  }
}

/** Error code of a refused watch -> the setting that limits it. */
const settingOf: Readonly<Record<string, string>> = {
  ENOSPC: 'max_user_watches',
  EMFILE: 'max_user_instances',
};

/** null: unknown, or another limit. */
export function readWatchLimit(code: string, folder = limitsFolder): WatchTrouble['limit'] {
  const name = settingOf[code];
  const value = name === undefined ? null : readLimit(folder, name);
  return value === null ? null : { setting: `fs.inotify.${name}`, value };
}
