import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../server/store/port/commands.ts';
import type { AcceptInput } from '../../../../server/store/port/envelopes.ts';
import {
  packCommand,
  packOutcome,
  unpackCommand,
  unpackOutcome,
} from '../../../../server/store/writer/writer-messages.ts';
import { openTestStore, testWorkspace } from '../../../support/store.ts';

const input: AcceptInput = {
  workspaceId: testWorkspace,
  provider: 'hub',
  envelopeId: null,
  deliveryId: null,
  correlationId: 'corr-1',
  atMs: 1_000,
  occurredAtMs: null,
  body: '{"payload":{}}',
  sizeBytes: 14,
  path: '/hub/a',
  shape: { kind: 'upsert', path: '/hub/a', objectId: null, hasContentType: false, hasSemantics: false },
  coalesceWindowMs: 3_000,
  capacity: { envelopes: 100, bytes: 1_000_000 },
  signature: null,
  authority: null,
};

async function queue() {
  const { store } = await openTestStore();
  const accept = (more: Partial<AcceptInput>) => store.ingest.accept({ ...input, ...more });
  const counts = async () => {
    const [row] = await store.ingest.ingress(testWorkspace);
    if (row === undefined) throw new Error('nothing was counted');
    const { accepted, deduped, coalesced, dropped, pending } = row;
    return { accepted, deduped, coalesced, dropped, pending };
  };
  const of = (objectId: string | null, provider = 'hub') => {
    const shape = { kind: 'upsert', path: '/hub/a', objectId, hasContentType: false, hasSemantics: false };
    return { provider, shape: shape as AcceptInput['shape'] };
  };
  return { store, accept, counts, of };
}

describe('an envelope', () => {
  it('that is known is answered with its first id, also when there is no room for another', async () => {
    const { accept, counts } = await queue();
    const capacity = { envelopes: 1, bytes: 1_000_000 };
    const first = await accept({ deliveryId: 'd-1', capacity });
    if (first.kind !== 'accepted') throw new Error(first.kind);
    const other = { path: '/hub/b', shape: null, capacity };
    expect(await accept({ ...other, deliveryId: 'd-2' })).toEqual({ kind: 'full' });
    expect(await accept({ ...other, deliveryId: 'd-1' })).toEqual({
      kind: 'duplicate',
      envelopeId: first.envelopeId,
    });
    expect(await counts()).toEqual({ accepted: 1, deduped: 1, coalesced: 0, dropped: 1, pending: 1 });
  });

  it('of another sender gives up its delivery id for good, also to one that names its envelope; what was applied does not', async () => {
    const { store, accept } = await queue();
    const by = (agent: string) =>
      JSON.stringify({
        parties: [{ workspaceId: testWorkspace, agent, scopes: [], scope: 'sync:trigger' }],
        deleteLimits: [],
      });
    const ids = async () =>
      (await store.ingest.pending(null, 100)).map(({ number }) => number).toSorted((a, b) => a - b);
    await accept({ deliveryId: 'd-1', authority: by('bad') });
    // A guessed new id keeps nobody out.
    await accept({ deliveryId: 'd-1#1', shape: null, authority: by('bad') });
    const named = { deliveryId: 'd-1', envelopeId: 'env_theirs', shape: null };
    expect(await accept(named)).toEqual({ kind: 'accepted', number: 3, envelopeId: 'env_theirs' });
    expect(await accept(named)).toEqual({ kind: 'duplicate', envelopeId: 'env_theirs' });
    expect((await accept({ deliveryId: 'd-1', authority: by('bad') })).kind).toBe('duplicate');
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('that is known by the name that its sender gave it makes nothing give way', async () => {
    const { accept, counts } = await queue();
    await accept({ envelopeId: 'env_theirs', deliveryId: 'd-1' });
    expect(await accept({ envelopeId: 'env_theirs', deliveryId: 'd-2' })).toEqual({
      kind: 'duplicate',
      envelopeId: 'env_theirs',
    });
    expect(await counts()).toMatchObject({ accepted: 1, deduped: 1, coalesced: 0, pending: 1 });
  });

  it('takes the place of the newest of its own object, however many others wait for the path', async () => {
    const { store, accept, of } = await queue();
    const numbers: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const taken = await accept(of(`object-${n % 6}`, n < 6 ? 'hub' : 'other'));
      if (taken.kind !== 'accepted') throw new Error(taken.kind);
      numbers.push(taken.number);
    }
    await accept(of('object-3'));
    const waiting = await store.ingest.pending(null, 100);
    expect(numbers.filter((number) => !waiting.some((one) => one.number === number))).toEqual([numbers[3]]);
    // Few of them are looked at another way than many.
    const second = await queue();
    const firsts = [];
    for (const [objectId, provider] of [
      [null, 'hub'],
      ['x', 'hub'],
      [null, 'other'],
    ] as const)
      firsts.push(await second.accept(second.of(objectId, provider)));
    await second.accept(second.of(null));
    expect((await second.store.ingest.pending(null, 100)).map(({ number }) => number).sort()).toEqual([
      2, 3, 4,
    ]);
  });

  it('gets numbers that go on after refused ones, in commands of one group', async () => {
    const { store, accept } = await queue();
    const taken = await Promise.all(
      ['a', 'b', 'a', 'c', 'b', 'd'].map((deliveryId) => accept({ deliveryId, shape: null })),
    );
    expect(taken.map(({ kind }) => kind)).toEqual([
      'accepted',
      'accepted',
      'duplicate',
      'accepted',
      'duplicate',
      'accepted',
    ]);
    const waiting = await store.ingest.pending(null, 100);
    expect(waiting.map(({ number }) => number)).toEqual(
      taken.flatMap((one) => (one.kind === 'accepted' ? [one.number] : [])),
    );
  });

  it('of a workspace that was deleted meanwhile is not taken, and again after a restore', async () => {
    const { store, accept } = await queue();
    expect((await accept({ deliveryId: 'd-1' })).kind).toBe('accepted');
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: 2_000 });
    expect(await accept({ deliveryId: 'd-2' })).toEqual({ kind: 'workspace_not_found' });
    await store.workspaces.setDeleted({ workspaceId: testWorkspace, deletedAtMs: null });
    expect((await accept({ deliveryId: 'd-2' })).kind).toBe('accepted');
  });
});

it.each<[string, Partial<AcceptInput>]>([
  ['as a webhook brings it', {}],
  ['without a shape', { shape: null, path: null }],
  [
    'with everything',
    {
      envelopeId: 'env_1',
      deliveryId: 'd-1',
      occurredAtMs: 5,
      signature: { value: 'sha256=0', expiresAtMs: 9 },
      shape: { kind: 'delete', path: '/hub/ü', objectId: 'o', hasContentType: true, hasSemantics: true },
    },
  ],
])('an envelope %s crosses to the writer unchanged, and so does its answer', (_, more) => {
  const command: Command = { name: 'accept_envelope', input: { ...input, ...more } };
  expect(unpackCommand(structuredClone(packCommand(command)))).toEqual(command);
  for (const result of [{ kind: 'accepted', number: 7, envelopeId: 'env_7' }, { kind: 'full' }]) {
    const outcome = { ok: true, result } as const;
    expect(unpackOutcome(structuredClone(packOutcome(command, outcome)))).toEqual(outcome);
  }
});
