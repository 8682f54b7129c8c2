// What the next scan is to look at: the directories that hints named since the last one, and new ones once more. Bounded: too many hints in a short time may mean lost hints, and then a
// full scan is due (docs/sync-rules.md#6). Memory only.
import { comparePaths } from '../../core/paths/path.ts';
import type { NameHint } from '../scan/write-stability.ts';

/** More hints than this within one second: the kernel's queue may have overflowed without a word. */
const hintsPerSecondMax = 2000;
/** More directories than this are cheaper to scan as a whole. */
const directoriesMax = 10_000;

const secondLookMs = 1000;

export class DirtySet {
  readonly #directories = new Map<string, Map<string, NameHint>>();
  #full = false;
  #windowStartMs = 0;
  #windowHints = 0;

  get isFull(): boolean {
    return this.#full;
  }

  /** `name` null: the directory as a whole. */
  add(directory: string, name: string | null, hint: NameHint, monotonicMs: number): void {
    if (monotonicMs - this.#windowStartMs >= 1000) {
      this.#windowStartMs = monotonicMs;
      this.#windowHints = 0;
    }
    this.#windowHints += 1;
    if (this.#windowHints > hintsPerSecondMax || this.#directories.size >= directoriesMax) this.#full = true;
    // Everything will be looked at anyway; what is remembered stays bounded.
    if (this.#full) return;
    const names = this.#directories.get(directory) ?? new Map<string, NameHint>();
    this.#directories.set(directory, names);
    // Written once is written: a rename before or after does not make it complete.
    if (name !== null && names.get(name) !== 'written') names.set(name, hint);
  }

  markFull(): void {
    this.#full = true;
  }

  /** Hands over what there is and starts anew. */
  take(): {
    full: boolean;
    directories: readonly string[];
    hints: ReadonlyMap<string, ReadonlyMap<string, NameHint>>;
  } {
    const taken = {
      full: this.#full,
      directories: [...this.#directories.keys()].sort(comparePaths),
      hints: new Map(this.#directories),
    };
    this.#directories.clear();
    this.#full = false;
    return taken;
  }
}

/** Schedules a second scan of new directories: files may be created in them before their watch exists. */
export class NewDirectoryRescans {
  /** Directory -> when it is to be looked at once more. */
  readonly #dueMs = new Map<string, number>();

  add(directories: readonly string[], monotonicMs: number): void {
    for (const directory of directories) this.#dueMs.set(directory, monotonicMs + secondLookMs);
  }

  get waiting(): readonly string[] {
    return [...this.#dueMs.keys()];
  }

  /** Those whose time has come; they do not wait any more. */
  takeDue(monotonicMs: number): readonly string[] {
    const due = [...this.#dueMs].filter(([, dueMs]) => dueMs <= monotonicMs).map(([directory]) => directory);
    for (const directory of due) this.#dueMs.delete(directory);
    return due;
  }

  /** null: nothing waits. */
  dueInMs(monotonicMs: number): number | null {
    if (this.#dueMs.size === 0) return null;
    return Math.max(0, Math.min(...this.#dueMs.values()) - monotonicMs);
  }
}
