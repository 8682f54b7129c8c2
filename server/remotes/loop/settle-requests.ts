// Callers that wait until everything before their call is synced.
interface SettleRequest {
  readonly resolve: (settled: boolean) => void;
  /** Set once everything before the request is marked. */
  isMarked: boolean;
}

export class SettleRequests {
  #requests: SettleRequest[] = [];

  /** false: it was given up, or the signal was aborted. */
  async add(signal: AbortSignal): Promise<boolean> {
    return await new Promise((resolve) => {
      this.#requests.push({ resolve, isMarked: false });
      signal.addEventListener('abort', () => resolve(false), { once: true });
    });
  }

  get areUnmarked(): boolean {
    return this.#requests.some(({ isMarked }) => !isMarked);
  }

  get areMarked(): boolean {
    return this.#requests.some(({ isMarked }) => isMarked);
  }

  /** Returns a function that marks those that wait now: what they wait for is being looked for. */
  unmarked(): () => void {
    const requests = this.#requests.filter(({ isMarked }) => !isMarked);
    return () => {
      for (const request of requests) request.isMarked = true;
    };
  }

  /** Answers those whose changes are marked and carried out. */
  finish(isSettled: boolean): void {
    const done = this.#requests.filter(({ isMarked }) => isMarked);
    this.#requests = this.#requests.filter(({ isMarked }) => !isMarked);
    for (const { resolve } of done) resolve(isSettled);
  }

  giveUp(): void {
    for (const { resolve } of this.#requests.splice(0)) resolve(false);
  }
}
