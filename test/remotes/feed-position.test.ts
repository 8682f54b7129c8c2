// The position in the feed of another server: the event that it names, and the newest revision before it.
import { expect, it } from 'vitest';
import { V1Server } from '../../server/remotes/client/v1-server.ts';
import { createManualClock } from '../support/manual-clock.ts';

const { signal } = new AbortController();
const eventOf = (number: number, type: string, revision: string) => ({
  eventId: `evt_${number}`,
  type,
  path: `/${number}.md`,
  revision,
  timestamp: `2026-01-01T00:00:0${number}.000Z`,
});
type Event = ReturnType<typeof eventOf>;

/** Answers pages of these events as a v1 server does: `desc` ends before the cursor. */
function serverOf(events: readonly Event[]): V1Server {
  return new V1Server({
    url: 'https://server.example',
    workspaceId: 'rw_there',
    token: async () => 'token',
    clock: createManualClock(),
    fetch: async (input) => {
      const query = new URL(String(input)).searchParams;
      const number = Number(query.get('cursor')?.slice('evt_'.length) ?? Number.POSITIVE_INFINITY);
      expect(query.get('direction')).toBe('desc');
      const page = events.filter(({ eventId }) => Number(eventId.slice('evt_'.length)) < number).reverse();
      const body = { events: page.slice(0, Number(query.get('limit'))), nextCursor: null };
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
    },
  });
}

const feed = [
  eventOf(1, 'file.created', 'rev_1'),
  eventOf(2, 'file.updated', 'rev_2'),
  eventOf(3, 'sync.error', ''),
];

async function cursorOf(events: readonly Event[]): Promise<string> {
  return (await serverOf(events).tip(signal))?.cursor ?? '';
}

it('knows an event at its end and before it, as it was', async () => {
  const server = serverOf(feed);
  expect(await server.eventAt(await cursorOf(feed), signal)).toMatchObject({ type: 'sync.error' });
  expect(await server.eventAt(await cursorOf(feed.slice(0, 2)), signal)).toMatchObject({ revision: 'rev_2' });
  // The number is of another event now.
  const other = [eventOf(1, 'file.created', 'rev_1'), eventOf(2, 'file.deleted', 'rev_2')];
  expect(await server.eventAt(await cursorOf(other), signal)).toBeNull();
  expect(await server.eventAt('opaque', signal)).toBeNull();
});

it('names the newest revision before an event', async () => {
  const server = serverOf(feed);
  expect(await server.revisionBefore(await cursorOf(feed), signal)).toBe(2);
  expect(await server.revisionBefore(await cursorOf(feed.slice(0, 2)), signal)).toBe(1);
  expect(await server.revisionBefore(await cursorOf(feed.slice(0, 1)), signal)).toBeNull();
});
