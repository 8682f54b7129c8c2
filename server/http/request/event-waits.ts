// Waits of requests for their first event: bounded in number and time, ended by a closed connection and by the revocation of the token.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import type { EventFeed, EventPageQuery } from '../../workspaces/event-feed.ts';
import type { AccessSubject } from '../../workspaces/model.ts';
import { ApiError } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { eventWaitersMax } from '../base/limits.ts';
import { bearerOf } from '../plugins/auth.ts';

interface Wait {
  readonly workspaceId: string;
  /** null: before every event. */
  readonly from: number | null;
  readonly filter: Pick<EventPageQuery, 'pathPrefix' | 'pathOnly' | 'provider' | 'access'>;
  readonly waitMs: number;
}

export class EventWaits {
  readonly #dependencies: Pick<HttpDependencies, 'feed' | 'tokens' | 'clock'>;
  /** Ends of the waits, with the token of each. */
  readonly #ends = new Map<() => void, string | undefined>();

  constructor(dependencies: Pick<HttpDependencies, 'feed' | 'tokens' | 'clock'>) {
    this.#dependencies = dependencies;
    dependencies.tokens.onRevoked(() => {
      for (const [end, bearer] of this.#ends) void this.#endRevoked(end, bearer);
    });
  }

  async #endRevoked(end: () => void, bearer: string | undefined): Promise<void> {
    const isValid = await this.#dependencies.tokens.verify(bearer).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isValid) end();
  }

  /** Resolves when a page would have an event, or after the time. Rejects with 401 when the token has ended meanwhile. */
  async untilFirst(request: FastifyRequest, reply: FastifyReply, wait: Wait): Promise<void> {
    if (this.#ends.size >= eventWaitersMax)
      throw new ApiError('rate_limited', 'too many requests wait for events', { retryAfterSeconds: 1 });
    const { feed, tokens, clock } = this.#dependencies;
    const ended = new AbortController();
    const end = () => ended.abort();
    this.#ends.set(end, bearerOf(request));
    reply.raw.once('close', end);
    void clock.delay(wait.waitMs, ended.signal).then(end, end);
    // It may have been revoked since the request was let in, before there was anything to end.
    void this.#endRevoked(end, bearerOf(request));
    try {
      await firstEvent(feed, wait, ended.signal);
    } finally {
      this.#ends.delete(end);
      reply.raw.off('close', end);
      end();
    }
    const verified = await tokens.verify(bearerOf(request));
    if (!verified.ok) throw new ApiError(verified.code, verified.message);
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
