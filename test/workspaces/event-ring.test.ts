// Pages assembled from encoded events are those that the store would show, whatever is kept, dropped or added meanwhile.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedChangeCounters } from '../../server/store/writer/change-counters.ts';
import type { EventRow } from '../../server/workspaces/event-feed.ts';
import { EventRing } from '../../server/workspaces/event-ring.ts';
import { eventText } from '../../server/workspaces/event-text.ts';

const workspaceId = 'rw_ring';

function row(seq: number, pathLength: number): EventRow {
  return {
    seq,
    workspaceId,
    type: 'file.created',
    path: `/${'é'.repeat(pathLength)}${seq}`,
    revision: seq,
    hash: null,
    origin: 'agent_write',
    provider: null,
    correlationId: '',
    atMs: seq,
  };
}

function ringOver(bytesMax?: number) {
  const rows: EventRow[] = [];
  const changes = new SharedChangeCounters();
  const state = { isOpen: true, areOpen: true, reads: 0 };
  const source = {
    async after(_workspaceId: string, from: number, limit: number) {
      state.reads += 1;
      const found = rows.filter(({ seq }) => seq > from);
      const { isOpen, areOpen } = state;
      return { events: found.slice(0, limit), more: found.length > limit, areOpen, isOpen };
    },
  };
  return {
    rows,
    state,
    changes,
    ring: new EventRing(source, changes, bytesMax),
    commit: (change: () => void) => changes.during([], [workspaceId], change),
  };
}

type Ring = ReturnType<typeof ringOver>;
const subject = { workspaceId, agent: 'reader', scopes: [] };

async function pageOf({ ring }: Ring, from: number, limit: number, access: typeof subject | null = null) {
  const page = await ring.page(workspaceId, { from, limit, access });
  if (page === null) return null;
  const text = Buffer.concat(page.parts).toString();
  return { text: text.slice(0, -1), next: page.next };
}

function expected(rows: readonly EventRow[], from: number, limit: number) {
  const found = rows.filter(({ seq }) => seq > from);
  const shown = found.slice(0, limit);
  return {
    text: shown.map(eventText).join(','),
    next: found.length > limit ? (shown.at(-1)?.seq ?? null) : null,
  };
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    gap: fc.integer({ min: 1, max: 5 }),
    count: fc.integer({ min: 1, max: 400 }),
  }),
  fc.record({
    kind: fc.constant('page' as const),
    at: fc.double({ min: 0, max: 1.1, noNaN: true }),
    limit: fc.integer({ min: 1, max: 1000 }),
  }),
);

describe('a page of encoded events', () => {
  it('is what the store would show, with any memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 20 }),
        fc.constantFrom(1, 100_000, 1_000_000),
        fc.boolean(),
        async (steps, bytesMax, isOwner) => {
          const made = ringOver(bytesMax);
          for (const one of steps) {
            const last = made.rows.at(-1)?.seq ?? 0;
            if (one.kind === 'add') {
              made.commit(() => {
                for (let n = 1; n <= one.count; n += 1) made.rows.push(row(last + n * one.gap, n % 90));
              });
            } else {
              const from = Math.floor(one.at * last);
              const [page, twin] = await Promise.all([
                pageOf(made, from, one.limit, isOwner ? null : subject),
                pageOf(made, Math.max(0, from - 3), one.limit, isOwner ? null : subject),
              ]);
              expect(page).toEqual(expected(made.rows, from, one.limit));
              expect(twin).toEqual(expected(made.rows, Math.max(0, from - 3), one.limit));
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is encoded and read once while nothing changes, and its memory is bounded', async () => {
    const made = ringOver(1_000_000);
    made.commit(() => made.rows.push(...Array.from({ length: 20_000 }, (_, n) => row(n + 1, 20))));
    await pageOf(made, 19_000, 500);
    const { reads } = made.state;
    await pageOf(made, 19_000, 500);
    await pageOf(made, 19_200, 300);
    expect(made.state.reads).toBe(reads);
    for (let from = 0; from < 20_000; from += 1000) await pageOf(made, from, 1000);
    // One read more than the limit: its own events remain until they are part of the page.
    expect(made.ring.bytes).toBeLessThan(1_000_000 + 500_000);
  });

  it('is left to the access rules where there are any, also where they are new', async () => {
    const made = ringOver();
    made.commit(() => made.rows.push(row(1, 1)));
    expect(await pageOf(made, 0, 10, subject)).not.toBeNull();
    made.commit(() => {
      made.state.isOpen = false;
    });
    expect(await pageOf(made, 0, 10, subject)).toBeNull();
    expect(await pageOf(made, 0, 10, null)).not.toBeNull();
    made.commit(() => {
      Object.assign(made.state, { isOpen: true, areOpen: false });
      made.rows.push(row(2, 1));
    });
    expect(await pageOf(made, 0, 10, subject)).toBeNull();
  });

  it('shows nothing that retention has deleted, and asks the store while it deletes', async () => {
    const made = ringOver();
    made.commit(() => made.rows.push(row(1, 1), row(2, 1)));
    await pageOf(made, 0, 10);
    const retention = { name: 'apply_retention', input: {} } as never;
    let during: unknown;
    made.changes.during([retention], [], () => {
      during = made.changes.ofEvery();
      made.rows.shift();
    });
    expect(during).toBeNull();
    expect(await pageOf(made, 0, 10)).toEqual(expected(made.rows, 0, 10));
  });
});
