// Who waits for a mirror to be settled. A wish is fulfilled only by a look that began after it was made; a mirror that cannot
// settle answers no at once. It decides nothing.

interface SyncWaiter {
  readonly resolve: (settled: boolean) => void;
}

export class SyncWaiters {
  readonly #wishes = new Set<SyncWaiter>();

  /** false when the signal comes first. */
  wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const wish: SyncWaiter = {
        resolve: (settled) => {
          this.#wishes.delete(wish);
          signal.removeEventListener('abort', giveUp);
          resolve(settled);
        },
      };
      const giveUp = () => wish.resolve(false);
      signal.addEventListener('abort', giveUp);
      this.#wishes.add(wish);
    });
  }

  /** Those that wait now. */
  current(): readonly SyncWaiter[] {
    return [...this.#wishes];
  }

  answerAll(settled: boolean): void {
    for (const wish of [...this.#wishes]) wish.resolve(settled);
  }
}
