// Leases have owners and end by time: the restart of one process takes nothing from another, and no lease outlives its owner for long.
import { expect, it } from 'vitest';
import { openTestStore, testWorkspace } from '../support/store.ts';

const leaseMs = 30_000;

it('the release of one owner leaves the leases of another, which end by time', async () => {
  const { store, put, clock } = await openTestStore({ settings: { externalWriteback: 'all' } });
  for (const name of ['a', 'b']) await put(`/hub/${name}`);
  const lease = async (owner: string) =>
    (
      await store.writebacks.lease({
        workspaceId: testWorkspace,
        provider: 'hub',
        owner,
        atMs: clock.now,
        leaseMs,
        limit: 1,
      })
    ).map(({ path, attemptCount }) => `${path} attempt ${attemptCount}`);
  const statuses = async () =>
    await Promise.all(
      ['op_1', 'op_2'].map(async (opId) => (await store.operations.get(testWorkspace, opId))?.status),
    );
  expect([await lease('one'), await lease('two')]).toEqual([['/hub/a attempt 1'], ['/hub/b attempt 1']]);

  expect(await store.writebacks.release({ owner: 'two', atMs: clock.now })).toBe(1);
  expect(await statuses()).toEqual(['running', 'pending']);
  expect(await store.writebacks.release({ owner: 'three', atMs: clock.now })).toBe(0);
  expect([await lease('two'), await lease('two')]).toEqual([['/hub/b attempt 2'], []]);

  clock.now += leaseMs;
  expect(await lease('three')).toEqual(['/hub/a attempt 2']);
  expect(await store.writebacks.release({ owner: 'one', atMs: clock.now })).toBe(0);
});

it('deliveries of webhooks, too', async () => {
  const { store, clock } = await openTestStore();
  const key = { workspaceId: testWorkspace, webhookId: 'wh_1' };
  await store.webhooks.insert({
    endedMax: 1,
    row: {
      ...key,
      url: 'https://example.com/',
      globs: [],
      plainHttp: false,
      privateAddresses: false,
      access: null,
      tokenIds: [],
      expiresAtMs: null,
      revokedAtMs: null,
      position: 0,
      createdAtMs: clock.now,
      lastAttemptAtMs: null,
      lastSuccessAtMs: null,
      lastError: null,
      failuresInRow: 0,
    },
  });
  const body = '{"data":{"path":"/a"}}';
  const deliveries = [1, 2].map((eventSeq) => ({ eventSeq, body }));
  await store.webhooks.add({ ...key, from: 0, to: 2, deliveries, atMs: clock.now });
  const lease = async (owner: string) =>
    (await store.webhooks.lease({ ...key, owner, atMs: clock.now, leaseMs, limit: 1 })).map(
      ({ number, attempts }) => `${number} attempt ${attempts}`,
    );
  expect([await lease('one'), await lease('two')]).toEqual([['1 attempt 1'], ['2 attempt 1']]);
  expect(await store.webhooks.release({ owner: 'two' })).toBe(1);
  expect([await lease('two'), await lease('two')]).toEqual([['2 attempt 2'], []]);
  clock.now += leaseMs;
  expect(await lease('three')).toEqual(['1 attempt 2']);
  expect(await store.webhooks.release({ owner: 'one' })).toBe(0);
});
