// The most recent envelope of each file, which the next one of the file may replace (core/inbound/coalesce). In memory, since each
// envelope reads it and the answer is nearly always no: an index was a sixth of the bytes of each commit. It is a hint; the row
// says whether the envelope still waits. After a start it is empty, and earlier envelopes are applied without coalescing.
import type { CoalesceShape } from '../../../core/inbound/coalesce.ts';

/** Up to twice as many are held, some 8 MB: three seconds at full rate. Dropped ones are applied instead of coalesced. */
const entriesMax = 25_000;

export class RecentEnvelopes {
  /** Numbers by file, of this window and of the one before. Keys may be equal by chance: the row decides. */
  #now = new Map<string, number>();
  #before = new Map<string, number>();
  #beganMs = Number.NEGATIVE_INFINITY;

  newestOf(workspace: number, provider: string, shape: CoalesceShape): number | null {
    const key = keyOf(workspace, provider, shape);
    return this.#now.get(key) ?? this.#before.get(key) ?? null;
  }

  forget(): void {
    this.#now.clear();
    this.#before.clear();
  }

  /** The envelope with this number was accepted at `atMs`. It is remembered for one to two windows, or until too many arrived. */
  note(
    workspace: number,
    provider: string,
    shape: CoalesceShape,
    taken: { readonly number: number; readonly atMs: number; readonly windowMs: number },
  ): void {
    const { number, atMs, windowMs } = taken;
    if (atMs - this.#beganMs > windowMs || this.#now.size >= entriesMax) {
      this.#before = this.#now;
      this.#now = new Map();
      this.#beganMs = atMs;
    }
    this.#now.set(keyOf(workspace, provider, shape), number);
  }
}

function keyOf(workspace: number, provider: string, { path, objectId }: CoalesceShape): string {
  return `${workspace}\n${provider}\n${objectId ?? ''}\n${path}`;
}
