// The newest envelope of each file that came a moment ago: what the next one of the file may make superfluous (core/coalesce). In
// memory, since it is asked for each that comes and nearly always answers no: an index of it was a sixth of what each commit wrote.
// It is a hint; the row says whether the envelope still waits. After a start it is empty, and what came just before it is
// applied like everything else.
import type { CoalesceShape } from '../../../core/inbound/coalesce.ts';

/** Twice so many are held, some 8 MB: what comes in three seconds at full rate. Whoever falls out is applied instead of coalesced. */
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

  /** The one with this number was taken in at `atMs`. It is remembered for one window to two, or until too many came. */
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
