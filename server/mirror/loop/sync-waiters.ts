// Who waits for a mirror to be settled. A wish is fulfilled only by a look that began after it was made; a mirror that cannot
// settle answers no at once. It decides nothing.

interface Wish {
  readonly resolve: (settled: boolean) => void;
}

export class SettleWishes {
  readonly #wishes = new Set<Wish>();

  /** false when the signal comes first. */
  make(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const wish: Wish = {
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
  current(): readonly Wish[] {
    return [...this.#wishes];
  }

  answerAll(settled: boolean): void {
    for (const wish of [...this.#wishes]) wish.resolve(settled);
  }
}
