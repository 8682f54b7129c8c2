// Texts that are good once and for a short time: the codes of sign-in links, the challenges of signed-in browsers. Of an agent they are in
// its memory only; those of a hub are shared by its processes (store/port/shared.ts).
import type { Clock } from '../platform/clock.ts';
import { equalInConstantTime } from '../platform/crypto/hashes.ts';
import type { OneTimeLimits, OneTimeTexts } from '../store/port/store.ts';

interface Offered {
  readonly text: string;
  readonly atMs: number;
  readonly endsAtMs: number;
}

export class MemoryOneTimeTexts implements OneTimeTexts {
  readonly #clock: Clock;
  /** By topic, oldest first. Times by the monotonic clock, so that setting the clock neither extends a text nor gives more of them. */
  readonly #offered = new Map<string, readonly Offered[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async offer(topic: string, text: string, limits: OneTimeLimits): Promise<boolean> {
    const atMs = this.#clock.monotonicMs();
    const { lifeMs, countedMs, countMax, whenFull } = limits;
    this.#forgetBefore(atMs - countedMs);
    const recent = this.#offered.get(topic) ?? [];
    if (recent.length >= countMax && whenFull === 'refuse') return false;
    this.#offered.set(topic, [...recent, { text, atMs, endsAtMs: atMs + lifeMs }].slice(-countMax));
    return true;
  }

  async take(topic: string, text: string): Promise<boolean> {
    const atMs = this.#clock.monotonicMs();
    const offered = this.#offered.get(topic) ?? [];
    // Each one is compared, in constant time.
    const matching = offered.filter((one) => equalInConstantTime(one.text, text));
    this.#offered.set(
      topic,
      offered.map((one) => (matching.includes(one) ? { ...one, endsAtMs: 0 } : one)),
    );
    return matching.some(({ endsAtMs }) => atMs < endsAtMs);
  }

  #forgetBefore(atMs: number): void {
    for (const [topic, offered] of this.#offered) {
      const recent = offered.filter((one) => one.atMs > atMs);
      if (recent.length === 0) this.#offered.delete(topic);
      else this.#offered.set(topic, recent);
    }
  }
}
