// Schedules a second scan of new directories: files may be created in them before their watch exists. Memory only.

const secondLookMs = 1000;

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
