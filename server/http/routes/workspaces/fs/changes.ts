// W/fs/changes: changes of files by time instead of by cursor. It reads the same rows as fs/events.
import { ChangeList, type WireChange } from '../../../../contract/changes.ts';
import { ChangesQueryParameters } from '../../../../contract/parameters.ts';
import { parseId } from '../../../../platform/crypto/ids.ts';
import type { EventFeed, EventPageQuery } from '../../../../workspaces/event-feed.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { changesLimit, changesPagesMax } from '../../../base/limits.ts';
import type { Query } from '../../../base/query.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { listedPath, listingAccess, listsPathOnly } from '../../../wire/listing.ts';
import { eventId, wireTime } from '../../../wire/records.ts';
import { digestOf, type FileEvent, isFileEvent } from './change-events.ts';
import { registerChangedResource } from './changed-resource.ts';

/** RFC 3339, or only a date. */
const timePattern =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

export function registerChanges(app: App, dependencies: HttpDependencies): void {
  registerList(app, dependencies);
  registerChangedResource(app, dependencies);
}

function registerList(app: App, { feed }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/changes',
    route(listingAccess, {
      operationId: 'listChanges',
      tag: 'Events',
      summary: 'List changes since a time',
      callers: 'Scope: `fs:read` on `path` (default: the root).',
      points: [
        'Either `since` or `last`.',
        'Changes of files only, oldest first.',
        'A page of `since` has a `nextCursor` if more changes follow.',
        '`Mooring-Cursor-Gap: 1`: changes may be missing, because the oldest are no longer retained.',
      ],
      query: ChangesQueryParameters,
      answers: {
        200: jsonAnswer(ChangeList, 'The changes.', {
          'mooring-cursor-gap': {
            type: 'string',
            description: '`1`: changes after `since` may be missing.',
          },
        }),
      },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const { workspaceId } = request.params;
      const since = query.text('since');
      const isLast = query.text('last') !== undefined;
      if ((since === undefined) === !isLast) {
        throw new ApiError(
          'bad_request',
          'missing since or last: give either a time as since, or a number as last',
        );
      }
      const path = listedPath(query);
      const filter = {
        pathPrefix: path === '/' ? null : path,
        pathOnly: listsPathOnly(request, path),
        provider: query.text('provider') ?? null,
        access: callerOf(request).access,
      };
      const limit = query.integer(isLast ? 'last' : 'limit', changesLimit);
      if (since === undefined) {
        const { events } = await collect(
          feed,
          workspaceId,
          { ...filter, direction: 'desc', from: null, limit },
          0,
        );
        return sendJson(reply, ChangeList, 200, {
          events: events.reverse().map(wireChange),
          nextCursor: null,
        });
      }
      const { from, sinceMs } = await startOf(feed, workspaceId, query, since);
      if (await feed.isGone(workspaceId, from)) reply.header('mooring-cursor-gap', '1');
      const page = await collect(feed, workspaceId, { ...filter, direction: 'asc', from, limit }, sinceMs);
      return sendJson(reply, ChangeList, 200, {
        events: page.events.map(wireChange),
        nextCursor: page.next === null ? null : eventId(page.next),
      });
    },
  );
}

/** The position before the first event of a page of `since`. */
async function startOf(
  feed: EventFeed,
  workspaceId: string,
  query: Query,
  since: string,
): Promise<{ readonly from: number; readonly sinceMs: number }> {
  const sinceMs = timePattern.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(sinceMs)) throw new ApiError('bad_request', 'invalid since: use an RFC 3339 time');
  const cursor = query.text('cursor');
  const from = cursor === undefined ? await feed.positionAt(workspaceId, sinceMs) : parseId(cursor, 'evt_');
  if (from === null) throw new ApiError('bad_request', 'invalid cursor: use the nextCursor of a page');
  return { from, sinceMs };
}

/** Up to `limit` changes of files since the time; the number of examined rows is limited too. */
async function collect(
  feed: EventFeed,
  workspaceId: string,
  query: EventPageQuery,
  notBeforeMs: number,
): Promise<{ readonly events: FileEvent[]; readonly next: number | null }> {
  const events: FileEvent[] = [];
  let from = query.from;
  for (let page = 0; page < changesPagesMax; page += 1) {
    const found = await feed.page(workspaceId, { ...query, from, limit: query.limit - events.length });
    events.push(...found.events.filter((event) => event.atMs >= notBeforeMs).filter(isFileEvent));
    from = found.next;
    if (from === null || events.length >= query.limit) return { events, next: from };
  }
  return { events, next: from };
}

function wireChange(event: FileEvent): WireChange {
  return {
    id: eventId(event.seq),
    workspace: event.workspaceId,
    type: 'relayfile.changed',
    occurredAt: wireTime(event.atMs),
    action: event.type,
    revision: `rev_${event.revision}`,
    resource: { path: event.path, provider: event.provider ?? '' },
    summary: { title: event.path.slice(event.path.lastIndexOf('/') + 1) },
    digest: digestOf(event),
  };
}
