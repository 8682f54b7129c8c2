// Moves the bytes of large files beside the loop, so that none of them holds up small files. What a transfer means for its path is
// concluded by the loop, in turn with all else that it learns; until then the path is not planned.
import { largeTransfersMax } from '../limits.ts';

/** What follows from a transfer that has ended. */
export type Conclusion = () => Promise<void>;
type Transfer = () => Promise<Conclusion>;

export interface LargeTransfersOptions {
  /** A transfer has ended: `conclude` has something to do. */
  readonly onEnd: () => void;
  /** The path is not being transferred any more, whatever became of it. */
  readonly onReleased: (path: string) => void;
}

export class LargeTransfers {
  readonly #options: LargeTransfersOptions;
  readonly #waiting = new Map<string, Transfer>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #ended = new Map<string, Conclusion>();
  /** true: parts of files may be left that no transfer waits for, as after a start. */
  mayLeaveParts = true;
  #failure: { readonly error: unknown } | null = null;

  constructor(options: LargeTransfersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.size + this.#running.size + this.#ended.size;
  }

  has(path: string): boolean {
    return this.#waiting.has(path) || this.#running.has(path) || this.#ended.has(path);
  }

  /** At most `largeTransfersMax` run at once, the others wait. A rejection ends the connection. */
  start(path: string, transfer: Transfer): void {
    if (this.has(path)) return;
    this.mayLeaveParts = true;
    this.#waiting.set(path, transfer);
    this.#next();
  }

  /** Concludes those that have ended. Throws what a transfer was rejected with. */
  async conclude(): Promise<void> {
    for (const [path, conclusion] of this.#ended) {
      try {
        await conclusion();
      } finally {
        this.#ended.delete(path);
        this.#options.onReleased(path);
      }
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** After the signal of the connection: waits for those that run. What is not concluded is forgotten. */
  async end(): Promise<void> {
    const paths = [...this.#waiting.keys(), ...this.#running.keys(), ...this.#ended.keys()];
    this.#waiting.clear();
    await Promise.all(this.#running.values());
    this.#ended.clear();
    this.#failure = null;
    for (const path of paths) this.#options.onReleased(path);
  }

  #next(): void {
    for (const [path, transfer] of this.#waiting) {
      if (this.#running.size >= largeTransfersMax || this.#failure !== null) return;
      this.#waiting.delete(path);
      this.#running.set(path, this.#run(path, transfer));
    }
  }

  async #run(path: string, transfer: Transfer): Promise<void> {
    try {
      this.#ended.set(path, await transfer());
    } catch (error) {
      this.#failure ??= { error };
      // Released, as a conclusion that has nothing to do.
      this.#ended.set(path, async () => undefined);
    }
    this.#running.delete(path);
    this.#next();
    this.#options.onEnd();
  }
}
