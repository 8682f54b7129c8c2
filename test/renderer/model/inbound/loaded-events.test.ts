import { expect, it } from 'vitest';
import {
  eventsMax,
  type LoadedEvents,
  type LoadStep,
  noEvents,
  withStep,
} from '../../../../renderer/model/inbound/loaded-events.ts';
import type { EventFrame } from '../../../../server/contract/events.ts';

/** Events from `newest` down to `oldest`. */
function events(newest: number, oldest: number): readonly EventFrame[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => {
    const eventId = `evt_${newest - index}`;
    return { eventId, type: 'file.updated', path: '/a', revision: `rev_${newest - index}` } as EventFrame;
  });
}

function page(newest: number, oldest: number, after: string | null = null): LoadStep {
  return { kind: 'page', events: events(newest, oldest), hasOlder: oldest > 1, after };
}

function after(...steps: readonly LoadStep[]): LoadedEvents {
  return steps.reduce(withStep, noEvents);
}

function numbers({ events: held }: LoadedEvents): readonly number[] {
  return held.map(({ eventId }) => Number(eventId.slice(4)));
}

const interruption: LoadStep = { kind: 'interruption' };

it('live events come before a page, once each', () => {
  const held = after({ kind: 'live', events: events(9, 8) }, page(8, 6), page(5, 1, 'evt_6'));
  expect(numbers(held)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(held).toMatchObject({ state: 'ready', hasOlder: false });
});

it('after an interruption, a page that reaches the loaded events is added to them', () => {
  const held = after(page(5, 3), interruption, { kind: 'live', events: events(9, 9) }, page(9, 5));
  expect(numbers(held)).toEqual([9, 8, 7, 6, 5, 4, 3]);
});

it('after an interruption, a page that does not reach the loaded events replaces them', () => {
  const live: LoadStep = { kind: 'live', events: events(99, 99) };
  const held = after(page(5, 1), interruption, live, page(98, 95));
  expect(numbers(held)).toEqual([99, 98, 97, 96, 95]);
  expect(held.hasOlder).toBe(true);
  expect(numbers(withStep(held, page(94, 1, 'evt_95')))).toHaveLength(99);
});

it('a page without older events is all there is', () => {
  const held = after(page(5, 4), interruption, { ...page(9, 8), hasOlder: false } as LoadStep);
  expect(numbers(held)).toEqual([9, 8, 5, 4]);
});

it('an older page is ignored when the events that it continues were replaced', () => {
  const older: LoadStep = { kind: 'older' };
  const held = after(page(50, 40), older, interruption, page(99, 95), page(39, 30, 'evt_40'));
  expect(numbers(held)).toEqual([99, 98, 97, 96, 95]);
  expect(held.readingOlder).toBe(false);
});

it('a failed load after an interruption is counted until a page of the newest events is loaded', () => {
  const failed: LoadStep = { kind: 'failed', error: 'offline' };
  const held = after(page(5, 1), interruption, failed, interruption, failed);
  expect(held).toMatchObject({ state: 'ready', failures: 2, interruptedAt: 5 });
  expect(withStep(held, page(6, 4))).toMatchObject({ failures: 0, interruptedAt: null, error: null });
});

it('the oldest events are dropped first', () => {
  const held = after(page(eventsMax + 10, 11), {
    kind: 'live',
    events: events(eventsMax + 12, eventsMax + 11),
  });
  expect(numbers(held)).toHaveLength(eventsMax);
  expect(numbers(held).at(-1)).toBe(13);
  expect(held.hasOlder).toBe(true);
});
