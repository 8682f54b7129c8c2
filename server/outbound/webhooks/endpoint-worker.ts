// One webhook endpoint: a reader that turns committed events into deliveries, and a lane that sends them (delivery/lane.ts). A
// delivery and the position of the reader are stored together, so each event is delivered after any crash; its `webhook-id` stays
// the same over all attempts. Events of a slow receiver wait in the feed.
import { createPathFilter } from '../../core/paths/path-filter.ts';
import { attemptResultOf } from '../../delivery/http-outcome.ts';
import { DeliveryLane } from '../../delivery/lane.ts';
import type { AttemptCounts, DeliveryTarget, LaneDeps, LaneResult } from '../../delivery/lane-port.ts';
import { createSignedClient, jsonHeaders, type SignedClient } from '../../delivery/signed-client.ts';
import { waitUntil } from '../../platform/clock.ts';
import type { WebhookDeliveryRow, WebhookRow, WebhookStore } from '../../store/port/store.ts';
import type { EventFeed, EventRow, EventSubscription } from '../../workspaces/event-feed.ts';
import { bodyOf, deliveryIdOf } from './delivery-message.ts';
import type { WebhookRegistry } from './registry.ts';

/** Points at which a test may end the process, to show that any of them leads to the same end. */
export const webhookKillPoints = [
  'webhook.added',
  'webhook.leased',
  'webhook.answered',
  'webhook.settled',
] as const;
export type WebhookKillPoint = (typeof webhookKillPoints)[number];

export interface EndpointWorkerDeps extends LaneDeps {
  readonly store: WebhookStore;
  readonly registry: WebhookRegistry;
  readonly feed: EventFeed;
  readonly attempts: number;
  readonly counts: AttemptCounts;
  /** Of the leases; the same after a restart. */
  readonly leaseOwner: string;
  /** Called when the token of an endpoint has expired. */
  readonly expired: () => void;
  readonly atKillPoint: (point: WebhookKillPoint) => void;
}

/** Deliveries of one address that wait at once; later events wait in the feed. */
const waitingMax = 1_000;
/** Events that concern no glob are passed over this many at a time before the position is written down. */
const passedOverMax = 1_000;
const timeoutMs = 15_000;
/** After a fault of the store. */
const faultPauseMs = 5_000;

export class EndpointWorker {
  readonly #deps: EndpointWorkerDeps;
  readonly #row: WebhookRow;
  readonly #matches: (path: string) => boolean;
  readonly #lane: DeliveryLane<WebhookDeliveryRow>;
  readonly #client: SignedClient | null;
  readonly #stopping = new AbortController();
  #position: number;
  /** Events since the position was written down. */
  #passedOver = 0;
  #subscription: EventSubscription | null = null;
  /** Set while the reader waits for room among the deliveries. */
  #roomMade: (() => void) | null = null;

  constructor(deps: EndpointWorkerDeps, row: WebhookRow) {
    this.#deps = deps;
    this.#row = row;
    this.#position = row.position;
    this.#matches = createPathFilter(row.globs);
    const key = deps.registry.keyOf(row);
    const { plainHttp, privateAddresses } = row;
    const settings = { allowed: { plainHttp, privateAddresses }, timeoutMs };
    this.#client = key === null ? null : createSignedClient({ ...settings, key }, deps.clock);
    this.#lane = this.#openLane();
    if (this.#client === null)
      deps.logger.warn(this.#about(), 'the secret of a webhook is gone: register it anew');
    else this.#subscribe();
    void this.#expire();
  }

  wake(): void {
    this.#lane.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#subscription?.close();
    this.#roomMade?.();
    await this.#lane.stop();
    this.#client?.close();
  }

  // ---- events in

  #subscribe(): void {
    const { feed, clock, logger } = this.#deps;
    const { workspaceId, access } = this.#row;
    this.#subscription = feed.subscribe({
      workspaceId,
      from: this.#position,
      access,
      onEvents: (events) => this.#take(events),
      onError: (error) => {
        if (this.#stopping.signal.aborted) return;
        logger.error({ err: error, ...this.#about() }, 'events for a webhook have to wait');
        void clock.delay(faultPauseMs, this.#stopping.signal).then(() => {
          if (!this.#stopping.signal.aborted) this.#subscribe();
        });
      },
    });
  }

  async #take(events: readonly EventRow[]): Promise<void> {
    const { store, clock, atKillPoint } = this.#deps;
    const { workspaceId, webhookId } = this.#row;
    const last = events.at(-1);
    if (last === undefined) return;
    const wanted = events.filter(({ type, path }) => type.startsWith('file.') && this.#matches(path));
    this.#passedOver += events.length;
    if (wanted.length === 0 && this.#passedOver < passedOverMax) return;
    await this.#room();
    if (this.#stopping.signal.aborted) return;
    const added = await store.add({
      workspaceId,
      webhookId,
      from: this.#position,
      to: last.seq,
      atMs: clock.nowMs(),
      deliveries: wanted.map((event) => ({ eventSeq: event.seq, body: bodyOf(this.#row, event) })),
    });
    // Else it was removed, or has ended.
    if (!added) return;
    this.#position = last.seq;
    this.#passedOver = 0;
    atKillPoint('webhook.added');
    this.#lane.wake();
  }

  /** Ends once fewer deliveries wait than may. */
  async #room(): Promise<void> {
    const { store } = this.#deps;
    const { workspaceId, webhookId } = this.#row;
    while (!this.#stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      // Before the count, so that a delivery that ends in between is not missed.
      this.#roomMade = resolve;
      if ((await store.waiting(workspaceId, webhookId, waitingMax)) < waitingMax) break;
      await promise;
    }
    this.#roomMade = null;
  }

  // ---- deliveries out

  #openLane(): DeliveryLane<WebhookDeliveryRow> {
    const { store, leaseOwner, atKillPoint } = this.#deps;
    const { workspaceId, webhookId } = this.#row;
    return new DeliveryLane<WebhookDeliveryRow>(this.#deps, {
      keyOf: (delivery) => String(delivery.number),
      target: () => this.#target(),
      async lease(options) {
        const leased = await store.lease({ workspaceId, webhookId, owner: leaseOwner, ...options });
        if (leased.length > 0) atKillPoint('webhook.leased');
        return leased;
      },
      nextDueMs: () => store.nextDueMs(workspaceId, webhookId),
      finish: (delivery, end) => this.#settle(delivery, end),
      about: (delivery) => ({
        ...this.#about(),
        ...(delivery === undefined ? {} : { deliveryId: deliveryIdOf(delivery.number) }),
      }),
    });
  }

  async #target(): Promise<DeliveryTarget<WebhookDeliveryRow> | null> {
    const client = this.#client;
    const { workspaceId, webhookId, url } = this.#row;
    const { store, clock } = this.#deps;
    // Asked before each call: an event leaves this machine only while the token that registered the endpoint is valid.
    if (client === null || !(await store.isActive(workspaceId, webhookId, clock.nowMs()))) return null;
    return {
      timeoutMs,
      deliver: async (delivery, signal) => {
        const id = deliveryIdOf(delivery.number);
        const request = { method: 'POST', url, headers: jsonHeaders(id), body: delivery.body } as const;
        const end = attemptResultOf(await client.post(request, id, signal), false, clock.nowMs());
        if (!signal.aborted || end.outcome.kind !== 'unavailable') this.#deps.atKillPoint('webhook.answered');
        return { end, called: true };
      },
    };
  }

  async #settle({ number, attempts }: WebhookDeliveryRow, end: LaneResult): Promise<void> {
    const { store, logger, atKillPoint, counts, attempts: attemptsMax } = this.#deps;
    const { outcome, random, atMs, tookSeconds } = end;
    counts.attemptEnded(outcome.kind, tookSeconds);
    const status = await store.finish({ number, attempt: attempts, outcome, attemptsMax, random, atMs });
    atKillPoint('webhook.settled');
    if (status === 'pending') counts.retried();
    if (status === 'dead_lettered' && outcome.kind !== 'delivered') counts.deadLettered(outcome.code);
    const fields = {
      ...this.#about(),
      deliveryId: deliveryIdOf(number),
      attempt: attempts,
      outcome: outcome.kind,
    };
    if (status === 'dead_lettered') logger.warn(fields, 'webhook delivery failed permanently');
    else logger.debug(fields, 'webhook attempt finished');
    this.#roomMade?.();
  }

  async #expire(): Promise<void> {
    const { clock, expired } = this.#deps;
    const { expiresAtMs } = this.#row;
    if (expiresAtMs === null) return;
    await waitUntil(clock, expiresAtMs, this.#stopping.signal);
    if (!this.#stopping.signal.aborted) expired();
  }

  #about(): Readonly<Record<string, unknown>> {
    const { workspaceId, webhookId } = this.#row;
    return { workspaceId, webhookId };
  }
}
