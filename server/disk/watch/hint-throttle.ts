// Many hints become one: told when it has been quiet for a moment, and at the latest after a quarter of a second, so that a
// burst is scanned once and not file by file (sync-engine rule 4).

/** An atomic save is two or three events within a millisecond; longer waiting would only delay it. */
const quietMs = 12;
const latestMs = 250;

export class HintThrottle {
  readonly #tell: () => void;
  #timer: NodeJS.Timeout | null = null;
  #firstMs = 0;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  hint(monotonicMs: number): void {
    if (this.#timer === null) this.#firstMs = monotonicMs;
    else clearTimeout(this.#timer);
    const delayMs = Math.max(0, Math.min(quietMs, this.#firstMs + latestMs - monotonicMs));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#tell();
    }, delayMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
