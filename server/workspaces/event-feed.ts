// Reads committed events and delivers them to subscribers. It never delivers an uncommitted change.
import type { AccessSubject } from '../core/entry.ts';
import type { ChangeCounters, Commit, EventReader, EventRow } from '../store/port/store.ts';
import { type EncodedEvents, EventRing } from './event-ring.ts';
import { LiveEvents } from './live-events.ts';

export type { EventRow } from '../store/port/store.ts';

export interface EventSubscription {
  close(): void;
}

export type { EncodedEvents };
export type EventPageQuery = Parameters<EventReader['list']>[1];

export interface EventPageRows {
  readonly events: readonly EventRow[];
  /** Position of the next page; null on the last one. */
  readonly next: number | null;
}

export interface EventFeed extends Pick<EventReader, 'positionAt'> {
  /** Calls `onEvents` with committed events after `from` (exclusive), in order, without a gap between catch-up and live events. The
   * next batch follows after `onEvents` resolved. */
  subscribe(options: {
    workspaceId: string;
    from: number;
    access: AccessSubject | null;
    onEvents: (events: readonly EventRow[]) => void | Promise<void>;
    onError: (error: unknown) => void;
  }): EventSubscription;
  /** No event of the workspace that was committed or delivered before the call has a greater position: asked of the store, because
   * its commit may not have been reported yet. */
  tip(workspaceId: string): Promise<number>;
  /** Position of the newest event of the workspace whose commit was reported, or that was delivered; 0: none was. Only to notice
   * that something changed: a cursor may be newer. */
  reported(workspaceId: string): number;
  /** true: events of the workspace after this position are gone, or it is of an event that was lost (docs/wire-contract.md#events). */
  isGone(workspaceId: string, position: number): Promise<boolean>;
  /** An ascending page of all events as JSON. null: use `page`, which asks the access rules for each event. */
  encodedPage: EventRing['page'];
  /** A page of events (docs/wire-contract.md#events). */
  page(workspaceId: string, query: EventPageQuery): Promise<EventPageRows>;
  close(): Promise<void>;
}

/**
 * `onCommit` only signals a commit; the events are then read from the store. A subscription is a position and one running read: a
 * slow subscriber has one batch in memory, never a queue.
 */
export function createEventFeed(store: {
  readonly events: EventReader;
  readonly changes: ChangeCounters;
  onCommit(listener: (commit: Commit) => void): () => void;
}): EventFeed {
  const subscriptions = new Set<Subscription>();
  const ring = new EventRing(store.events, store.changes);
  const live = new LiveEvents(store.events, store.changes);
  const reported = new Map<string, number>();
  const reportedOf = (workspaceId: string) => reported.get(workspaceId) ?? 0;
  // A commit can be read before its signal arrives, and a caller may send the cursor of its event at once.
  const delivers = (workspaceId: string, position: number) => {
    if (position > reportedOf(workspaceId)) reported.set(workspaceId, position);
  };
  const stopListening = store.onCommit(({ workspaces }) => {
    for (const [workspaceId, lastEventSeq] of workspaces) {
      delivers(workspaceId, lastEventSeq);
      live.changed(workspaceId);
    }
    for (const subscription of subscriptions) {
      if (workspaces.has(subscription.workspaceId)) subscription.wake();
    }
  });

  return {
    subscribe(options) {
      const onEvents = (events: readonly EventRow[]) => {
        delivers(options.workspaceId, events.at(-1)?.seq ?? 0);
        return options.onEvents(events);
      };
      const subscription = new Subscription(live, { ...options, onEvents }, () =>
        subscriptions.delete(subscription),
      );
      subscriptions.add(subscription);
      subscription.wake();
      return subscription;
    },
    async tip(workspaceId) {
      const { last } = await store.events.range(workspaceId);
      return Math.max(last, reportedOf(workspaceId));
    },
    reported: reportedOf,
    async page(workspaceId, query) {
      const { events, more, scannedTo } = await store.events.list(workspaceId, query);
      const next = more ? scannedTo : null;
      delivers(workspaceId, Math.max(events.at(0)?.seq ?? 0, events.at(-1)?.seq ?? 0, next ?? 0));
      return { events, next };
    },
    positionAt: (workspaceId, atMs) => store.events.positionAt(workspaceId, atMs),
    async encodedPage(workspaceId, query) {
      const page = await ring.page(workspaceId, query);
      if (page !== null) delivers(workspaceId, page.last);
      return page;
    },
    isGone: (workspaceId, position) => store.events.isGone(workspaceId, position),
    async close() {
      stopListening();
      await Promise.all(
        [...subscriptions].map((subscription) => {
          subscription.close();
          return subscription.ended();
        }),
      );
    },
  };
}

interface SubscriptionOptions {
  readonly workspaceId: string;
  readonly from: number;
  readonly access: AccessSubject | null;
  readonly onEvents: (events: readonly EventRow[]) => void | Promise<void>;
  readonly onError: (error: unknown) => void;
}

class Subscription implements EventSubscription {
  readonly workspaceId: string;
  readonly #live: LiveEvents;
  readonly #options: SubscriptionOptions;
  readonly #onClosed: () => void;
  #position: number;
  /** A commit may have happened since the last read began. */
  #woken = false;
  #closed = false;
  #reading: Promise<void> | null = null;

  constructor(live: LiveEvents, options: SubscriptionOptions, onClosed: () => void) {
    this.workspaceId = options.workspaceId;
    this.#live = live;
    this.#options = options;
    this.#position = options.from;
    this.#onClosed = onClosed;
  }

  wake(): void {
    this.#woken = true;
    if (this.#reading !== null || this.#closed) return;
    this.#reading = this.#read()
      .catch((error: unknown) => {
        if (this.#closed) return;
        this.close();
        this.#options.onError(error);
      })
      .finally(() => {
        this.#reading = null;
        // A commit may have set the flag after its last check.
        if (this.#woken && !this.#closed) this.wake();
      });
  }

  close(): void {
    this.#closed = true;
    this.#onClosed();
  }

  async ended(): Promise<void> {
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#woken && !this.#closed) {
      // Cleared before the read: a commit during the read sets it again, and the next iteration reads its events.
      this.#woken = false;
      const page = await this.#live.after(this.workspaceId, this.#position, this.#options.access);
      if (this.#closed) return;
      if (page.events.length > 0) await this.#options.onEvents(page.events);
      const last = page.events.at(-1);
      // Events that the subject may not read also advance the position; otherwise they would be read again each time.
      this.#position = Math.max(this.#position, last?.seq ?? 0, page.scannedTo ?? 0);
      if (page.more) this.#woken = true;
    }
  }
}
