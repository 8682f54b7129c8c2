import { describe, expect, it } from 'vitest';
import { operationSteps } from '../../../server/http/wire/operations.ts';
import { createLogger } from '../../../server/platform/observe/logger.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import {
  type OutboundHarness,
  outboundWorkspace,
  startOutboundHarness,
} from '../../support/outbound-harness.ts';
import { startProvider } from '../../support/provider.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Lets time pass, but not under a call: its time limit would be over before the provider process got a turn. */
async function pass(rig: OutboundHarness, clock: ManualClock, byMs: number): Promise<void> {
  const figures = await rig.store.writebacks.counts(outboundWorkspace);
  if (figures.every(({ running }) => running === 0)) clock.advance(byMs);
}

describe('an item', () => {
  it('is sent signed, with its content, its key and its correlation id, and ends succeeded', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    const opId = await rig.put('/git/a.md', 'hello', 'corr-7');
    const row = await rig.reaches(opId, 'succeeded');
    expect(row).toMatchObject({ attemptCount: 1, failures: 0, lastError: null, provider: 'git' });
    expect(provider.items).toMatchObject([
      {
        method: 'POST',
        id: opId,
        signed: true,
        type: 'file.updated',
        headers: {
          'idempotency-key': opId,
          'x-correlation-id': 'corr-7',
          'content-type': 'application/json',
        },
        data: {
          id: opId,
          workspaceId: outboundWorkspace,
          path: '/git/a.md',
          action: 'file_upsert',
          content: 'hello',
          encoding: 'utf-8',
          correlationId: 'corr-7',
          revision: `rev_${row.revision}`,
        },
      },
    ]);
    const { events } = await rig.store.events.list(outboundWorkspace, {
      direction: 'desc',
      from: null,
      limit: 1,
      pathPrefix: null,
      provider: null,
      access: null,
    });
    expect(events).toMatchObject([
      { type: 'writeback.succeeded', path: '/git/a.md', origin: 'system', correlationId: 'corr-7' },
    ]);
  });

  it('of a deletion carries no content; what the provider does not know any more is deleted', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    await rig.reaches(await rig.put('/git/a.md', 'hello'), 'succeeded');
    await provider.tell({ behaviour: { kind: 'status', status: 404 } });
    const opId = await rig.remove('/git/a.md');
    await rig.reaches(opId, 'succeeded');
    expect(provider.items.at(-1)).toMatchObject({ type: 'file.deleted', data: { action: 'file_delete' } });
    expect(provider.items.at(-1)?.data).not.toHaveProperty('content');
  });

  it('is not made for a path whose provider is not registered', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    const other = await rig.put('/docs/a.md', 'x');
    expect(await rig.op(other)).toMatchObject({ status: 'succeeded', attemptCount: 0 });
    await rig.reaches(await rig.put('/GIT/b.md', 'y'), 'succeeded');
    expect(provider.taken).toEqual(['/GIT/b.md y']);
  });

  it('refused with a 4xx is a dead letter at once, with the cause in words and as a code', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    const refusal = { kind: 'status', status: 403, body: '{"message":"not your repository"}' } as const;
    await provider.tell({ behaviour: refusal });
    const row = await rig.reaches(await rig.put('/git/a.md', 'x'), 'dead_lettered');
    expect(row).toMatchObject({
      attemptCount: 1,
      failureCode: 'forbidden',
      lastError: 'it answered 403: not your repository',
    });
    expect(provider.items).toHaveLength(1);
    const [figures] = await rig.store.writebacks.counts(outboundWorkspace);
    expect(figures).toMatchObject({ provider: 'git', deadLettered: 1, failureCodes: { forbidden: 1 } });
  });

  it('that keeps failing alone is a dead letter after the configured number of attempts', async () => {
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([
      startProvider(),
      startOutboundHarness({ clock, attempts: 3 }),
    ]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'status', status: 500 } });
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('the third attempt', async () => {
      await pass(rig, clock, 1_000);
      return (await rig.op(opId)).status === 'dead_lettered';
    });
    expect(await rig.op(opId)).toMatchObject({ attemptCount: 3, failureCode: 'provider_unavailable' });
    expect(provider.items.map((call) => call.id)).toEqual([opId, opId, opId]);
    const steps = await rig.store.operations.steps(outboundWorkspace, opId);
    expect(
      steps.map(({ kind, attempt, outcome, httpStatus }) => [kind, attempt, outcome, httpStatus]),
    ).toEqual([
      ['attempt', 1, 'failed', 500],
      ['attempt', 2, 'failed', 500],
      ['attempt', 3, 'failed', 500],
    ]);
    const pausesMs = steps.slice(0, 2).map((step) => (step.nextAttemptAtMs ?? 0) - (step.endedAtMs ?? 0));
    expect(pausesMs[0]).toBeGreaterThanOrEqual(250);
    expect(pausesMs[0]).toBeLessThanOrEqual(500);
    expect(pausesMs[1]).toBeGreaterThanOrEqual(500);
    expect(pausesMs[1]).toBeLessThanOrEqual(1_000);
  });
});

describe('an outage of minutes', () => {
  it.each([
    ['503', { kind: 'status', status: 503 }],
    ['500', { kind: 'status', status: 500 }],
    ['cut connections', { kind: 'drop', after: 'request' }],
  ] as const)(
    'of %s loses nothing: all is delivered in order per path, nothing twice',
    async (_, behaviour) => {
      const clock = createManualClock();
      const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock })]);
      await rig.addHttp('git', provider.url);
      await provider.tell({ behaviour });
      const paths = Array.from({ length: 12 }, (_, index) => `/git/${index}.md`);
      const opIds: string[] = [];
      for (const path of paths) opIds.push(await rig.put(path, 'one'));
      const callsAtLeast = async (count: number) =>
        await waitFor(`${count} calls`, async () => {
          await pass(rig, clock, 5_000);
          return provider.items.length >= count;
        });
      await callsAtLeast(6);
      for (const path of paths) opIds.push(await rig.put(path, 'two'));
      await callsAtLeast(12);
      const endsMs = clock.nowMs() + 5 * 60_000;
      const callsBefore = provider.items.length;
      await waitFor('five more minutes', async () => {
        await pass(rig, clock, 15_000);
        return clock.nowMs() >= endsMs;
      });
      // It is left alone most of the time.
      expect(provider.items.length - callsBefore).toBeLessThan(25);
      const statuses = await Promise.all(opIds.map(async (opId) => (await rig.op(opId)).status));
      expect(statuses.filter((status) => status !== 'pending' && status !== 'running')).toEqual([]);

      await provider.tell({ behaviour: { kind: 'take' } });
      await waitFor('everything to be delivered', async () => {
        await pass(rig, clock, 5_000);
        const rows = await Promise.all(opIds.map(async (opId) => await rig.op(opId)));
        return rows.every((row) => row.status === 'succeeded');
      });
      // What was written over while nobody took it goes with the newer one.
      const taken = [...provider.taken].sort();
      for (const path of paths) {
        const ofPath = provider.taken.filter((one) => one.startsWith(`${path} `));
        expect(ofPath.at(-1)).toBe(`${path} two`);
        expect(new Set(ofPath).size).toBe(ofPath.length);
      }
      expect(taken.length).toBeGreaterThanOrEqual(paths.length);
      expect(provider.items.every((call) => call.signed)).toBe(true);
    },
  );
});

describe('a provider', () => {
  it('that asks for time with Retry-After gets it, for every item', async () => {
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock })]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'status', status: 429, retryAfter: '120' } });
    const first = await rig.put('/git/a.md', 'x');
    await waitFor('the refusal', async () => (await rig.op(first)).nextAttemptAtMs !== null);
    await provider.tell({ behaviour: { kind: 'take' } });
    const second = await rig.put('/git/b.md', 'y');
    clock.advance(100_000);
    const [status] = await rig.outbound.providerStatuses.list(outboundWorkspace);
    expect(status).toMatchObject({ circuit: 'open', state: 'error', counts: { pending: 2 } });
    // Whoever looks at an item sees when it goes, and that is when its provider wants to be called again.
    const { operations } = rig.outbound;
    for (const opId of [first, second]) {
      const nextAttemptAtMs = status?.retryAtMs;
      expect(await operations.get(outboundWorkspace, opId, { by: null })).toMatchObject({ nextAttemptAtMs });
      expect(await operations.detail(outboundWorkspace, opId, { by: null })).toMatchObject({
        operation: { nextAttemptAtMs },
      });
    }
    const listed = await operations.list(outboundWorkspace, { cursor: null, limit: 10 });
    expect(listed?.items.map(({ nextAttemptAtMs }) => nextAttemptAtMs)).toEqual([
      status?.retryAtMs,
      status?.retryAtMs,
    ]);
    expect(provider.items).toHaveLength(1);
    // At once to that time, never under a call: its time limit would be over before the provider process got a turn.
    clock.advance((status?.retryAtMs ?? 0) - clock.nowMs());
    await waitFor('both to be delivered', async () => {
      const rows = await Promise.all([first, second].map((opId) => rig.op(opId)));
      return rows.every(({ status }) => status === 'succeeded');
    });
    expect(await rig.op(first)).toMatchObject({ failures: 0 });
    // Afterwards one sees that it waited as long as its provider wanted, which is longer than its own pause.
    const story = await operations.detail(outboundWorkspace, first, { by: null });
    if (story === null) throw new Error('it has no story');
    const { steps } = operationSteps(story);
    expect(steps.map(({ kind }) => kind)).toEqual(['written', 'attempt', 'waiting', 'attempt', 'settled']);
    expect(steps[2]).toMatchObject({ at: steps[1]?.endedAt, endedAt: steps[3]?.at });
  });

  it('that fails is left alone, and the log says since when, why, until when, and when it answers again', async () => {
    const lines: { readonly msg: string; readonly [field: string]: unknown }[] = [];
    const stream = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) };
    const logger = createLogger({ level: 'info', stream });
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock, logger })]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'status', status: 503 }, next: 2 });
    const opId = await rig.put('/git/a.md', 'x', 'corr-circuit');
    await waitFor('the delivery', async () => {
      await pass(rig, clock, 1_000);
      return (await rig.op(opId)).status === 'succeeded';
    });
    const about = { workspaceId: outboundWorkspace, provider: 'git' };
    const circuit = lines.filter(({ msg }) => msg.includes('circuit'));
    expect(circuit).toMatchObject([
      { ...about, opId, correlationId: 'corr-circuit', failures: 2, reason: 'it answered 503' },
      { ...about, failures: 2 },
    ]);
    expect(circuit.map(({ msg }) => msg.split(':')[0])).toEqual([
      'the circuit is open',
      'the circuit is closed',
    ]);
    expect(Date.parse(String(circuit[0]?.retryAt))).toBeGreaterThan(0);
  });

  it('that is too slow is called again with the same key, and takes the item once', async () => {
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock })]);
    await rig.addHttp('git', provider.url, { timeoutMs: 5_000 });
    await provider.tell({ behaviour: { kind: 'hang' }, next: 1 });
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('the call', () => provider.items.length === 1);
    clock.advance(5_000);
    await waitFor('the end of the attempt', async () => (await rig.op(opId)).lastError !== null);
    expect(await rig.op(opId)).toMatchObject({
      failureCode: 'timeout',
      lastError: 'no answer within 5000 ms',
    });
    await waitFor('the second attempt', async () => {
      await pass(rig, clock, 500);
      return (await rig.op(opId)).status === 'succeeded';
    });
    expect(provider.items.map(({ id, fresh }) => [id, fresh])).toEqual([
      [opId, true],
      [opId, false],
    ]);
  });

  it.each([
    ['drops the connection after taking', { kind: 'drop', after: 'taking' }, 'failed'],
    ['breaks off its answer', { kind: 'drop', after: 'half an answer' }, 'failed'],
    ['answers without end', { kind: 'flood' }, 'failed'],
    ['redirects', { kind: 'status', status: 307, location: 'http://127.0.0.1:1/' }, 'failed'],
  ] as const)('that %s gets the item again under the same key', async (_, behaviour, outcome) => {
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock })]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour, next: 1 });
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('the delivery', async () => {
      await pass(rig, clock, 1_000);
      return (await rig.op(opId)).status === 'succeeded';
    });
    expect(new Set(provider.items.map((call) => call.id))).toEqual(new Set([opId]));
    expect(provider.taken).toEqual(['/git/a.md x']);
    const steps = await rig.store.operations.steps(outboundWorkspace, opId);
    expect(steps.map((step) => step.outcome)).toEqual([outcome, 'delivered']);
  });

  it('that lies in its answer changes nothing but its own', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'nonsense' }, next: 1 });
    expect(await rig.reaches(await rig.put('/git/a.md', 'x'), 'succeeded')).toMatchObject({ draft: null });
    await provider.tell({
      behaviour: { kind: 'take', answer: { canonicalPath: '/docs/stolen.md' } },
      next: 1,
    });
    expect(await rig.reaches(await rig.put('/git/b.md', 'x'), 'succeeded')).toMatchObject({
      draft: { action: 'none' },
    });
    await provider.tell({ behaviour: { kind: 'take', answer: { externalId: '../../docs/x' } }, next: 1 });
    expect(await rig.reaches(await rig.put('/git/c.md', 'x'), 'succeeded')).toMatchObject({
      draft: { action: 'renamed', to: '/git/.._.._docs_x.md' },
    });
    await provider.tell({ behaviour: { kind: 'take', answer: { success: false, error: 'no' } }, next: 1 });
    expect(await rig.reaches(await rig.put('/git/d.md', 'x'), 'dead_lettered')).toMatchObject({
      lastError: 'no',
    });
    await provider.tell({ behaviour: { kind: 'answer twice' }, next: 1 });
    await rig.reaches(await rig.put('/git/e.md', 'x'), 'succeeded');
    await rig.reaches(await rig.put('/git/f.md', 'x'), 'succeeded');
    expect(provider.taken.filter((one) => one.startsWith('/git/f'))).toEqual(['/git/f.md x']);
  });

  it('that is paused gets nothing, also after a restart, and all at once when it is resumed', async () => {
    const provider = await startProvider();
    const rig = await startOutboundHarness();
    await rig.addHttp('git', provider.url);
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', true);
    const opId = await rig.put('/git/a.md', 'x');
    const { dataDir } = rig;
    await rig.close();
    const again = await startOutboundHarness({ dataDir });
    expect(await again.op(opId)).toMatchObject({ status: 'pending' });
    expect((await again.outbound.providerStatuses.list(outboundWorkspace))[0]).toMatchObject({
      state: 'paused',
    });
    await again.outbound.providers.setPaused(outboundWorkspace, 'git', false);
    await again.reaches(opId, 'succeeded');
    expect(provider.taken).toEqual(['/git/a.md x']);
  });

  it('that is taken away leaves nothing waiting; what was under way is not settled by its late answer', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'hang' } });
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('the call', () => provider.items.length === 1);
    expect(await rig.outbound.providers.remove(outboundWorkspace, 'GIT', 'corr-9')).toEqual({ canceled: 1 });
    await provider.tell({ behaviour: { kind: 'take' } });
    expect(await rig.op(opId)).toMatchObject({ status: 'canceled' });
    expect(await rig.op(await rig.put('/git/b.md', 'y'))).toMatchObject({
      status: 'succeeded',
      attemptCount: 0,
    });
    const steps = await rig.store.operations.steps(outboundWorkspace, opId);
    expect(steps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['attempt', 'interrupted'],
      ['canceled', null],
    ]);
  });
});

describe('a provider that nobody can reach', () => {
  it('uses up no item, not even a lone one, however long that lasts', async () => {
    const clock = createManualClock();
    const provider = await startProvider();
    const rig = await startOutboundHarness({ clock, attempts: 1 });
    await rig.addHttp('git', provider.url);
    await provider.end();
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('five attempts', async () => {
      await pass(rig, clock, 60_000);
      return (await rig.op(opId)).attemptCount >= 5;
    });
    expect(await rig.op(opId)).toMatchObject({ failures: 0, failureCode: 'provider_unavailable' });
    const again = await startProvider(provider.port);
    await waitFor('the delivery', async () => {
      await pass(rig, clock, 60_000);
      return (await rig.op(opId)).status === 'succeeded';
    });
    expect(again.taken).toEqual(['/git/a.md x']);
  });
});

describe('items of one path', () => {
  it('go one after the other, and only the newest of those that wait goes', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'hang' } });
    const first = await rig.put('/git/a.md', 'one');
    await waitFor('the call', () => provider.items.length === 1);
    const second = await rig.put('/git/a.md', 'two');
    const third = await rig.put('/git/a.md', 'three');
    const other = await rig.put('/git/b.md', 'else');
    await waitFor('the other path to go meanwhile', () => provider.items.length === 2);
    expect(await rig.op(second)).toMatchObject({ status: 'pending', supersededBy: third });
    expect((await rig.store.operations.pending(outboundWorkspace, 10)).map(({ opId }) => opId)).toEqual([
      first,
      third,
      other,
    ]);
    await provider.tell({ behaviour: { kind: 'take' } });
    await rig.reaches(third, 'succeeded');
    expect(await rig.op(second)).toMatchObject({ status: 'succeeded', attemptCount: 0 });
    expect(provider.taken.filter((one) => one.startsWith('/git/a'))).toEqual([
      '/git/a.md one',
      '/git/a.md three',
    ]);
  });

  it('after a failed attempt the newer one takes over', async () => {
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock })]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'status', status: 503 } });
    const first = await rig.put('/git/a.md', 'one');
    await waitFor('the failure', async () => (await rig.op(first)).lastError !== null);
    const second = await rig.put('/git/a.md', 'two');
    expect(await rig.op(first)).toMatchObject({ supersededBy: second });
    await provider.tell({ behaviour: { kind: 'take' } });
    // It may have been under way before the provider took anything: then there is another pause to pass.
    await waitFor('the newer one to be delivered', async () => {
      await pass(rig, clock, 60_000);
      return (await rig.op(second)).status === 'succeeded';
    });
    expect(await rig.op(first)).toMatchObject({ status: 'succeeded' });
    expect(provider.taken).toEqual(['/git/a.md two']);
  });
});

describe('a provider whose settings are mended', () => {
  const address = (provider: { readonly url: string }) => ({
    url: provider.url,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });

  it('gets at once what waited for its next try, and what the open circuit held back', async () => {
    const clock = createManualClock();
    const [broken, mended, rig] = await Promise.all([
      startProvider(),
      startProvider(),
      startOutboundHarness({ clock }),
    ]);
    await rig.addHttp('git', broken.url);
    await broken.tell({ behaviour: { kind: 'status', status: 503 } });
    const opIds: string[] = [];
    for (const path of ['/git/a.md', '/git/b.md', '/git/c.md']) opIds.push(await rig.put(path, 'x'));
    await waitFor('the circuit to be open, with none under way', async () => {
      const [status] = await rig.outbound.providerStatuses.list(outboundWorkspace);
      return status?.circuit === 'open' && status.counts.running === 0;
    });
    const rows = await Promise.all(opIds.map((opId) => rig.op(opId)));
    expect(rows.filter((row) => (row.nextAttemptAtMs ?? 0) > clock.nowMs()).length).toBeGreaterThan(0);
    // No time passes from here on.
    await rig.outbound.providers.update(outboundWorkspace, 'git', address(mended));
    for (const opId of opIds) await rig.reaches(opId, 'succeeded');
    expect([...mended.taken].sort()).toEqual(['/git/a.md x', '/git/b.md x', '/git/c.md x']);
  });

  it('gets at once what was under way to the old address, and that failure counts for nothing', async () => {
    const clock = createManualClock();
    const [broken, mended, rig] = await Promise.all([
      startProvider(),
      startProvider(),
      startOutboundHarness({ clock, attempts: 1 }),
    ]);
    await rig.addHttp('git', broken.url);
    await broken.tell({ behaviour: { kind: 'hang' } });
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('the call', () => broken.items.length === 1);
    await rig.outbound.providers.update(outboundWorkspace, 'git', address(mended));
    const row = await rig.reaches(opId, 'succeeded');
    expect(row).toMatchObject({ failures: 0, attemptCount: 2 });
    expect(mended.items.map(({ id }) => id)).toEqual([opId]);
  });
});
