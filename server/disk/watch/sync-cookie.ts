// A synchronization barrier (docs/sync-rules.md#25): creates a file with an unguessable name in the private folder and waits for its
// event. Linux queues the events of one inotify instance in the order of the changes, and all watches of a thread are in one
// instance, so each event of an earlier change has arrived by then. It reads no file of a user.
import type { Clock } from '../../platform/clock.ts';
import { createIds } from '../../platform/crypto/ids.ts';
import { privateFolderName } from '../names/ignore.ts';
import { onFolder } from '../port/confined-file-system.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import { removeIfThere } from '../root/root.ts';

const cookiePrefix = 'cookie-';
const nameCharacters = 32;
/** An event takes milliseconds, and longer only on a machine where a scan of a large folder takes longer, too. */
const eventWithinMs = 3000;

export interface SyncCookiesOptions {
  readonly clock: Clock;
  readonly root: string;
  /** Runs with the calls on the root; the real disk, except in tests. */
  readonly onFolder?: <T>(root: string, act: (fs: FileSystem) => T) => T;
}

export class SyncCookies {
  readonly #options: SyncCookiesOptions;
  readonly #onFolder: NonNullable<SyncCookiesOptions['onFolder']>;
  readonly #ids = createIds();
  readonly #waiting = new Map<string, (isHeard: boolean) => void>();

  constructor(options: SyncCookiesOptions) {
    this.#options = options;
    this.#onFolder = options.onFolder ?? onFolder;
  }

  /** true: the events of all changes before the call have arrived. */
  async pass(): Promise<boolean> {
    const { clock } = this.#options;
    const name = `${cookiePrefix}${this.#ids.text(nameCharacters)}`;
    const heard = Promise.withResolvers<boolean>();
    // Before it exists: its event may come at any time after.
    this.#waiting.set(name, heard.resolve);
    const timer = new AbortController();
    try {
      this.#create(name);
      const late = clock.delay(eventWithinMs, timer.signal).then(() => false);
      return await Promise.race([heard.promise, late]);
    } catch {
      // A full or read-only disk, or no private folder: a scan says what is wrong.
      return false;
    } finally {
      timer.abort();
      this.#waiting.delete(name);
      this.#remove([name]);
    }
  }

  /** An event of the private folder. */
  heard(name: string): void {
    this.#waiting.get(name)?.(true);
  }

  /** Those that wait will not be answered. */
  stop(): void {
    for (const answer of this.#waiting.values()) answer(false);
  }

  /** Removes what a killed agent left behind. */
  removeLeftovers(): void {
    const { root } = this.#options;
    try {
      const names = this.#onFolder(root, (fs) => fs.list(`${root}/${privateFolderName}`).names);
      this.#remove(names.filter((name) => name.startsWith(cookiePrefix)));
    } catch (error) {
      // Not there, or not readable: nothing is removed.
      if (errorCode(error) === 'EUNKNOWN') throw error;
    }
  }

  #create(name: string): void {
    const { root } = this.#options;
    this.#onFolder(root, (fs) => fs.close(fs.openNew(pathOf(root, name), 0o600)));
  }

  #remove(names: readonly string[]): void {
    const { root } = this.#options;
    if (names.length === 0) return;
    try {
      this.#onFolder(root, (fs) => {
        for (const name of names) removeIfThere(fs, pathOf(root, name));
      });
    } catch (error) {
      // The next start removes it.
      if (errorCode(error) === 'EUNKNOWN') throw error;
    }
  }
}

function pathOf(root: string, name: string): string {
  return `${root}/${privateFolderName}/${name}`;
}
