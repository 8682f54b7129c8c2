import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RevisionActors } from '../../renderer/api/revision-actors.ts';
import type { HistoryEntry } from '../../server/contract/history.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A history of `rev_1` to `rev_<newest()>` in pages of ten; each revision by the agent of its number. */
function history(newest: () => number) {
  const asked: (string | null)[] = [];
  const read = async (cursor: string | null) => {
    asked.push(cursor);
    const from = cursor === null ? newest() : Number(cursor);
    const numbers = Array.from({ length: Math.min(10, from) }, (_, index) => from - index);
    const entries = numbers.map((number) => ({
      revision: `rev_${number}`,
      actor: { kind: 'token', name: `agent-${number}` },
    })) as unknown as HistoryEntry[];
    return { entries, nextCursor: from > 10 ? String(from - 10) : null };
  };
  return { asked, read };
}

it('reads as far as events are shown, each page once, and live ones from the top', async () => {
  let newest = 35;
  const { asked, read } = history(() => newest);
  const actors = new RevisionActors(read);
  actors.request(30, 35);
  await vi.runAllTimersAsync();
  expect(asked).toEqual([null]);
  expect(actors.names.get().get('rev_30')?.name).toBe('agent-30');
  actors.request(12, 35);
  await vi.runAllTimersAsync();
  expect(asked).toEqual([null, '25', '15']);
  expect(actors.names.get().get('rev_12')?.name).toBe('agent-12');
  newest = 50;
  actors.request(12, 50);
  actors.request(12, 50);
  await vi.runAllTimersAsync();
  expect(asked.slice(3)).toEqual([null, '40']);
  expect(actors.names.get().size).toBe(50 - 5);
  actors.request(1, 50);
  await vi.runAllTimersAsync();
  expect(asked.slice(5)).toEqual(['5']);
  // Nothing is asked for twice, nor beyond the end.
  actors.request(1, 50);
  await vi.runAllTimersAsync();
  expect(asked).toHaveLength(6);
});

it('a list of a folder reads no more older pages than it may', async () => {
  let newest = 100;
  const { asked, read } = history(() => newest);
  const actors = new RevisionActors(read, 2);
  actors.request(1, 100);
  await vi.runAllTimersAsync();
  expect(asked).toEqual([null, '90', '80']);
  newest = 101;
  actors.request(1, 101);
  await vi.runAllTimersAsync();
  expect(asked.slice(3)).toEqual([null]);
  expect(actors.names.get().get('rev_101')?.name).toBe('agent-101');
  expect(actors.names.get().has('rev_70')).toBe(false);
});

it('an agent that does not answer leaves events without a name until the next is shown', async () => {
  const { read } = history(() => 5);
  const answer = vi.fn(read).mockRejectedValueOnce(new Error('away'));
  const actors = new RevisionActors(answer);
  actors.request(1, 5);
  await vi.runAllTimersAsync();
  expect(actors.names.get().size).toBe(0);
  actors.request(1, 5);
  await vi.runAllTimersAsync();
  expect(actors.names.get().get('rev_5')?.name).toBe('agent-5');
});

it('a revision that the history does not have ends the search', async () => {
  const actors = new RevisionActors(async () => ({ entries: [], nextCursor: null }));
  actors.request(7, 9);
  await vi.runAllTimersAsync();
  expect(actors.names.get().size).toBe(0);
});
