import { expect, it } from 'vitest';
import { RecentEnvelopes } from '../../../../server/store/tables/inbound/recent-envelopes.ts';

const windowMs = 3_000;

function shapeOf(path: string, objectId: string | null = null) {
  return { kind: 'upsert', path, objectId, hasContentType: true, hasSemantics: false } as const;
}

it('the newest of a file is remembered for the window, each object of a provider by itself', () => {
  const recent = new RecentEnvelopes();
  recent.note(1, 'hub', shapeOf('/hub/a'), { number: 1, atMs: 1_000, windowMs });
  recent.note(1, 'hub', shapeOf('/hub/a', 'o-1'), { number: 2, atMs: 1_000, windowMs });
  recent.note(1, 'hub', shapeOf('/hub/a'), { number: 3, atMs: 2_000, windowMs });
  const asked = () => [
    recent.newestOf(1, 'hub', shapeOf('/hub/a')),
    recent.newestOf(1, 'hub', shapeOf('/hub/a', 'o-1')),
    recent.newestOf(2, 'hub', shapeOf('/hub/a')),
    recent.newestOf(1, 'other', shapeOf('/hub/a')),
  ];
  expect(asked()).toEqual([3, 2, null, null]);
  // A later one of another file ends the first window, but not what came at its end.
  recent.note(1, 'hub', shapeOf('/hub/b'), { number: 4, atMs: 4_500, windowMs });
  expect(asked()).toEqual([3, 2, null, null]);
  recent.note(1, 'hub', shapeOf('/hub/c'), { number: 5, atMs: 7_600, windowMs });
  expect(asked()).toEqual([null, null, null, null]);
});

it('holds a bounded number of files, and a clock that goes back breaks nothing', () => {
  const recent = new RecentEnvelopes();
  for (let number = 1; number <= 250_000; number += 1) {
    recent.note(1, 'hub', shapeOf(`/hub/${number}`), { number, atMs: 250_000 - number, windowMs });
  }
  expect(recent.newestOf(1, 'hub', shapeOf('/hub/1'))).toBeNull();
  expect(recent.newestOf(1, 'hub', shapeOf('/hub/250000'))).toBe(250_000);
});
