import { describe, expect, it } from 'vitest';
import {
  type OutboundHarness,
  outboundWorkspace,
  startOutboundHarness,
} from '../../support/outbound-harness.ts';
import { startPages } from '../../support/page-server.ts';
import { type ProviderProcess, startProvider } from '../../support/provider.ts';
import { waitFor } from '../../support/wait-for.ts';

const asked = { reason: 'test', correlationId: 'corr-refresh', by: null };

async function refreshing(): Promise<{ provider: ProviderProcess; rig: OutboundHarness }> {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  await rig.addHttp('git', provider.url, { refreshUrl: provider.refreshUrl });
  return { provider, rig };
}

async function refresh(rig: OutboundHarness) {
  const id = await rig.outbound.refresher.request(outboundWorkspace, 'Git', asked);
  const row = await waitFor('the refresh', async () => {
    const found = await rig.outbound.providers.get(outboundWorkspace, 'git');
    return found?.refresh?.id === id && found.refresh.finishedAtMs !== null ? found : undefined;
  });
  return row.refresh;
}

const changes = (rig: OutboundHarness) =>
  rig.accepted.map(({ payload }) => `${String(payload.event_type)} ${String(payload.path)}`);

/** A file as if its provider had sent it. */
async function synced(
  rig: OutboundHarness,
  path: string,
  text: string,
  providerObjectId?: string,
): Promise<void> {
  await rig.workspaces.change({
    workspaceId: outboundWorkspace,
    changes: [
      {
        kind: 'write_file',
        path,
        precondition: { kind: 'any' },
        content: await rig.store.content.stage(Buffer.from(text)),
        defaultContentType: 'text/plain',
        encoding: 'utf-8',
        ...(providerObjectId === undefined ? {} : { providerObjectId }),
      },
    ],
    atomic: true,
    actor: { kind: 'provider', name: 'git', tokenId: null },
    origin: 'provider_sync',
    access: null,
    correlationId: 'hook',
    makesOperations: false,
  });
}

describe('a refresh', () => {
  it('hands each page on before it asks for the next one', async () => {
    const order: string[] = [];
    const { url } = await startPages((cursor, response) => {
      order.push(`page ${cursor}`);
      const files = [{ path: `/git/${cursor || 'a'}`, content: 'x' }];
      response.end(JSON.stringify({ files, nextCursor: cursor === '' ? 'b' : null }));
    });
    const rig = await startOutboundHarness({
      accept: (delivery) => {
        order.push(String(delivery.payload.path));
        return Promise.resolve('accepted');
      },
    });
    await rig.addHttp('git', url, { refreshUrl: url });
    await refresh(rig);
    expect(order).toEqual(['page ', '/git/a', 'page b', '/git/b']);
  });

  it('hands on what differs, and only that, over all pages', async () => {
    const { provider, rig } = await refreshing();
    await synced(rig, '/git/same.md', 'same');
    await synced(rig, '/git/old.md', 'old');
    await synced(rig, '/git/named.md', 'text');
    await provider.tell({
      pages: [
        {
          files: [
            { path: '/git/same.md', content: 'same' },
            { path: '/git/old.md', content: 'new' },
          ],
          nextCursor: '1',
        },
        {
          files: [
            { path: '/git/b.bin', content: 'AAE=', encoding: 'base64', contentType: 'image/png' },
            { path: '/git/named.md', content: 'text', providerObjectId: 'n1' },
            { path: '/git/never.md', deleted: true },
          ],
        },
      ],
    });
    expect(await refresh(rig)).toMatchObject({ error: null });
    expect(changes(rig)).toEqual([
      'file.updated /git/old.md',
      'file.updated /git/b.bin',
      'file.updated /git/named.md',
    ]);
    expect(rig.accepted[1]).toMatchObject({
      workspaceId: outboundWorkspace,
      provider: 'git',
      correlationId: 'corr-refresh',
      payload: { data: { content: 'AAE=', encoding: 'base64', contentType: 'image/png' } },
    });
    expect(provider.calls).toMatchObject([
      { method: 'GET', url: '/all', signed: true },
      { method: 'GET', url: '/all?cursor=1', signed: true },
    ]);
  });

  it('takes what is missing for gone only when the list says that it is complete, and only what the provider knew', async () => {
    const { provider, rig } = await refreshing();
    await rig.reaches(await rig.put('/git/mine.md', 'x'), 'succeeded');
    await synced(rig, '/git/theirs.md', 'x');
    await provider.tell({ pages: [{ files: [] }] });
    await refresh(rig);
    expect(changes(rig)).toEqual([]);
    await provider.tell({ pages: [{ files: [], complete: true }] });
    await refresh(rig);
    expect(changes(rig)).toEqual(['file.deleted /git/theirs.md']);
  });

  it('keeps local changes that the provider has not seen', async () => {
    const { provider, rig } = await refreshing();
    await provider.tell({ behaviour: { kind: 'status', status: 400 } });
    await rig.reaches(await rig.put('/git/dead.md', 'local'), 'dead_lettered');
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', true);
    await rig.put('/git/waiting.md', 'local');
    const files = ['dead', 'waiting', 'other'].map((name) => ({
      path: `/git/${name}.md`,
      content: 'theirs',
    }));
    await provider.tell({ pages: [{ files }] });
    await refresh(rig);
    expect(changes(rig)).toEqual(['file.updated /git/other.md']);
  });

  it('that would delete most of what is there deletes nothing', async () => {
    const { provider, rig } = await refreshing();
    for (let file = 0; file < 12; file += 1) await synced(rig, `/git/${file}.md`, 'x');
    await provider.tell({ pages: [{ files: [{ path: '/git/0.md', content: 'y' }], complete: true }] });
    expect(await refresh(rig)).toMatchObject({
      error: 'its answer would delete 11 of 12 files; none was deleted',
    });
    expect(changes(rig)).toEqual(['file.updated /git/0.md']);
    expect((await rig.outbound.providerStatuses.list(outboundWorkspace))[0]).toMatchObject({
      state: 'error',
    });
  });

  it.each([
    ['no list', { pages: [{}] }, 'its answer has no list of files'],
    [
      'a file of another provider',
      { pages: [{ files: [{ path: '/docs/a', content: '' }] }] },
      '/docs/a does not belong to git',
    ],
    ['a file without content', { pages: [{ files: [{ path: '/git/a' }] }] }, '/git/a has no content'],
    ['pages without end', { pages: [{ files: [], nextCursor: '0' }] }, 'its pages do not end'],
  ])('fails on %s and says so', async (_, told, error) => {
    const { provider, rig } = await refreshing();
    await provider.tell(told);
    expect(await refresh(rig)).toMatchObject({ error });
    expect(changes(rig)).toEqual([]);
  });

  it('waits while there is no room', async () => {
    let full = 3;
    const provider = await startProvider();
    const taken: string[] = [];
    const rig = await startOutboundHarness({
      accept: (delivery) => {
        full -= 1;
        if (full >= 0) return Promise.resolve('full');
        taken.push(String(delivery.payload.path));
        return Promise.resolve('accepted');
      },
    });
    await rig.addHttp('git', provider.url, { refreshUrl: provider.refreshUrl });
    await provider.tell({ pages: [{ files: [{ path: '/git/a.md', content: 'a' }] }] });
    await refresh(rig);
    expect(taken).toEqual(['/git/a.md']);
  });

  it('that was asked for, and what follows it, survives a restart', async () => {
    const { provider, rig } = await refreshing();
    const row = await rig.outbound.providers.get(outboundWorkspace, 'git');
    await rig.store.providers.update({
      workspaceId: outboundWorkspace,
      name: 'git',
      patch: {
        refresh: {
          id: 'sync_1',
          correlationId: 'c',
          requestedAtMs: row?.createdAtMs ?? 0,
          finishedAtMs: null,
          error: null,
          authority: null,
          openStarts: 0,
        },
        nextRefreshes: [{ id: 'sync_2', correlationId: 'd', requestedAtMs: 0, authority: null }],
      },
    });
    const { dataDir } = rig;
    await rig.close();
    await provider.tell({ pages: [{ files: [{ path: '/git/a.md', content: 'a' }] }] });
    const again = await startOutboundHarness({ dataDir });
    await waitFor('the refresh', () => again.accepted.length === 2);
    expect(again.accepted[0]).toMatchObject({ correlationId: 'c', payload: { path: '/git/a.md' } });
    expect(again.accepted[1]).toMatchObject({ correlationId: 'd', payload: { path: '/git/a.md' } });
  });

  it('counts no start that the agent has stopped in order', async () => {
    const { url, asked: pages } = await startPages(() => undefined);
    const rig = await startOutboundHarness();
    await rig.addHttp('git', url, { refreshUrl: url });
    await rig.outbound.refresher.request(outboundWorkspace, 'git', asked);
    await waitFor('the call', () => pages.length === 1);
    expect((await rig.outbound.providers.get(outboundWorkspace, 'git'))?.refresh?.openStarts).toBe(1);
    const { dataDir } = rig;
    await rig.close();
    const again = await startOutboundHarness({ dataDir, sends: false });
    expect((await again.outbound.providers.get(outboundWorkspace, 'git'))?.refresh).toMatchObject({
      openStarts: 0,
      finishedAtMs: null,
    });
  });

  it('during which the agent ended twice unexpectedly is given up, until somebody asks again', async () => {
    const { provider, rig } = await refreshing();
    const refreshRow = {
      id: 'sync_1',
      correlationId: 'c',
      requestedAtMs: 1,
      finishedAtMs: null,
      error: null,
      authority: null,
    };
    await rig.store.providers.update({
      workspaceId: outboundWorkspace,
      name: 'git',
      patch: { refresh: { ...refreshRow, openStarts: 2 } },
    });
    const { dataDir } = rig;
    await rig.close();
    await provider.tell({ pages: [{ files: [{ path: '/git/a.md', content: 'a' }] }] });
    const again = await startOutboundHarness({ dataDir });
    await waitFor('the end', async () => {
      const row = await again.outbound.providers.get(outboundWorkspace, 'git');
      return row?.refresh?.finishedAtMs !== null;
    });
    expect(provider.calls).toEqual([]);
    const [status] = await again.outbound.providerStatuses.list(outboundWorkspace);
    expect(status).toMatchObject({
      state: 'error',
      cause: expect.stringContaining('ended unexpectedly 2 times'),
    });
    expect(await refresh(again)).toMatchObject({ error: null });
    expect(changes(again)).toEqual(['file.updated /git/a.md']);
  });

  it('of providers that cannot be pulled is accepted and changes nothing', async () => {
    const rig = await startOutboundHarness();
    await rig.outbound.providers.add(outboundWorkspace, { name: 'git', kind: 'external' });
    expect(await rig.outbound.refresher.request(outboundWorkspace, null, asked)).toMatch(/^sync_/);
    expect(await rig.outbound.refresher.request(outboundWorkspace, 'none', asked)).toMatch(/^sync_/);
    expect((await rig.outbound.providers.get(outboundWorkspace, 'git'))?.refresh).toBeNull();
  });
});
