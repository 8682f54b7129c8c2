// What changed in open forks since the agent started, for the mirrors of forks: a fork has no events. In bounded memory; who was
// elsewhere for too long lists the fork. Every change of a fork passes through forks.ts, which records it here.

/** Changes of one fork that are remembered. */
const changesMax = 20_000;

export interface ForkFileChange {
  readonly path: string;
  /** null: the file is deleted. `revision` counts in the fork. */
  readonly file: { readonly revision: number; readonly hash: string } | null;
}

interface ForkLog {
  /** Position of the first remembered change. */
  first: number;
  readonly changes: ForkFileChange[];
}

export class ForkChanges {
  readonly #logs = new Map<string, ForkLog>();
  readonly #listeners = new Set<(forkId: string) => void>();

  /** The position after the newest change. From now on the changes of the fork are remembered. */
  position(forkId: string): number {
    const log = this.#logs.get(forkId) ?? { first: 0, changes: [] };
    this.#logs.set(forkId, log);
    return log.first + log.changes.length;
  }

  /** The changes from a position on; null: they are not remembered, or all of the fork may have changed. */
  after(forkId: string, position: number): readonly ForkFileChange[] | null {
    const log = this.#logs.get(forkId);
    if (log === undefined || position < log.first) return null;
    return log.changes.slice(position - log.first);
  }

  record(forkId: string, changes: readonly ForkFileChange[]): void {
    const log = this.#logs.get(forkId);
    if (log !== undefined) {
      for (const change of changes) log.changes.push(change);
      const over = log.changes.length - changesMax;
      if (over > 0) {
        log.changes.splice(0, over);
        log.first += over;
      }
    }
    this.#notify(forkId);
  }

  /** All of the fork may have changed, or it has ended. */
  reset(forkId: string): void {
    const log = this.#logs.get(forkId);
    if (log !== undefined) {
      log.first += log.changes.length + 1;
      log.changes.length = 0;
    }
    this.#notify(forkId);
  }

  /** Nothing of the fork is remembered any more. */
  forget(forkId: string): void {
    this.#logs.delete(forkId);
    this.#notify(forkId);
  }

  /** Returns the unsubscribe function. */
  onChange(listener: (forkId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(forkId: string): void {
    for (const listener of this.#listeners) listener(forkId);
  }
}
