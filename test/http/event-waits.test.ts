// A wait for events ends with its token, whenever that is revoked.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { EventWaits } from '../../server/http/request/event-waits.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createEventFeed } from '../../server/workspaces/event-feed.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';

it('a token that was revoked before the wait began does not wait for its time', async () => {
  const { store } = await openTestStore();
  const feed = createEventFeed({ events: store.events, changes: store.changes, onCommit: store.onCommit });
  const revoked = { ok: false as const, code: 'unauthorized' as const, message: 'the token was revoked' };
  const waits = new EventWaits({
    feed,
    clock: systemClock,
    tokens: { verify: async () => revoked, onRevoked: () => () => undefined } as never,
  });
  const request = { headers: { authorization: 'Bearer x' } } as FastifyRequest;
  const reply = { raw: { once: () => undefined, off: () => undefined } } as unknown as FastifyReply;
  const filter = { pathPrefix: null, pathOnly: false, provider: null, access: null };
  const waiting = waits.untilFirst(request, reply, {
    workspaceId: testWorkspace,
    from: null,
    filter,
    waitMs: 60_000,
  });
  await expect(waiting).rejects.toMatchObject({ code: 'unauthorized' });
  await feed.close();
});
