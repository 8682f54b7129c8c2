// Watches of single directories that appeared after the start (watch-coverage.ts says why). A wrong hint only costs a scan. They share
// the thread's inotify instance with all other watches, so their events are in one order.
import { type FSWatcher, watch } from 'node:fs';
import { errorCode } from '../port/file-system.ts';
import type { NameHint } from '../scan/write-stability.ts';
import type { DirectoryWatches } from './watch-coverage.ts';

export interface DirectoryWatchEvents {
  onHint(directory: string, name: string | null, hint: NameHint): void;
  /** A directory has no watch. */
  onFailure(): void;
}

export class SystemDirectoryWatches implements DirectoryWatches {
  readonly #root: string;
  readonly #events: DirectoryWatchEvents;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(root: string, events: DirectoryWatchEvents) {
    this.#root = root;
    this.#events = events;
  }

  get size(): number {
    return this.#watchers.size;
  }

  set(directory: string): void {
    const former = this.#watchers.get(directory);
    try {
      const watcher = watch(this.#root + directory, { persistent: false }, (event, name) =>
        this.#events.onHint(directory, name, event === 'rename' ? 'renamed' : 'written'),
      );
      watcher.on('error', () => this.#events.onFailure());
      this.#watchers.set(directory, watcher);
    } catch (error) {
      this.#watchers.delete(directory);
      // Missing again, which its parent's watch reports.
      if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) this.#events.onFailure();
    }
    // After the new one is set: the same directory is watched without a gap.
    former?.close();
  }

  keepOnly(exists: (directory: string) => boolean): void {
    for (const [directory, watcher] of this.#watchers) {
      if (exists(directory)) continue;
      watcher.close();
      this.#watchers.delete(directory);
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
