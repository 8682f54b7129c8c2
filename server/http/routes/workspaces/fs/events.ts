// GET W/fs/events: the feed of committed changes, a page at a time from a cursor.
import { EventPage } from '../../../../contract/events.ts';
import { EventsQueryParameters } from '../../../../contract/parameters.ts';
import type { EventFeed } from '../../../../workspaces/event-feed.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { eventsLimit } from '../../../base/limits.ts';
import { type App, errorAnswers, jsonAnswer, sendJsonText, workspaceErrors } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { listedPath, listingAccess, listingSchema, listsPathOnly } from '../../../wire/listing.ts';
import { eventPageBytes } from '../../../wire/long-lists.ts';
import { numberOf } from '../../../wire/records.ts';

export function registerEvents(app: App, { feed }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/events',
    {
      config: { access: listingAccess },
      schema: {
        operationId: 'listEvents',
        tags: ['Events'],
        summary: 'Read the event feed',
        description:
          'Scope: `fs:read` on `path` (the root when it is absent). Events in commit order, without those that the access rules hide. The cursor is a position: any event id that was ever issued is valid, and `nextCursor` is null once nothing more is there. Events are kept for at least 30 days and at least 1,000,000 of them; a cursor from before the oldest one starts there, and the answer says so with `Mooring-Cursor-Gap: 1`. An id that was never issued starts at the beginning (`asc`) or answers nothing (`desc`).',
        ...listingSchema,
        querystring: EventsQueryParameters,
        response: {
          200: jsonAnswer(EventPage, 'One page of events.', {
            'mooring-cursor-gap': {
              type: 'string',
              description: '`1`: events after the cursor are no longer kept.',
            },
          }),
          ...errorAnswers(workspaceErrors),
        },
      },
    },
    async (request, reply) => {
      const query = queryOf(request);
      const direction = query.text('direction') ?? 'asc';
      if (direction !== 'asc' && direction !== 'desc') {
        throw new ApiError('bad_request', `unsupported direction "${direction}" (must be asc or desc)`);
      }
      const position = await positionOf(feed, query.text('cursor'));
      if (position === 'unknown' && direction === 'desc')
        return sendJsonText(reply, 200, eventPageBytes([], null));
      const from = typeof position === 'number' ? position : null;
      if (from !== null && direction === 'asc' && (await isGone(feed, from)))
        reply.header('mooring-cursor-gap', '1');
      const path = listedPath(query);
      const page = await feed.page(request.params.workspaceId, {
        direction,
        from,
        limit: query.integer('limit', eventsLimit),
        pathPrefix: path === '/' ? null : path,
        pathOnly: listsPathOnly(request, path),
        provider: query.text('provider') ?? null,
        access: callerOf(request).access,
      });
      return sendJsonText(reply, 200, eventPageBytes(page.events, page.next));
    },
  );
}

/** Ruling 27: a cursor is a position, whether or not its event is visible. null: none was given. */
async function positionOf(feed: EventFeed, cursor: string | undefined): Promise<number | 'unknown' | null> {
  if (cursor === undefined) return null;
  const position = numberOf(cursor, 'evt_');
  return position === null || position > feed.tip() ? 'unknown' : position;
}

/** Has anything after this position been let go by retention? */
async function isGone(feed: EventFeed, position: number): Promise<boolean> {
  const { oldest, last } = await feed.range();
  return oldest === 0 ? position < last : position < oldest - 1;
}
