// GET W/fs/events: pages of the event feed.

import { EventPage } from '../../../../contract/events.ts';
import { EventsQueryParameters } from '../../../../contract/parameters.ts';
import { parseId } from '../../../../platform/crypto/ids.ts';
import type { EventFeed } from '../../../../workspaces/event-feed.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { eventsLimit, eventsWaitMs } from '../../../base/limits.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJsonParts, sendJsonText } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { EventWaits } from '../../../request/event-waits.ts';
import { listedPath, listingAccess, listsPathOnly } from '../../../wire/listing.ts';
import { encodedEventPage, eventPageBytes } from '../../../wire/long-lists.ts';

export function registerEvents(app: App, { feed, tokens, clock }: HttpDependencies): void {
  const waits = new EventWaits({ feed, tokens, clock });
  app.addHook('preClose', async () => waits.endAll());
  app.get(
    '/v1/workspaces/:workspaceId/fs/events',
    route(listingAccess, {
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'Read the event feed',
      callers: 'Scope: `fs:read` on `path` (default: the root).',
      points: [
        'Events in commit order; those hidden by access rules are omitted.',
        'A cursor is a position: any event id that was ever issued is valid. `nextCursor` is null on the last page.',
        'Events are retained for at least 30 days, and at least 1,000,000 of them. An older cursor starts at the oldest retained event, and the response has `Mooring-Cursor-Gap: 1`.',
        '`wait`: the answer comes with the first visible event, at the latest after this time.',
        'An id that was never issued starts at the beginning (`asc`) or returns no events (`desc`).',
      ],
      query: EventsQueryParameters,
      errors: ['rate_limited'],
      answers: {
        200: jsonAnswer(EventPage, 'One page of events.', {
          'mooring-cursor-gap': {
            type: 'string',
            description: '`1`: events after the cursor are no longer kept.',
          },
        }),
      },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const { workspaceId } = request.params;
      const direction = query.text('direction') ?? 'asc';
      if (direction !== 'asc' && direction !== 'desc') {
        throw new ApiError('bad_request', `unsupported direction "${direction}" (must be asc or desc)`);
      }
      const position = await positionOf(feed, workspaceId, query.text('cursor'));
      if (position === 'unknown' && direction === 'desc')
        return sendJsonText(reply, 200, eventPageBytes([], null));
      const from = typeof position === 'number' ? position : null;
      if (from !== null && direction === 'asc' && (await feed.isGone(workspaceId, from)))
        reply.header('mooring-cursor-gap', '1');
      const path = listedPath(query);
      const limit = query.integer('limit', eventsLimit);
      const { access } = callerOf(request);
      const provider = query.text('provider') ?? null;
      const pathOnly = listsPathOnly(request, path);
      const pathPrefix = path === '/' ? null : path;
      const filter = { pathPrefix, pathOnly, provider, access };
      const waitMs = query.integer('wait', eventsWaitMs);
      if (direction === 'asc' && waitMs > 0)
        await waits.untilFirst(request, reply, { workspaceId, from, filter, waitMs });
      if (direction === 'asc' && provider === null && pathPrefix === null && !pathOnly) {
        const encoded = await feed.encodedPage(workspaceId, { from: from ?? 0, limit, access });
        if (encoded !== null) return sendJsonParts(reply, 200, encodedEventPage(encoded));
      }
      const page = await feed.page(workspaceId, { ...filter, direction, from, limit });
      return sendJsonText(reply, 200, eventPageBytes(page.events, page.next));
    },
  );
}

/** The position of a cursor, whether or not its event is visible (docs/wire-contract.md#events). null: no cursor. */
async function positionOf(
  feed: EventFeed,
  workspaceId: string,
  cursor: string | undefined,
): Promise<number | 'unknown' | null> {
  if (cursor === undefined) return null;
  const position = parseId(cursor, 'evt_');
  return position === null || position > (await feed.tip(workspaceId)) ? 'unknown' : position;
}
