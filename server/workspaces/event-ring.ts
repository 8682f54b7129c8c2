// Keeps encoded events in bounded memory. Events never change, so each is encoded once; what is not kept is read from the store, and
// what retention may have deleted is dropped. It decides for subjects only where no access rule exists.
import type { AccessSubject } from '../core/entry.ts';
import type { ChangeCounters, EventReader, EventRow } from '../store/port/store.ts';
import { EventBlock } from './event-block.ts';

/** Bytes of encoded events of all workspaces. */
const ringBytesMax = 32 * 1024 * 1024;
/** Events per read. */
const readEvents = 1000;

export interface EncodedEvents {
  /** JSON objects with a comma after each. */
  readonly parts: readonly Uint8Array[];
  /** Position of the next page; null on the last one. */
  readonly next: number | null;
  /** Position of the last event of the page; without events that of the query. */
  readonly last: number;
}

/** What a read of the store showed. */
interface Seen {
  /** The workspace has no access rules. */
  readonly isOpen: boolean;
  /** No event follows this position; null: more events may follow. */
  readonly end: number | null;
}

interface WorkspaceEvents {
  /** In the order of the feed. */
  readonly blocks: EventBlock[];
  /** Events of these have access rules of their own. */
  readonly ruled: Set<EventBlock>;
  /** The result of the newest read, while the change counter has this value. */
  seen: { readonly count: number; readonly seen: Seen } | null;
}

export class EventRing {
  readonly #events: Pick<EventReader, 'after'>;
  readonly #changes: ChangeCounters;
  readonly #bytesMax: number;
  #workspaces = new Map<string, WorkspaceEvents>();
  /** Least recently used first. */
  #used = new Map<EventBlock, { readonly kept: WorkspaceEvents; bytes: number }>();
  #bytes = 0;
  /** Value of the counter of retention for which the blocks are complete. */
  #every: number | null = null;

  constructor(events: Pick<EventReader, 'after'>, changes: ChangeCounters, bytesMax = ringBytesMax) {
    this.#events = events;
    this.#changes = changes;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Events after a position, ascending. null: the access rules of some of them must be asked, or retention is running. */
  async page(
    workspaceId: string,
    query: { readonly from: number; readonly limit: number; readonly access: AccessSubject | null },
  ): Promise<EncodedEvents | null> {
    const { limit, access } = query;
    if (!this.#followRetention()) return null;
    const kept = this.#keptOf(workspaceId);
    const parts: Uint8Array[] = [];
    let position = query.from;
    let count = 0;
    let seen = this.#seenNow(workspaceId, kept);
    if (access !== null) seen ??= await this.#read(workspaceId, kept, newestAfter(kept, position));
    for (;;) {
      if (access !== null && seen?.isOpen !== true) return null;
      const block = blockAfter(kept.blocks, position);
      if (block !== null) {
        if (count === limit) return { parts, next: position, last: position };
        if (access !== null && kept.ruled.has(block)) return null;
        const slice = block.slice(position, limit - count);
        parts.push(slice.bytes);
        count += slice.count;
        position = slice.last;
        this.#touch(kept, block);
      } else if (seen !== null && seen.end !== null && position >= seen.end)
        return { parts, next: null, last: position };
      else seen = await this.#read(workspaceId, kept, position);
    }
  }

  /** false: retention is deleting events at the moment. */
  #followRetention(): boolean {
    const every = this.#changes.ofEvery();
    if (every !== this.#every) {
      this.#workspaces = new Map();
      this.#used = new Map();
      this.#bytes = 0;
      this.#every = every;
    }
    return every !== null;
  }

  #keptOf(workspaceId: string): WorkspaceEvents {
    let kept = this.#workspaces.get(workspaceId);
    if (kept === undefined) {
      kept = { blocks: [], ruled: new Set(), seen: null };
      this.#workspaces.set(workspaceId, kept);
    }
    return kept;
  }

  #seenNow(workspaceId: string, kept: WorkspaceEvents): Seen | null {
    const count = this.#changes.of(workspaceId);
    return count !== null && kept.seen?.count === count ? kept.seen.seen : null;
  }

  /** Reads events after the position, and keeps them. */
  async #read(workspaceId: string, kept: WorkspaceEvents, from: number): Promise<Seen> {
    const before = this.#changes.of(workspaceId);
    const { events, more, areOpen, isOpen } = await this.#events.after(workspaceId, from, readEvents);
    const isCurrent = before !== null && before === this.#changes.of(workspaceId);
    this.#evict();
    this.#keep(kept, from, events, areOpen);
    const seen = { isOpen, end: more ? null : (events.at(-1)?.seq ?? from) };
    kept.seen = isCurrent ? { count: before, seen } : null;
    return seen;
  }

  /** `events`: all of the workspace after `from`, up to the last of them. */
  #keep(kept: WorkspaceEvents, from: number, events: readonly EventRow[], areOpen: boolean): void {
    let position = from;
    let index = 0;
    while (index < events.length) {
      const known = blockAfter(kept.blocks, position);
      if (known !== null) {
        // Read meanwhile by another request, or earlier.
        position = known.last;
        while ((events[index]?.seq ?? Number.POSITIVE_INFINITY) <= position) index += 1;
        continue;
      }
      const next = kept.blocks.find(({ after }) => after >= position) ?? null;
      const block = this.#blockAt(kept, position);
      for (let row = events[index]; row !== undefined && !block.isFull; row = events[index]) {
        if (next !== null && row.seq > next.after) {
          // No event is between the two.
          next.after = Math.min(next.after, Math.max(position, block.last));
          break;
        }
        block.add(row);
        index += 1;
        position = row.seq;
      }
      if (block.last === block.after) kept.blocks.splice(kept.blocks.indexOf(block), 1);
      else {
        if (!areOpen) kept.ruled.add(block);
        this.#touch(kept, block);
      }
    }
  }

  /** The block that ends at the position, or a new one that starts there. */
  #blockAt(kept: WorkspaceEvents, position: number): EventBlock {
    const at = kept.blocks.findIndex(({ last }) => last >= position);
    const found = kept.blocks[at];
    if (found !== undefined && found.last === position && !found.isFull) return found;
    const block = new EventBlock(position);
    const place = kept.blocks.findIndex(({ after }) => after >= position);
    kept.blocks.splice(place === -1 ? kept.blocks.length : place, 0, block);
    return block;
  }

  #touch(kept: WorkspaceEvents, block: EventBlock): void {
    const use = this.#used.get(block) ?? { kept, bytes: 0 };
    this.#used.delete(block);
    this.#bytes += block.heldBytes - use.bytes;
    use.bytes = block.heldBytes;
    this.#used.set(block, use);
  }

  /** Before a read, whose own events must remain until they are part of its page. */
  #evict(): void {
    for (const [block, { kept, bytes }] of this.#used) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#used.delete(block);
      this.#bytes -= bytes;
      kept.ruled.delete(block);
      kept.blocks.splice(kept.blocks.indexOf(block), 1);
    }
  }
}

function newestAfter({ blocks }: WorkspaceEvents, position: number): number {
  return Math.max(position, blocks.at(-1)?.last ?? 0);
}

/** The block that contains the next event after the position; null: it is not kept. */
function blockAfter(blocks: readonly EventBlock[], position: number): EventBlock | null {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle]?.last ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const block = blocks[low];
  return block !== undefined && block.after <= position ? block : null;
}
