// Reads the next events of subscriptions: those of one workspace at one position share a read and its rows. It keeps nothing beyond
// the next commit of the workspace.
import type { AccessSubject } from '../core/entry.ts';
import type { ChangeCounters, EventReader, EventRow } from '../store/port/store.ts';

/** Events per batch; also the maximum that a subscription has in memory. */
const batchEvents = 256;
/** Positions of a workspace whose batches are shared; most subscriptions are at the newest event. */
const sharedPositionsMax = 4;

interface Batch {
  readonly events: readonly EventRow[];
  readonly more: boolean;
  readonly scannedTo: number | null;
}

type SharedBatch = Awaited<ReturnType<EventReader['after']>>;

export class LiveEvents {
  readonly #events: Pick<EventReader, 'list' | 'after'>;
  readonly #changes: Pick<ChangeCounters, 'ofEvery'>;
  readonly #shared = new Map<string, Map<number, Promise<SharedBatch>>>();
  /** Retention deletes events without an event. */
  #every: number | null = null;

  constructor(events: Pick<EventReader, 'list' | 'after'>, changes: Pick<ChangeCounters, 'ofEvery'>) {
    this.#events = events;
    this.#changes = changes;
  }

  /** After a commit with events: later reads show it. */
  changed(workspaceId: string): void {
    this.#shared.delete(workspaceId);
  }

  /** The next events that the subject may see, and how far they were examined. */
  async after(workspaceId: string, from: number, access: AccessSubject | null): Promise<Batch> {
    const { events, more, areOpen, isOpen } = await this.#batch(workspaceId, from);
    if (access === null || (areOpen && isOpen))
      return { events, more, scannedTo: events.at(-1)?.seq ?? null };
    return await this.#events.list(workspaceId, {
      direction: 'asc',
      from,
      limit: batchEvents,
      pathPrefix: null,
      provider: null,
      access,
    });
  }

  #batch(workspaceId: string, from: number): Promise<SharedBatch> {
    const every = this.#changes.ofEvery();
    if (every === null) return this.#events.after(workspaceId, from, batchEvents);
    if (every !== this.#every) this.#shared.clear();
    this.#every = every;
    let positions = this.#shared.get(workspaceId);
    if (positions === undefined) {
      positions = new Map();
      this.#shared.set(workspaceId, positions);
    }
    const known = positions.get(from);
    if (known !== undefined) return known;
    const batch = this.#events.after(workspaceId, from, batchEvents);
    if (positions.size >= sharedPositionsMax) return batch;
    positions.set(from, batch);
    // A failed read is repeated by the next subscription.
    batch.catch(() => this.#shared.delete(workspaceId));
    return batch;
  }
}
