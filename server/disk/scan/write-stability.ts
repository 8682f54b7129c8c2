// Decides when a changed file is stable: a file written in place after two equal examinations 50 to 100 ms apart, a renamed file
// at once, a deleted file when it is still missing at the second examination (docs/sync-rules.md#4). Memory only; the caller
// passes the time.
import type { FileStat } from '../port/file-system.ts';

/** Between the two looks. */
const settleMs = 60;
/** A file that is written without a pause is read after this long, and accepted if it does not change meanwhile. */
const patienceMs = 3000;
const goneIdentity = 'gone';

/** What the watcher said about a name since the last scan: it appeared or vanished, and was it written, too? */
export type NameHint = 'renamed' | 'written';

interface Waiting {
  readonly identity: string;
  readonly sinceMs: number;
  readonly firstMs: number;
}

export class StabilityTracker {
  readonly #waiting = new Map<string, Waiting>();
  readonly #asked = new Set<string>();

  /** Every scan asks about every waiting path; what it did not ask about is not there to wait for any more. */
  beginScan(): void {
    this.#asked.clear();
  }

  endScan(): void {
    for (const path of this.#waiting.keys()) if (!this.#asked.has(path)) this.#waiting.delete(path);
  }

  /** How many waiting paths exist. */
  get arriving(): number {
    let count = 0;
    for (const { identity } of this.#waiting.values()) if (identity !== goneIdentity) count += 1;
    return count;
  }

  paths(): IterableIterator<string> {
    return this.#waiting.keys();
  }

  forget(path: string): void {
    this.#waiting.delete(path);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Milliseconds until the first of the waiting paths is due; null when none waits. */
  dueInMs(monotonicMs: number): number | null {
    let due: number | null = null;
    for (const { sinceMs } of this.#waiting.values()) {
      const left = Math.max(0, sinceMs + settleMs - monotonicMs);
      if (due === null || left < due) due = left;
    }
    return due;
  }

  /**
   * Is the current file at rest? `knownInode`: of the file that was last seen there. When false, the path waits and
   * must be asked about again.
   */
  isFileAtRest(
    path: string,
    stat: FileStat,
    knownInode: bigint | null,
    hint: NameHint | undefined,
    nowMs: number,
    monotonicMs: number,
  ): boolean {
    // Every write and every rename sets ctime, and no program can set it back: a ctime in the past proves the rest.
    // One in the future (the clock was set back) proves nothing, and the two looks decide.
    const quietMs = nowMs - Number(stat.ctimeNs / 1_000_000n);
    if (quietMs >= settleMs) return this.#settled(path);
    // A new inode whose last change was not a write: it was complete before it got this name.
    const arrived = stat.inode !== knownInode && stat.sizeBytes > 0;
    if (arrived && (stat.ctimeNs > stat.mtimeNs || hint === 'renamed')) return this.#settled(path);
    return this.#agrees(path, `${stat.inode} ${stat.sizeBytes} ${stat.mtimeNs} ${stat.ctimeNs}`, monotonicMs);
  }

  isGoneForGood(path: string, monotonicMs: number): boolean {
    return this.#agrees(path, goneIdentity, monotonicMs);
  }

  /** It changed while it was read: a new first look. */
  restart(path: string, monotonicMs: number): void {
    const before = this.#waiting.get(path);
    this.#asked.add(path);
    this.#waiting.set(path, {
      identity: 'moving',
      sinceMs: monotonicMs,
      firstMs: before?.firstMs ?? monotonicMs,
    });
  }

  #agrees(path: string, identity: string, monotonicMs: number): boolean {
    const before = this.#waiting.get(path);
    this.#asked.add(path);
    if (before !== undefined) {
      if (before.identity === identity && monotonicMs - before.sinceMs >= settleMs)
        return this.#settled(path);
      if (identity !== goneIdentity && monotonicMs - before.firstMs >= patienceMs) return this.#settled(path);
      if (before.identity === identity) return false;
    }
    this.#waiting.set(path, { identity, sinceMs: monotonicMs, firstMs: before?.firstMs ?? monotonicMs });
    return false;
  }

  #settled(path: string): true {
    this.#waiting.delete(path);
    return true;
  }
}
