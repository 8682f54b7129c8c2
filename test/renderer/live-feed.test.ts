import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FeedOptions, LiveFeed, streamsMax } from '../../renderer/api/live-feed.ts';
import { refreshAfterEvents } from '../../renderer/api/use-live-refresh.ts';
import { UnauthorizedError } from '../../sdk/index.ts';
import type { EventFrame } from '../../server/contract/events.ts';

type Handlers = Parameters<FeedOptions['open']>[1];

const frame = (number: number, timestamp = '2026-11-20T11:11:50.481Z'): EventFrame => ({
  eventId: `evt_${number}`,
  type: 'file.updated',
  path: '/a.md',
  revision: `rev_${number}`,
  origin: 'agent_write',
  timestamp,
});

/** A feed whose streams the test plays. */
function feedOf() {
  const streams = new Map<string, Handlers>();
  const gaps: string[] = [];
  const feed = new LiveFeed({
    open: (workspaceId, handlers) => {
      streams.set(workspaceId, handlers);
      return {
        state: { kind: 'connecting' },
        cursor: null,
        closed: Promise.resolve(),
        close: () => streams.delete(workspaceId),
      };
    },
    onEvents: () => undefined,
    onGap: (workspaceId) => gaps.push(workspaceId),
    onBroken: () => undefined,
  });
  const streamOf = (workspaceId: string): Handlers => {
    const stream = streams.get(workspaceId);
    if (stream === undefined) throw new Error(`no stream of ${workspaceId}`);
    return stream;
  };
  return { feed, streams, streamOf, gaps };
}

const many = Array.from({ length: streamsMax + 2 }, (_, number) => `rw_${number}`);
const [beyond = '', last = ''] = many.slice(streamsMax);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('the workspace that is viewed is live, among any number of workspaces', () => {
  const { feed, streams, streamOf, gaps } = feedOf();
  feed.follow(many);
  expect(streams.size).toBe(streamsMax);
  expect(streams.has(beyond)).toBe(false);
  feed.view(beyond);
  expect(streams.size).toBe(streamsMax);
  expect(streams.has('rw_0')).toBe(true);
  // What was loaded of it before may be outdated: told once, when nothing more can be missed.
  expect(gaps).toEqual([]);
  streamOf(beyond).onState({ kind: 'live' });
  streamOf(beyond).onState({ kind: 'connecting' });
  streamOf(beyond).onState({ kind: 'live' });
  expect(gaps).toEqual([beyond]);
  streamOf('rw_0').onState({ kind: 'live' });
  expect(gaps).toEqual([beyond]);
  expect(feed.follow(many)).toContain(beyond);
  feed.view(last);
  expect(streams.has(beyond)).toBe(false);
  expect(streams.has(last)).toBe(true);
  // Left and viewed again.
  feed.view(beyond);
  streamOf(beyond).onState({ kind: 'live' });
  expect(gaps).toEqual([beyond, beyond]);
});

it('a stream whose token was refused opens again with the next status, after a gap', () => {
  const { feed, streams, streamOf, gaps } = feedOf();
  feed.follow(['rw_a', 'rw_b']);
  const error = new UnauthorizedError({
    status: 401,
    code: 'unauthorized',
    message: 'the token is not valid',
    correlationId: 'c',
    body: {},
    retryAfterMs: null,
  });
  const refused = streamOf('rw_a');
  refused.onState({ kind: 'closed', error });
  streamOf('rw_b').onState({ kind: 'live' });
  streams.clear();
  feed.follow(['rw_a', 'rw_b']);
  expect([...streams.keys()]).toEqual(['rw_a']);
  expect(feed.state.get()).toBe('connecting');
  streamOf('rw_a').onState({ kind: 'live' });
  expect(feed.state.get()).toBe('live');
  expect(gaps).toEqual(['rw_a']);
});

it('a list refetches after an event of its workspace, also when another workspace has a newer one', () => {
  const { feed, streamOf } = feedOf();
  feed.follow(['rw_a', 'rw_b']);
  const refetched: string[] = [];
  const end = refreshAfterEvents(feed, 'rw_a', () => refetched.push('a'));
  refreshAfterEvents(feed, 'rw_c', () => refetched.push('c'));
  refreshAfterEvents(feed, null, () => refetched.push('any'));
  streamOf('rw_a').onEvent(frame(1));
  streamOf('rw_b').onEvent(frame(2));
  vi.runAllTimers();
  expect(refetched.toSorted()).toEqual(['a', 'any']);
  // Missing events are a reason too.
  streamOf('rw_a').onGap();
  vi.runAllTimers();
  expect(refetched.toSorted()).toEqual(['a', 'a', 'any', 'any']);
  end();
  streamOf('rw_a').onEvent(frame(3));
  vi.runAllTimers();
  expect(refetched.filter((each) => each === 'a')).toHaveLength(2);
});

it('stored events are those that no stream delivered', () => {
  const { feed, streamOf } = feedOf();
  feed.follow(['rw_a']);
  streamOf('rw_a').onEvent(frame(3));
  vi.runAllTimers();
  const stored = [3, 2].map((number) => ({ workspaceId: 'rw_a', frame: frame(number) }));
  expect(feed.addStored(stored, true).map((each) => each.frame.eventId)).toEqual(['evt_2']);
  expect(feed.recent.get().map((each) => each.frame.eventId)).toEqual(['evt_3', 'evt_2']);
});
