// A storm of webhooks at full rate: duplicates, late ones, out of order, broken, hot paths, a queue that is too small. The
// workspace must end where a model says, and the counters must add up to the last envelope.
import { expect, it } from 'vitest';
import type { IngressRow, Store } from '../../server/store/port.ts';
import { ingestWorkspace, openIngest, type TestIngest } from '../support/ingest.ts';
import { scaled } from '../support/scale.ts';

const webhooks = scaled(5_000, 100_000);
const senders = 64;
const queueCapacity = 40;
const hotPaths = 8;
const providers = ['hub', 'mail', 'crm'] as const;

type Random = (below: number) => number;

/** Mulberry32: the same storm for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Hook {
  readonly provider: string;
  readonly deliveryId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAtMs: number | null;
  readonly kind: 'timed' | 'ordered' | 'ignored' | 'broken';
}

/** What a file should be in the end, by its path. */
type Model = Map<string, string>;

/** Each key's own story: who is newest by the provider's time wins, wherever it stands in the storm. */
function timedHooks(random: Random, nowMs: number, count: number, model: Model): Hook[] {
  const newest = new Map<string, { atMs: number; path: string | null; content: string }>();
  const times = Array.from({ length: count }, (_, index) => nowMs - 1 - index);
  for (let index = times.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    [times[index], times[other]] = [times[other] ?? 0, times[index] ?? 0];
  }
  const hooks = times.map((occurredAtMs, index): Hook => {
    const provider = providers[random(providers.length)] ?? 'hub';
    const hot = random(2) === 0;
    const isObject = random(3) === 0;
    const name = `${isObject ? 'object' : 'file'}-${hot ? random(hotPaths) : random(count)}`;
    // An object wanders between places of its own.
    const path = `/${provider}/${name}${isObject ? `/at-${random(3)}` : ''}.md`;
    const deletes = random(6) === 0;
    const content = `timed ${index}`;
    const key = `${provider}/${name}`;
    const before = newest.get(key);
    if (before === undefined || before.atMs < occurredAtMs) {
      newest.set(key, { atMs: occurredAtMs, path: deletes ? null : path, content });
    }
    const data = { ...(deletes ? {} : { content }), ...(isObject ? { providerObjectId: name } : {}) };
    const payload = { event_type: deletes ? 'file.deleted' : 'file.updated', path, data };
    return { provider, deliveryId: `timed-${index}`, payload, occurredAtMs, kind: 'timed' };
  });
  for (const { path, content } of newest.values()) if (path !== null) model.set(path, content);
  return hooks;
}

/** Without a time the order of arrival rules: one sender each, one after the other. */
function orderedHooks(random: Random, sender: number, count: number, model: Model): Hook[] {
  return Array.from({ length: count }, (_, index): Hook => {
    const path = `/hub/ordered-${sender}-${random(3)}.md`;
    const deletes = random(5) === 0;
    const content = `ordered ${sender} ${index}`;
    if (deletes) model.delete(path);
    else model.set(path, content);
    const payload = {
      event_type: deletes ? 'file.deleted' : 'file.created',
      path,
      data: deletes ? {} : { content },
    };
    return {
      provider: 'hub',
      deliveryId: `o-${sender}-${index}`,
      payload,
      occurredAtMs: null,
      kind: 'ordered',
    };
  });
}

function noise(random: Random, count: number): Hook[] {
  const broken: Readonly<Record<string, unknown>>[] = [
    { event_type: 'file.updated', path: '/a/../b', data: { content: 'x' } },
    { event_type: 'file.updated', path: '/hub/x', data: { content: '***', encoding: 'base64' } },
    { event_type: 'file.updated', path: '/hub/x', data: {} },
    { event_type: 'file updated?', path: '/hub/x', data: { content: 'x' } },
    { event_type: 'file.updated', path: `/hub/${'n'.repeat(256)}`, data: { content: 'x' } },
    { event_type: 'file.updated', path: '/hub/x', data: 'no object' },
  ];
  return Array.from({ length: count }, (_, index): Hook => {
    const provider = providers[random(providers.length)] ?? 'hub';
    const ignored = random(2) === 0;
    const payload = ignored
      ? { event_type: 'issue.opened', path: '/hub/x', data: {} }
      : (broken[random(broken.length)] ?? {});
    return {
      provider,
      deliveryId: `noise-${index}`,
      payload,
      occurredAtMs: null,
      kind: ignored ? 'ignored' : 'broken',
    };
  });
}

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
  const model: Model = new Map();
  const timed = timedHooks(random, given.clock.nowMs(), Math.floor(webhooks * 0.6), model);
  const rest = noise(random, Math.floor(webhooks * 0.1));
  const ordered = Array.from({ length: senders / 4 }, (_, sender) =>
    orderedHooks(random, sender, Math.floor((webhooks * 0.3) / (senders / 4)), model),
  );
  const sent: Sent = { duplicates: 0, full: 0 };
  const anyOrder = [...timed, ...rest];
  for (let index = anyOrder.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    const hook = anyOrder[index];
    const swapped = anyOrder[other];
    if (hook === undefined || swapped === undefined) throw new Error('a hook is missing');
    anyOrder[index] = swapped;
    anyOrder[other] = hook;
  }
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

  expect(await filesOf(given.store)).toEqual(new Map([...model].sort(([a], [b]) => (a < b ? -1 : 1))));

  const accepted = timed.length + rest.length + ordered.flat().length;
  const total = sumOf(await given.store.ingest.ingress(ingestWorkspace));
  const ignored = rest.filter((hook) => hook.kind === 'ignored').length;
  expect(total).toMatchObject({
    accepted,
    deduped: sent.duplicates,
    dropped: sent.full,
    ignored,
    dead: rest.length - ignored,
    deadLettered: rest.length - ignored,
    pending: 0,
    suppressed: 0,
    retried: 0,
  });
  const { applied, coalesced, stale } = total;
  expect(applied + coalesced + stale).toBe(timed.length + ordered.flat().length);
  expect(await given.store.ingest.queue()).toEqual({ pending: 0, bytes: 0 });
  expect(await given.store.maintenance.integrityCheck()).toEqual([]);
  const events = await countEvents(given.store);
  expect(events.get('sync.stale') ?? 0).toBe(stale);
  expect(events.get('sync.ignored') ?? 0).toBe(ignored);
  expect(events.get('sync.error') ?? 0).toBe(rest.length - ignored);
  process.stderr.write(
    `webhook storm: ${accepted} accepted, ${applied} applied, ${coalesced} coalesced, ${stale} stale, ${sent.full} refused for want of room, ${sent.duplicates} repeated; ${Math.round((accepted / tookMs) * 1000)}/s\n`,
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

async function filesOf(store: Store): Promise<Model> {
  const files: Model = new Map();
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
