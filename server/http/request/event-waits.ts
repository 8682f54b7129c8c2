// Waits of requests for their first event.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import type { EventFeed, EventPageQuery } from '../../workspaces/event-feed.ts';
import type { AccessSubject } from '../../workspaces/model.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { eventWaitersMax } from '../base/limits.ts';
import { RequestWaits } from './request-waits.ts';

interface Wait {
  readonly workspaceId: string;
  /** null: before every event. */
  readonly from: number | null;
  readonly filter: Pick<EventPageQuery, 'pathPrefix' | 'pathOnly' | 'provider' | 'access'>;
  readonly waitMs: number;
}

export class EventWaits {
  readonly #feed: EventFeed;
  readonly #waits: RequestWaits;

  constructor(dependencies: Pick<HttpDependencies, 'feed' | 'tokens' | 'clock'>) {
    this.#feed = dependencies.feed;
    this.#waits = new RequestWaits(dependencies, eventWaitersMax);
  }

  /** The server closes: each is answered now. */
  endAll(): void {
    this.#waits.endAll();
  }

  /** Resolves when a page would have an event, or after the time. Rejects with 401 when the token has ended meanwhile. */
  async untilFirst(request: FastifyRequest, reply: FastifyReply, wait: Wait): Promise<void> {
    await this.#waits.run(request, reply, wait.waitMs, (signal) => firstEvent(this.#feed, wait, signal));
  }
}

/** A commit of another path only causes another read. The position is that of the newest event seen: a committed event can be read before
 * the feed reports its commit. */
async function firstEvent(feed: EventFeed, wait: Wait, signal: AbortSignal): Promise<void> {
  const { workspaceId, filter } = wait;
  let seen = 0;
  while (!signal.aborted) {
    seen = Math.max(seen, await feed.tip(workspaceId));
    const page = await feed.page(workspaceId, { ...filter, direction: 'asc', from: wait.from, limit: 1 });
    if (page.events.length > 0 || page.next !== null || signal.aborted) return;
    seen = await nextEvent(feed, { workspaceId, from: seen, access: filter.access }, signal);
    await yieldToEventLoop();
  }
}

/** Resolves with the position of the newest event that was seen. */
async function nextEvent(
  feed: EventFeed,
  position: { readonly workspaceId: string; readonly from: number; readonly access: AccessSubject | null },
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = () => resolve(position.from);
  const subscription = feed.subscribe({
    ...position,
    onEvents: (events) => resolve(events.at(-1)?.seq ?? position.from),
    onError: end,
  });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const seen = await promise;
  signal.removeEventListener('abort', end);
  subscription.close();
  return seen;
}
