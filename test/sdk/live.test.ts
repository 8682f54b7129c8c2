import { expect, it, onTestFinished } from 'vitest';
import { type EventFrame, type LiveState, MooringClient, type SubscribeOptions } from '../../sdk/index.ts';
import { answer, type Script, startPeer } from '../support/fake-peer.ts';
import { waitFor } from '../support/wait-for.ts';

/** A feed of the agent: numbers from 1, read by page, sent to sockets from a cursor. */
class Feed {
  readonly events: EventFrame[] = [];
  add(path = '/a'): EventFrame {
    const event: EventFrame = {
      eventId: `evt_${this.events.length + 1}`,
      type: 'file.updated',
      path,
      revision: 'rev_1',
      origin: 'agent_write',
      timestamp: '2026-01-01T00:00:00Z',
    };
    this.events.push(event);
    return event;
  }
  readonly answer: Script['onRequest'] = (_, response, url) => {
    const cursor = Number(url.searchParams.get('cursor')?.slice(4) ?? 0);
    const prefix = url.searchParams.get('path') ?? '/';
    const below = this.events.filter((event) => prefix === '/' || `${event.path}/`.startsWith(`${prefix}/`));
    const events =
      url.searchParams.get('direction') === 'desc'
        ? below.slice(-1)
        : below.filter((event) => Number(event.eventId.slice(4)) > cursor);
    answer(response, 200, { events, nextCursor: null });
  };
}

function follow(url: string, options: Partial<SubscribeOptions> = {}) {
  const seen: string[] = [];
  const states: LiveState['kind'][] = [];
  const client = new MooringClient({ baseUrl: url, token: 't', retry: { retries: 0 } });
  const subscription = client.subscribe('rw_a', {
    onEvent: (event) => seen.push(event.eventId),
    onState: (state) => states.push(state.kind),
    ...options,
  });
  onTestFinished(async () => {
    subscription.close();
    await subscription.closed;
  });
  return { seen, states, subscription };
}

const frame = (event: EventFrame) => JSON.stringify(event);

it('starts with the next event and delivers events in order', async () => {
  const feed = new Feed();
  feed.add();
  const peer = await startPeer({
    onRequest: feed.answer,
    onSocket: (socket) => {
      socket.send(frame(feed.add()));
      socket.send(frame(feed.add()));
    },
  });
  const { seen, states } = follow(peer.url);
  await waitFor('two events', () => seen.length === 2);
  expect(seen).toEqual(['evt_2', 'evt_3']);
  expect(states).toEqual(['live']);
});

it('continues after the last event when the socket breaks, without gaps and duplicates', async () => {
  const feed = new Feed();
  feed.add();
  const cursors: (string | null)[] = [];
  const peer = await startPeer({
    onRequest: feed.answer,
    onSocket: (socket, url) => {
      cursors.push(url.searchParams.get('cursor'));
      if (cursors.length === 1) {
        socket.send(frame(feed.add()));
        // This event is committed while no socket is open.
        feed.add();
        socket.close(1013, 'overflow');
      } else {
        // A server may repeat events after a reconnect.
        for (const event of feed.events) socket.send(frame(event));
        socket.send(frame(feed.add()));
      }
    },
  });
  const { seen } = follow(peer.url);
  await waitFor('the event after the reconnect', () => seen.includes('evt_4'));
  expect(seen).toEqual(['evt_2', 'evt_3', 'evt_4']);
  expect(cursors).toEqual(['evt_1', 'evt_3']);
});

it('delivers events committed between the read of the feed and the opening of the socket', async () => {
  const feed = new Feed();
  const peer = await startPeer({
    onRequest: feed.answer,
    onSocket: (socket) => {
      feed.add();
      socket.send(frame(feed.add()));
    },
  });
  const { seen } = follow(peer.url);
  await waitFor('both events', () => seen.length === 2);
  expect(seen).toEqual(['evt_1', 'evt_2']);
});

it('delivers all retained events with from: start', async () => {
  const feed = new Feed();
  feed.add();
  feed.add();
  const peer = await startPeer({ onRequest: feed.answer, onSocket: () => undefined });
  const { seen, states } = follow(peer.url, { from: 'start' });
  await waitFor('the socket', () => states.includes('live'));
  expect(seen).toEqual(['evt_1', 'evt_2']);
});

it('polls the feed when no socket is available, and reports the state', async () => {
  const feed = new Feed();
  const peer = await startPeer({ onRequest: feed.answer });
  const { seen, states, subscription } = follow(peer.url);
  await waitFor('polling', () => states.includes('polling'));
  feed.add();
  await waitFor('the event', () => seen.length === 1);
  expect(subscription.state).toMatchObject({ kind: 'polling' });
});

it('reports an offline agent and continues when it is back', async () => {
  const feed = new Feed();
  const script: Script = {
    onRequest: feed.answer,
    onSocket: (socket, url) => {
      const after = Number(url.searchParams.get('cursor')?.slice(4) ?? 0);
      for (const event of feed.events.slice(after)) socket.send(frame(event));
    },
  };
  feed.add();
  const peer = await startPeer(script);
  const { seen, states, subscription } = follow(peer.url);
  await waitFor('live', () => states.includes('live'));
  await peer.close();
  await waitFor('offline', () => states.includes('offline'));
  expect(subscription.state).toMatchObject({ kind: 'offline' });
  feed.add();
  await startPeer(script, Number(new URL(peer.url).port));
  await waitFor('the missed event', () => seen.length === 1);
  await waitFor('live again', () => subscription.state.kind === 'live');
  expect(seen).toEqual(['evt_2']);
});

it('ends with an error that a retry cannot change', async () => {
  const peer = await startPeer({
    onRequest: (_, response) => answer(response, 401, { code: 'unauthorized', message: 'token expired' }),
  });
  const { subscription } = follow(peer.url);
  await subscription.closed;
  expect(subscription.state).toMatchObject({ kind: 'closed', error: { code: 'unauthorized' } });
});

it('reports a gap when its cursor is no longer retained, and starts again', async () => {
  const feed = new Feed();
  for (let count = 0; count < 5; count += 1) feed.add();
  let opened = 0;
  const peer = await startPeer({
    onRequest: feed.answer,
    onSocket: (socket) => {
      opened += 1;
      if (opened === 1) socket.close(4410, 'cursor expired');
    },
  });
  let gaps = 0;
  const { states } = follow(peer.url, { from: 'evt_5', onGap: () => (gaps += 1) });
  await waitFor('live again', () => opened === 2 && states.at(-1) === 'live');
  expect(gaps).toBe(1);
});

it('filters by path and reads the feed below each path in commit order', async () => {
  const feed = new Feed();
  for (const path of ['/a/1', '/b/1', '/c/1', '/a/2', '/b/2/deep']) feed.add(path);
  const peer = await startPeer({ onRequest: feed.answer, onSocket: () => undefined });
  const { seen, states } = follow(peer.url, { from: 'start', paths: ['/a/**', '/b/*'] });
  await waitFor('live', () => states.includes('live'));
  expect(seen).toEqual(['evt_1', 'evt_2', 'evt_4']);
});

it('ends with the error of its listener', async () => {
  const feed = new Feed();
  feed.add();
  const peer = await startPeer({
    onRequest: feed.answer,
    onSocket: (socket) => socket.send(frame(feed.add())),
  });
  const { subscription } = follow(peer.url, {
    onEvent: () => {
      throw new Error('my bug');
    },
  });
  await subscription.closed;
  expect(subscription.state).toMatchObject({ kind: 'closed', error: { message: 'my bug' } });
});

it('stops immediately when it is closed or its signal aborts, and closes the socket', async () => {
  const feed = new Feed();
  feed.add();
  const peer = await startPeer({ onRequest: feed.answer, onSocket: () => undefined });
  const stop = new AbortController();
  const { states, subscription } = follow(peer.url, { signal: stop.signal });
  await waitFor('live', () => states.includes('live'));
  stop.abort();
  await subscription.closed;
  expect(subscription.state).toEqual({ kind: 'closed', error: null });
  await waitFor('the socket to close', () =>
    peer.sockets.every((socket) => socket.readyState === socket.CLOSED),
  );
});
