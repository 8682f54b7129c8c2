import { describe, expect, it } from 'vitest';
import { type ContentWriter, StoreUnavailableError } from '../../server/store/port/store.ts';
import { ingestWorkspace, openIngest, type TestIngest } from '../support/ingest.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

async function counters({ store }: TestIngest) {
  const [row] = await store.ingest.ingress(ingestWorkspace);
  if (row === undefined) throw new Error('nothing was counted');
  return row;
}

/** Oldest first, as `type path`, without the file events. */
async function syncEvents(given: TestIngest): Promise<readonly string[]> {
  return (await given.events()).filter((event) => event.startsWith('sync.'));
}

/** Of each envelope that is loaded to be applied: is its body read? */
function bodiesLoaded({ store }: TestIngest): readonly boolean[] {
  const loaded: boolean[] = [];
  const { load } = store.ingest;
  store.ingest.load = (envelopes) => {
    loaded.push(...envelopes.map(({ withBody }) => withBody));
    return load(envelopes);
  };
  return loaded;
}

describe('a webhook', () => {
  it('writes, updates and deletes its file as its provider, and makes no operation', async () => {
    const given = await openIngest();
    await given.deliverAndApply('file.created', '/hub/a.md', {
      content: 'one',
      contentType: 'text/markdown',
    });
    await given.deliverAndApply('file.updated', '/hub/a.md', { content: 'two' });
    expect(await given.text('/hub/a.md')).toBe('two');
    const [newest] = await given.store.files.history(ingestWorkspace, '/hub/a.md', 1, null);
    expect(newest).toMatchObject({
      actor: { kind: 'provider', name: 'hub' },
      origin: 'provider_sync',
      contentType: 'text/markdown',
      correlationId: 'corr-1',
      opId: null,
    });
    await given.deliverAndApply('file.deleted', '/hub/a.md');
    expect(await given.events()).toEqual([
      'file.created /hub/a.md',
      'file.updated /hub/a.md',
      'file.deleted /hub/a.md',
    ]);
    expect((await given.store.operations.list(ingestWorkspace, { cursor: null, limit: 10 }))?.items).toEqual(
      [],
    );
  });

  it('holds bytes when its content is base64, and a default content type when it names none', async () => {
    const given = await openIngest();
    const bytes = Buffer.from([0, 255, 1]);
    await given.deliverAndApply('file.created', '/hub/b', {
      content: bytes.toString('base64'),
      encoding: 'base64',
    });
    const entry = await given.store.files.get(ingestWorkspace, '/hub/b');
    if (entry?.type !== 'file') throw new Error('there is no file');
    expect(entry).toMatchObject({ encoding: 'base64', contentType: 'application/octet-stream' });
    expect(Buffer.from((await given.store.files.read(entry.hash)) ?? [])).toEqual(bytes);
  });

  it('may be larger than what lies in the database', async () => {
    const given = await openIngest();
    const large = 'x'.repeat(200_000);
    await given.deliverAndApply('file.created', '/hub/large', { content: large });
    expect(await given.text('/hub/large')).toBe(large);
    expect(await given.store.maintenance.integrityCheck()).toEqual([]);
  });

  it('is applied from the parsed payload of its request; its stored text is read after a restart', async () => {
    const dataDir = tempFolder();
    const first = await openIngest({ dataDir });
    const loadedAtOnce = bodiesLoaded(first);
    await first.deliverAndApply('file.created', '/hub/a', { content: 'one' });
    expect(loadedAtOnce).toEqual([false]);
    expect(await first.text('/hub/a')).toBe('one');
    await first.close();

    const stopped = await openIngest({ dataDir, starts: false });
    await stopped.deliver('file.updated', '/hub/a', { content: 'two' });
    await stopped.close();
    const restarted = await openIngest({ dataDir, starts: false });
    const loadedAfterRestart = bodiesLoaded(restarted);
    await restarted.ingest.start();
    await restarted.ingest.idle();
    expect(loadedAfterRestart).toEqual([true]);
    expect(await restarted.text('/hub/a')).toBe('two');
  });

  it('waits without its payload in memory when the waiting payloads exceed their limit', async () => {
    const given = await openIngest({ starts: false, settings: { contentBytesMax: 16 * 1024 * 1024 } });
    const loaded = bodiesLoaded(given);
    const content = 'x'.repeat(7 * 1024 * 1024);
    for (const path of ['/hub/a', '/hub/b', '/hub/c']) await given.deliver('file.created', path, { content });
    await given.ingest.start();
    await given.ingest.idle();
    expect(loaded).toEqual([false, false, true]);
    expect(await given.text('/hub/c')).toBe(content);
  });

  it('waits without its payload in memory when that has many values', async () => {
    const given = await openIngest({ starts: false });
    const loaded = bodiesLoaded(given);
    for (const items of [100, 1000]) {
      const properties = { items: Array.from({ length: items }, () => ({})) };
      await given.deliver('file.created', `/hub/${items}`, { content: 'x', properties });
    }
    await given.ingest.start();
    await given.ingest.idle();
    expect(loaded).toEqual([false, true]);
  });

  it('is noted and ignored when it is not about files', async () => {
    const given = await openIngest();
    await given.deliverAndApply('issue.opened', '/hub/a.md');
    expect(await given.events()).toEqual(['sync.ignored /']);
    expect(await counters(given)).toMatchObject({ accepted: 1, ignored: 1, applied: 0 });
  });

  it('is taken once for its delivery id, whatever it says the second time', async () => {
    const given = await openIngest();
    const first = await given.deliverAndApply(
      'file.created',
      '/hub/a',
      { content: '1' },
      { deliveryId: 'd' },
    );
    const again = await given.deliverAndApply(
      'file.created',
      '/hub/a',
      { content: '2' },
      { deliveryId: 'd' },
    );
    const other = await given.deliverAndApply(
      'file.created',
      '/hub/b',
      { content: '3' },
      { deliveryId: 'd', provider: 'Mail' },
    );
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(await given.text('/hub/a')).toBe('1');
    expect(await given.text('/hub/b')).toBe('3');
    const rows = await given.store.ingest.ingress(ingestWorkspace);
    expect(rows.map(({ provider, accepted, deduped }) => [provider, accepted, deduped])).toEqual([
      ['hub', 1, 1],
      ['mail', 1, 0],
    ]);
  });

  it('of an envelope id that was taken is the same envelope', async () => {
    const given = await openIngest();
    const more = { envelopeId: 'env_mine' };
    expect(await given.deliverAndApply('file.created', '/hub/a', { content: '1' }, more)).toBe('env_mine');
    expect(await given.deliverAndApply('file.created', '/hub/a', { content: '2' }, more)).toBe('env_mine');
    expect(await given.text('/hub/a')).toBe('1');
  });
});

describe('while it waits', () => {
  it('gives way to a newer one of the same file, within three seconds', async () => {
    const given = await openIngest({ starts: false });
    await given.deliver('file.created', '/hub/a', { content: '1' });
    await given.deliver('file.updated', '/hub/a', { content: '2' });
    given.clock.advance(3_001);
    await given.deliver('file.updated', '/hub/a', { content: '3' });
    await given.ingest.start();
    await given.ingest.idle();
    expect(await given.events()).toEqual(['file.created /hub/a', 'file.updated /hub/a']);
    expect(await given.text('/hub/a')).toBe('3');
    expect(await counters(given)).toMatchObject({ accepted: 3, coalesced: 1, applied: 2, pending: 0 });
  });

  it('never gives way to a broken one', async () => {
    const given = await openIngest({ starts: false });
    await given.deliver('file.created', '/hub/a', { content: 'good' });
    await given.deliver('file.updated', '/hub/a', { content: '***', encoding: 'base64' });
    await given.ingest.start();
    await given.ingest.idle();
    expect(await given.text('/hub/a')).toBe('good');
    expect(await counters(given)).toMatchObject({ coalesced: 0, applied: 1, dead: 1 });
  });

  it('takes a place in a bounded queue; what finds none is counted and may come again', async () => {
    const given = await openIngest({ starts: false, settings: { queueCapacity: 2 } });
    const ids = [];
    for (const path of ['/hub/1', '/hub/2', '/hub/3']) {
      ids.push(await given.deliver('file.created', path, { content: path }, { deliveryId: path }));
    }
    expect(ids.map((id) => id !== null)).toEqual([true, true, false]);
    // A repeat and one that replaces another need no place.
    expect(await given.deliver('file.created', '/hub/1', {}, { deliveryId: '/hub/1' })).toBe(ids[0]);
    expect(await given.deliver('file.updated', '/hub/2', { content: 'new' })).not.toBeNull();
    expect(await counters(given)).toMatchObject({
      accepted: 3,
      dropped: 1,
      deduped: 1,
      coalesced: 1,
      pending: 2,
    });
    await given.ingest.start();
    await given.ingest.idle();
    expect(
      await given.deliver('file.created', '/hub/3', { content: '3' }, { deliveryId: '/hub/3' }),
    ).not.toBeNull();
  });

  it('is found again after a restart, and applied in the order of arrival', async () => {
    const dataDir = tempFolder('mooring-ingest');
    const first = await openIngest({ dataDir, starts: false });
    for (let index = 0; index < 20; index += 1) {
      await first.deliver('file.updated', '/hub/a', { content: String(index), comments: [`c${index % 2}`] });
      first.clock.advance(4_000);
    }
    await first.close();
    const second = await openIngest({ dataDir, clock: first.clock });
    await second.ingest.idle();
    expect(await second.text('/hub/a')).toBe('19');
    const history = await second.store.files.history(ingestWorkspace, '/hub/a', 100, null);
    expect(history).toHaveLength(20);
    expect(await counters(second)).toMatchObject({ accepted: 20, applied: 20, pending: 0 });
  });
});

describe('what comes late', () => {
  const at = (clock: { nowMs(): number }, agoMs: number) => ({ occurredAtMs: clock.nowMs() - agoMs });

  it('is stale when something newer of its path was applied', async () => {
    const given = await openIngest();
    await given.deliverAndApply('file.updated', '/hub/a', { content: 'new' }, at(given.clock, 10));
    await given.deliverAndApply('file.updated', '/hub/a', { content: 'old' }, at(given.clock, 20));
    await given.deliverAndApply('file.deleted', '/hub/a', {}, at(given.clock, 30));
    expect(await given.text('/hub/a')).toBe('new');
    expect(await syncEvents(given)).toEqual(['sync.stale /', 'sync.stale /']);
    expect(await counters(given)).toMatchObject({ applied: 1, stale: 2 });
  });

  it('is stale after a delete, too, so that nothing comes back', async () => {
    const given = await openIngest();
    await given.deliverAndApply('file.deleted', '/hub/a', {}, at(given.clock, 10));
    await given.deliverAndApply('file.updated', '/hub/a', { content: 'old' }, at(given.clock, 20));
    expect(await given.text('/hub/a')).toBeNull();
  });

  it('is stale by its object wherever that has moved, and at the place that it left', async () => {
    const given = await openIngest();
    const object = { content: 'x', providerObjectId: 'o1' };
    await given.deliverAndApply('file.created', '/hub/a', object, at(given.clock, 30));
    await given.deliverAndApply('file.updated', '/hub/b', object, at(given.clock, 10));
    await given.deliverAndApply('file.updated', '/hub/c', object, at(given.clock, 20));
    await given.deliverAndApply('file.updated', '/hub/a', { content: 'y' }, at(given.clock, 15));
    expect((await given.store.files.list(ingestWorkspace, '/', null, 10)).map((entry) => entry.path)).toEqual(
      ['/hub/b'],
    );
    expect(await counters(given)).toMatchObject({ stale: 2 });
  });

  it('does not make everything stale when a provider’s clock runs ahead, or ours goes back', async () => {
    const given = await openIngest();
    const future = { occurredAtMs: given.clock.nowMs() + 86_400_000 };
    await given.deliverAndApply('file.updated', '/hub/a', { content: '1' }, future);
    given.clock.advance(1);
    await given.deliverAndApply('file.updated', '/hub/a', { content: '2' }, at(given.clock, 0));
    expect(await given.text('/hub/a')).toBe('2');
    given.clock.setWallMs(given.clock.nowMs() - 86_400_000);
    await given.deliverAndApply('file.updated', '/hub/a', { content: '3' });
    expect(await given.text('/hub/a')).toBe('3');
  });
});

describe('an object of a provider', () => {
  it('moves with its metadata when it is found at another path', async () => {
    const given = await openIngest();
    await given.deliverAndApply('file.created', '/hub/a', {
      content: '1',
      objectId: 'o1',
      properties: { state: 'open' },
    });
    await given.deliverAndApply('file.updated', '/hub/deep/b', { content: '2', objectId: 'o1' });
    expect(await given.events()).toEqual([
      'file.created /hub/a',
      'file.deleted /hub/a',
      'file.created /hub/deep/b',
    ]);
    expect(await given.text('/hub/deep/b')).toBe('2');
    expect(await given.store.files.get(ingestWorkspace, '/hub/deep/b')).toMatchObject({
      providerObjectId: 'o1',
      semantics: { properties: { state: 'open' } },
    });
    await given.deliverAndApply('file.deleted', '/hub/somewhere', { objectId: 'o1' });
    expect(await given.text('/hub/deep/b')).toBeNull();
  });

  it('is found where a user has put it', async () => {
    const given = await openIngest();
    await given.deliverAndApply('file.created', '/hub/a', { content: '1', objectId: 'o1' });
    await given.workspaces.change({
      workspaceId: ingestWorkspace,
      changes: [{ kind: 'move_file', from: '/hub/a', to: '/hub/mine', precondition: { kind: 'any' } }],
      atomic: true,
      actor: { kind: 'token', name: 'agent', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'c',
      makesOperations: true,
    });
    await given.deliverAndApply('file.deleted', '/hub/a', { objectId: 'o1' });
    expect(await given.text('/hub/mine')).toBeNull();
  });

  it('of another provider with the same id is another object', async () => {
    const given = await openIngest();
    await given.deliverAndApply('file.created', '/hub/a', { content: '1', objectId: '1' });
    await given.deliverAndApply(
      'file.created',
      '/mail/a',
      { content: '2', objectId: '1' },
      { provider: 'mail' },
    );
    expect(await given.text('/hub/a')).toBe('1');
    expect(await given.text('/mail/a')).toBe('2');
  });
});

describe('many that are applied together', () => {
  it('take effect in the order of arrival, each refused one alone', async () => {
    const given = await openIngest({ starts: false });
    await given.deliver('file.created', '/hub/a', { content: 'a', objectId: 'o1' });
    await given.deliver('file.created', '/hub/b/c', { content: 'c' });
    // Moves onto what the one before made, and is taken back whole: /hub/b is a directory.
    await given.deliver('file.updated', '/hub/b', { content: 'b', objectId: 'o1' });
    // Later than the time in which the one before would give way.
    given.clock.advance(4_000);
    await given.deliver('file.deleted', '/hub/b/c');
    await given.deliver('file.created', '/hub/b', { content: 'now a file' });
    await given.deliver('file.created', '/hub/d/e/f', { content: 'f' });
    await given.ingest.start();
    await given.ingest.idle();
    expect(await given.events()).toEqual([
      'file.created /hub/a',
      'file.created /hub/b/c',
      'sync.error /',
      'file.deleted /hub/b/c',
      'file.created /hub/b',
      'file.created /hub/d/e/f',
    ]);
    expect(await given.text('/hub/a')).toBe('a');
    expect(await counters(given)).toMatchObject({ accepted: 6, applied: 5, dead: 1, pending: 0 });
    expect(await given.store.ingest.queue()).toEqual({ pending: 0, bytes: 0 });
    expect(await given.store.maintenance.integrityCheck()).toEqual([]);
  });

  it('are applied one by one when a fault takes all of them back: only the faulty one fails', async () => {
    const given = await openIngest({
      starts: false,
      settings: { attemptsMax: 1 },
      wrapContent: (content) => ({
        ...content,
        applyEnvelopes: async (input) => {
          if (input.inputs.some(({ number }) => number === 2)) throw new Error('it broke');
          return await content.applyEnvelopes(input);
        },
      }),
    });
    for (const path of ['/hub/1', '/hub/2', '/hub/3']) {
      await given.deliver('file.created', path, { content: 'x'.repeat(200_000) });
    }
    await given.ingest.start();
    await given.ingest.idle();
    expect(await given.events()).toEqual(['file.created /hub/1', 'sync.error /', 'file.created /hub/3']);
    expect(await counters(given)).toMatchObject({ applied: 2, dead: 1, pending: 0 });
  });
});

describe('a try that fails', () => {
  const outage = (failures: { left: number }, error: () => Error) => ({
    wrapContent: (content: ContentWriter): ContentWriter => ({
      ...content,
      applyEnvelopes: (input) => {
        if (failures.left === 0) return content.applyEnvelopes(input);
        failures.left -= 1;
        return Promise.reject(error());
      },
    }),
  });

  it('is made again with growing pauses, and each is written down', async () => {
    const failures = { left: 3 };
    const clock = createManualClock();
    const given = await openIngest({ clock, ...outage(failures, () => new StoreUnavailableError('busy')) });
    await given.deliver('file.created', '/hub/a', { content: '1' });
    // Half of each doubled pause is chance, and chance is 0.5 here.
    for (const pauseMs of [375, 750, 1_500]) {
      await waitFor('the try to be written down', async () => {
        const [pending] = await given.store.ingest.pending(null, 1);
        return pending?.nextAttemptAtMs === clock.nowMs() + pauseMs && clock.delays() === 1;
      });
      clock.advance(pauseMs);
    }
    await waitFor('the file', async () => (await given.text('/hub/a')) === '1');
    await given.ingest.idle();
    expect(await counters(given)).toMatchObject({ accepted: 1, applied: 1, retried: 3, dead: 0 });
  });

  it('is a dead letter after the last one, with every attempt and its time', async () => {
    const failures = { left: 99 };
    const given = await openIngest({
      settings: { attemptsMax: 2 },
      ...outage(failures, () => new Error('it broke')),
    });
    const id = await given.deliver('file.created', '/hub/a', { content: '1' });
    await waitFor(
      'the first try',
      async () =>
        (await given.store.ingest.pending(null, 1))[0]?.nextAttemptAtMs != null && given.clock.delays() === 1,
    );
    given.clock.advance(1_000);
    await waitFor('the end', async () => (await counters(given)).dead === 1);
    const detail = await given.ingest.deadLetters.detail(ingestWorkspace, id ?? '');
    expect(detail?.attempts.map(({ attempt, cause, message }) => [attempt, cause, message])).toEqual([
      [1, 'internal_error', 'it broke'],
      [2, 'internal_error', 'it broke'],
    ]);
    expect(detail?.envelope?.payload).toMatchObject({ path: '/hub/a', data: { content: '1' } });
    expect(await syncEvents(given)).toEqual(['sync.error /']);
    failures.left = 0;
    expect(
      await given.ingest.deadLetters.replay(ingestWorkspace, id ?? '', {
        payload: null,
        overwriteNewer: false,
        by: null,
      }),
    ).toBe('queued');
    await given.ingest.idle();
    expect(await given.text('/hub/a')).toBe('1');
    expect(await given.store.maintenance.integrityCheck()).toEqual([]);
  });

  it('goes on after a restart where it stopped', async () => {
    const dataDir = tempFolder('mooring-ingest');
    const clock = createManualClock();
    const first = await openIngest({
      dataDir,
      clock,
      ...outage({ left: 1 }, () => new StoreUnavailableError('busy')),
    });
    await first.deliver('file.created', '/hub/a', { content: '1' });
    await waitFor(
      'the first try',
      async () => (await first.store.ingest.pending(null, 1))[0]?.nextAttemptAtMs != null,
    );
    await first.close();
    const second = await openIngest({ dataDir, clock });
    await second.ingest.idle();
    expect(await second.text('/hub/a')).toBeNull();
    clock.advance(1_000);
    await waitFor('the file', async () => (await second.text('/hub/a')) === '1');
  });
});
