import { describe, expect, it } from 'vitest';
import {
  type OutboundHarness,
  outboundWorkspace,
  startOutboundHarness,
} from '../../support/outbound-harness.ts';
import { startProvider } from '../../support/provider.ts';

const silent = {
  error: null,
  externalId: null,
  canonicalPath: null,
  providerResult: null,
  correlationId: 'corr-ack',
  by: null,
};

async function externalRig(): Promise<OutboundHarness> {
  const rig = await startOutboundHarness();
  await rig.outbound.providers.add(outboundWorkspace, { name: 'git', kind: 'external' });
  return rig;
}

async function events(rig: OutboundHarness) {
  const page = await rig.store.events.list(outboundWorkspace, {
    direction: 'asc',
    from: null,
    limit: 100,
    pathPrefix: null,
    provider: null,
    access: null,
  });
  return page.events.map(({ type, path, origin }) => `${type} ${path} ${origin}`);
}

describe('an external consumer', () => {
  it('finds the newest of each path, oldest first, and acknowledges it', async () => {
    const rig = await externalRig();
    const first = await rig.put('/git/a.md', 'one');
    const other = await rig.put('/git/b.md', 'x');
    const second = await rig.put('/git/a.md', 'two');
    const pending = await rig.outbound.operations.pending(outboundWorkspace, 10, null);
    expect(pending.map(({ opId, path }) => `${opId} ${path}`)).toEqual([
      `${other} /git/b.md`,
      `${second} /git/a.md`,
    ]);
    const answer = await rig.outbound.transitions.acknowledge(outboundWorkspace, second, {
      ...silent,
      success: true,
      providerResult: { ts: '17' },
    });
    expect(answer).toMatchObject({
      operation: { status: 'succeeded', providerResult: { ts: '17' } },
      draft: null,
    });
    expect(await rig.op(first)).toMatchObject({ status: 'succeeded', supersededBy: second });
    expect(await rig.store.operations.steps(outboundWorkspace, second)).toMatchObject([
      { kind: 'acknowledged', outcome: 'succeeded', correlationId: 'corr-ack' },
    ]);
    // Contract: an external acknowledgement makes no event of its own.
    expect((await events(rig)).filter((event) => event.startsWith('writeback'))).toEqual([]);
  });

  it('may acknowledge an item that a newer one has taken the place of meanwhile', async () => {
    const rig = await externalRig();
    const first = await rig.put('/git/a.md', 'one');
    const second = await rig.put('/git/a.md', 'two');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, first, { ...silent, success: true });
    expect(await rig.op(first)).toMatchObject({ status: 'succeeded' });
    expect(await rig.op(second)).toMatchObject({ status: 'pending' });
  });
});

describe('a draft', () => {
  const named = { ...silent, success: true, externalId: 'X 1/2' };

  it('takes the name that its provider gave it, in the transaction of the acknowledgement, and says the same again', async () => {
    const rig = await externalRig();
    const opId = await rig.put('/git/issues/draft.md', 'text');
    const renamed = { action: 'renamed', from: '/git/issues/draft.md', to: '/git/issues/X_1_2.md' };
    const answer = await rig.outbound.transitions.acknowledge(outboundWorkspace, opId, named);
    expect(answer).toMatchObject({
      draft: renamed,
      operation: { status: 'succeeded', providerResult: { externalId: 'X 1/2' } },
    });
    expect((await rig.outbound.transitions.acknowledge(outboundWorkspace, opId, named))?.draft).toEqual(
      renamed,
    );
    expect(await rig.store.files.get(outboundWorkspace, '/git/issues/X_1_2.md')).toMatchObject({
      providerObjectId: 'X 1/2',
    });
    expect((await events(rig)).slice(1)).toEqual([
      'file.deleted /git/issues/draft.md system',
      'file.created /git/issues/X_1_2.md system',
    ]);
    expect(await rig.outbound.operations.pending(outboundWorkspace, 10, null)).toEqual([]);
  });

  it('goes when the provider has brought what it became already', async () => {
    const rig = await externalRig();
    const opId = await rig.put('/git/issues/draft.md', 'text');
    await rig.workspaces.change({
      workspaceId: outboundWorkspace,
      changes: [
        {
          kind: 'write_file',
          path: '/git/issues/X_1_2.md',
          precondition: { kind: 'any' },
          content: await rig.store.content.stage(Buffer.from('text')),
          defaultContentType: 'text/plain',
          encoding: 'utf-8',
          providerObjectId: 'X 1/2',
        },
      ],
      atomic: true,
      actor: { kind: 'provider', name: 'git', tokenId: null },
      origin: 'provider_sync',
      access: null,
      correlationId: 'hook',
      makesOperations: false,
    });
    const answer = await rig.outbound.transitions.acknowledge(outboundWorkspace, opId, named);
    expect(answer?.draft).toEqual({ action: 'removed', from: '/git/issues/draft.md' });
    expect(await rig.store.files.get(outboundWorkspace, '/git/issues/draft.md')).toBeNull();
  });

  it('that was edited since moves with its edit, which is carried to the new place', async () => {
    const rig = await externalRig();
    const first = await rig.put('/git/issues/draft.md', 'one');
    const edit = await rig.put('/git/issues/draft.md', 'two');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, first, named);
    expect(await rig.op(edit)).toMatchObject({ status: 'pending' });
    const [pending, ...others] = await rig.outbound.operations.pending(outboundWorkspace, 10, null);
    expect(others).toEqual([]);
    expect(pending).toMatchObject({ path: '/git/issues/X_1_2.md', action: 'file_upsert' });
    expect(await rig.op(edit)).toMatchObject({ supersededBy: pending?.opId });
    await rig.outbound.transitions.acknowledge(outboundWorkspace, pending?.opId ?? '', {
      ...silent,
      success: true,
    });
    expect(await rig.op(edit)).toMatchObject({ status: 'succeeded' });
  });

  it('that was edited since never goes', async () => {
    const rig = await externalRig();
    await rig.reaches(await rig.put('/git/issues/X_1_2.md', 'other'), 'pending');
    const first = await rig.put('/git/issues/draft.md', 'one');
    await rig.put('/git/issues/draft.md', 'two');
    const answer = await rig.outbound.transitions.acknowledge(outboundWorkspace, first, named);
    expect(answer?.draft).toEqual({ action: 'none' });
    expect(await rig.store.files.get(outboundWorkspace, '/git/issues/draft.md')).not.toBeNull();
  });

  it('is none when its provider knows the file by an id, or the item was a deletion', async () => {
    const rig = await externalRig();
    const opId = await rig.put('/git/issues/draft.md', 'text');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, opId, named);
    const again = await rig.put('/git/issues/X_1_2.md', 'new text');
    expect(
      (
        await rig.outbound.transitions.acknowledge(outboundWorkspace, again, {
          ...named,
          externalId: 'other',
        })
      )?.draft,
    ).toEqual({ action: 'none' });
    const gone = await rig.remove('/git/issues/X_1_2.md');
    expect((await rig.outbound.transitions.acknowledge(outboundWorkspace, gone, named))?.draft).toEqual({
      action: 'none',
    });
  });
});

describe('an item that is not to be sent', () => {
  const no = { correlationId: 'corr-no', by: null };

  it('is canceled while it is pending, with those whose work it did, and never afterwards', async () => {
    const rig = await externalRig();
    const first = await rig.put('/git/a.md', 'one');
    const second = await rig.put('/git/a.md', 'two');
    expect(await rig.outbound.transitions.cancel(outboundWorkspace, second, no)).toBe('canceled');
    expect(await rig.op(first)).toMatchObject({ status: 'canceled' });
    expect(await rig.outbound.transitions.cancel(outboundWorkspace, second, no)).toBe('invalid_state');
    expect(await rig.outbound.transitions.cancel(outboundWorkspace, 'op_99', no)).toBe('unknown');
    expect(await rig.outbound.operations.pending(outboundWorkspace, 10, null)).toEqual([]);
    expect(await rig.store.files.get(outboundWorkspace, '/git/a.md')).not.toBeNull();
  });
});

describe('a paused provider', () => {
  it('leases nothing to a sender that has read it before the pause', async () => {
    const rig = await externalRig();
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', true);
    const opId = await rig.put('/git/a.md', 'one');
    const lease = {
      workspaceId: outboundWorkspace,
      provider: 'git',
      owner: 'sender',
      leaseMs: 1_000,
      limit: 10,
    };
    expect(await rig.store.writebacks.lease({ ...lease, atMs: Date.now() + 60_000 })).toEqual([]);
    expect(await rig.op(opId)).toMatchObject({ status: 'pending' });
  });
});

describe('a preview', () => {
  it('shows the difference to what the provider has, and the request without its signature; nothing is sent', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    await rig.addHttp('git', provider.url);
    await rig.reaches(await rig.put('/git/a.md', 'one\ntwo\n'), 'succeeded');
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', true);
    const opId = await rig.put('/git/a.md', 'one\n2\n');
    const preview = await rig.outbound.operations.preview(outboundWorkspace, opId, null);
    expect(preview).toMatchObject({ path: '/git/a.md', action: 'file_upsert', sizeBytes: 6, warnings: [] });
    expect(preview?.diff).toBe('--- a/git/a.md\n+++ b/git/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
    expect(preview?.request).toMatchObject({ method: 'POST', url: provider.url });
    expect(JSON.stringify(preview)).not.toMatch(/whsec|webhook-signature/);
    expect(JSON.parse(preview?.request?.body ?? '')).toMatchObject({ data: { content: 'one\n2\n' } });
    expect(provider.items).toHaveLength(1);
  });

  it('of contents that are no text has no difference, and of a deletion takes all lines away', async () => {
    const rig = await externalRig();
    const opId = await rig.put('/git/a.bin', 'a\0b');
    expect(await rig.outbound.operations.preview(outboundWorkspace, opId, null)).toMatchObject({
      diff: null,
      request: null,
    });
    const made = await rig.put('/git/a.md', 'x\n');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, made, { ...silent, success: true });
    const gone = await rig.remove('/git/a.md');
    expect((await rig.outbound.operations.preview(outboundWorkspace, gone, null))?.diff).toContain('-x');
    expect(await rig.outbound.operations.preview(outboundWorkspace, 'op_99', null)).toBeNull();
  });
});

describe('sweeping drafts', () => {
  const uuid = '0e89a031-65f0-480e-a823-ab1d94b324ea';
  const draft = (prefix: string) => `/git/${prefix}/messages ${uuid}.json`;

  it('takes what was left behind, and nothing that a provider knows or has still to get', async () => {
    const rig = await externalRig();
    const left = await rig.put(draft('a'), 'x');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, left, { ...silent, success: true });
    const hand = await rig.put('/git/wb-1.json', 'x');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, hand, { ...silent, success: true });
    await rig.put(draft('waiting'), 'x');
    const dead = await rig.put(draft('dead'), 'x');
    await rig.outbound.transitions.acknowledge(outboundWorkspace, dead, {
      ...silent,
      success: false,
      error: 'no',
    });
    const request = { pathPrefix: '/git', patterns: ['wb-*.json'], correlationId: 'sweep', authority: null };

    const look = await rig.outbound.sweepDrafts(outboundWorkspace, { ...request, apply: false });
    expect(look).toEqual({
      scanned: 4,
      removed: [
        { path: draft('a'), reason: 'space-uuid-draft' },
        { path: '/git/wb-1.json', reason: 'pattern' },
      ],
      skipped: [
        { path: draft('dead'), reason: 'pending-writeback' },
        { path: draft('waiting'), reason: 'pending-writeback' },
      ],
    });
    expect(await rig.store.files.get(outboundWorkspace, draft('a'))).not.toBeNull();

    const swept = await rig.outbound.sweepDrafts(outboundWorkspace, { ...request, apply: true });
    expect(swept.removed).toEqual(look.removed);
    expect(await rig.store.files.get(outboundWorkspace, draft('a'))).toBeNull();
    expect((await events(rig)).at(-1)).toBe('file.deleted /git/wb-1.json system');
    expect(
      (await rig.outbound.operations.pending(outboundWorkspace, 10, null)).map(({ path }) => path),
    ).toEqual([draft('waiting')]);
  });

  it('refuses a pattern that is none', async () => {
    const rig = await externalRig();
    const request = {
      pathPrefix: null,
      patterns: ['a/b'],
      apply: true,
      correlationId: 'sweep',
      authority: null,
    };
    await expect(rig.outbound.sweepDrafts(outboundWorkspace, request)).rejects.toThrow(
      /a\/b is not a pattern/,
    );
  });
});
