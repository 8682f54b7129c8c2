// A storm of webhooks at full rate, straight into the room that takes them in, with a queue that is too small. The workspace must
// end where a model says, the counters must add up to the last envelope, and so must the feed. Through a real agent over HTTP,
// with a bound on its memory: test/flow/webhook-storm.test.ts.
import { expect, it } from 'vitest';
import type { IngressRow, Store } from '../../server/store/port/store.ts';
import { ingestWorkspace, openIngest, type TestIngest } from '../support/ingest.ts';
import { scaled } from '../support/scale.ts';
import { type Hook, makeStorm, type Random, randomFrom } from '../support/webhook-storm.ts';

const webhooks = scaled(3_000, 100_000);
const senders = 64;
const queueCapacity = 40;

interface Sent {
  duplicates: number;
  full: number;
}

async function send(given: TestIngest, random: Random, hook: Hook, sent: Sent): Promise<void> {
  const times = random(10) === 0 ? 2 : 1;
  for (let time = 0; time < times; time += 1) {
    for (;;) {
      const id = await given.deliver('', '', {}, { ...hook, correlationId: hook.deliveryId });
      if (id !== null) break;
      sent.full += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    sent.duplicates += time;
  }
}

it('converges to the model, and every envelope is counted once', async () => {
  const seed = Number(process.env.MOORING_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`webhook storm: seed ${seed} (replay with MOORING_TEST_SEED=${seed})\n`);
  const random = randomFrom(seed);
  const given = await openIngest({ settings: { queueCapacity } });
  const { ordered, ignored, broken, total, model, ...storm } = makeStorm(random, {
    webhooks,
    orderedSenders: senders / 4,
    contentBytes: 0,
    nowMs: given.clock.nowMs(),
  });
  const sent: Sent = { duplicates: 0, full: 0 };
  const anyOrder = [...storm.anyOrder];
  const begun = performance.now();
  await Promise.all([
    ...ordered.map(async (hooks) => {
      for (const hook of hooks) await send(given, random, hook, sent);
    }),
    ...Array.from({ length: senders }, async () => {
      for (let hook = anyOrder.pop(); hook !== undefined; hook = anyOrder.pop()) {
        await send(given, random, hook, sent);
      }
    }),
  ]);
  await given.ingest.idle();
  const tookMs = performance.now() - begun;

  expect(await filesOf(given.store)).toEqual(model);

  const counted = sumOf(await given.store.ingest.ingress(ingestWorkspace));
  expect(counted).toMatchObject({
    accepted: total,
    deduped: sent.duplicates,
    dropped: sent.full,
    ignored,
    dead: broken,
    deadLettered: broken,
    pending: 0,
    suppressed: 0,
    retried: 0,
  });
  const { applied, coalesced, stale } = counted;
  expect(applied + coalesced + stale).toBe(total - ignored - broken);
  expect(await given.store.ingest.queue()).toEqual({ pending: 0, bytes: 0 });
  expect(await given.store.maintenance.integrityCheck()).toEqual([]);
  const events = await countEvents(given.store);
  expect(events.get('sync.stale') ?? 0).toBe(stale);
  expect(events.get('sync.ignored') ?? 0).toBe(ignored);
  expect(events.get('sync.error') ?? 0).toBe(broken);
  process.stderr.write(
    `webhook storm: ${total} accepted, ${applied} applied, ${coalesced} coalesced, ${stale} stale, ${sent.full} refused for want of room, ${sent.duplicates} repeated; ${Math.round((total / tookMs) * 1000)}/s\n`,
  );
});

function sumOf(rows: readonly IngressRow[]) {
  const sum = (read: (row: IngressRow) => number) => rows.reduce((total, row) => total + read(row), 0);
  return {
    accepted: sum((row) => row.accepted),
    deduped: sum((row) => row.deduped),
    dropped: sum((row) => row.dropped),
    applied: sum((row) => row.applied),
    coalesced: sum((row) => row.coalesced),
    stale: sum((row) => row.stale),
    ignored: sum((row) => row.ignored),
    suppressed: sum((row) => row.suppressed),
    retried: sum((row) => row.retried),
    dead: sum((row) => row.dead),
    deadLettered: sum((row) => row.deadLettered),
    pending: sum((row) => row.pending),
  };
}

async function filesOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (let after: string | null = null; ; ) {
    const page = await store.files.list(ingestWorkspace, '/', after, 1_000);
    for (const entry of page) {
      const bytes = await store.files.read(entry.hash);
      files.set(entry.path, Buffer.from(bytes ?? []).toString('utf8'));
    }
    const last = page.at(-1);
    if (last === undefined) return files;
    after = last.path;
  }
}

async function countEvents(store: Store): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let from: number | null = null; ; ) {
    const page = await store.events.list(ingestWorkspace, {
      direction: 'asc',
      from,
      limit: 1_000,
      pathPrefix: null,
      provider: null,
      access: null,
    });
    for (const { type } of page.events) counts.set(type, (counts.get(type) ?? 0) + 1);
    if (!page.more) return counts;
    from = page.scannedTo;
  }
}
