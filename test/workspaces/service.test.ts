import { describe, expect, it } from 'vitest';
import { createWorkspaceService, WorkspaceTakenError } from '../../server/workspaces/service.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';

async function openService(randomId: (length: number) => string = () => 'a1b2c3d4') {
  const test = await openTestStore();
  return { ...test, service: createWorkspaceService({ store: test.store, clock: test.clock, randomId }) };
}

describe('workspaces', () => {
  it('get an id of their own, or the one that is asked for unless it is taken', async () => {
    const drawn = ['test0001', 'a1b2c3d4'];
    const { service, clock } = await openService((length) => (drawn.shift() ?? '').slice(0, length));
    const made = {
      workspaceId: 'rw_a1b2c3d4',
      name: 'Mine',
      createdAtMs: clock.now,
      deletedAtMs: null,
      files: 0,
    };
    expect(await service.create({ name: 'Mine' })).toEqual(made);
    expect(await service.create({ name: 'Named', workspaceId: 'live' })).toMatchObject({
      workspaceId: 'live',
    });
    await expect(service.create({ name: 'Again', workspaceId: 'live' })).rejects.toBeInstanceOf(
      WorkspaceTakenError,
    );
    expect((await service.list()).map((row) => row.workspaceId)).toEqual([
      testWorkspace,
      'rw_a1b2c3d4',
      'live',
    ]);
  });

  it('that are deleted are as unknown until they are restored, with all they held', async () => {
    const { service, put } = await openService();
    await put('/a', 'kept');
    expect(await service.remove(testWorkspace)).toBe(true);
    expect([await service.get(testWorkspace), await service.remove(testWorkspace)]).toEqual([null, false]);
    expect(await service.rename(testWorkspace, 'x')).toBeNull();
    expect(await service.list()).toEqual([]);
    expect(await service.list({ includeDeleted: true })).toHaveLength(1);
    expect(await service.restore(testWorkspace)).toMatchObject({ files: 1 });
    expect(await service.rename(testWorkspace, 'New')).toMatchObject({ name: 'New' });
    expect(await service.restore('rw_unknown1')).toBeNull();
  });
});

describe('files through the one door', () => {
  it('are staged, changed and read back; a directory is not a file', async () => {
    const { service } = await openService();
    const content = await service.stage(Buffer.from('hello'));
    const results = await service.change({
      workspaceId: testWorkspace,
      changes: [
        {
          kind: 'write_file',
          path: '/docs/a.md',
          precondition: { kind: 'absent' },
          content,
          defaultContentType: 'text/markdown',
          encoding: 'utf-8',
        },
      ],
      atomic: false,
      actor: { kind: 'mirror', name: 'Folder', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'c',
      makesOperations: true,
    });
    expect(results).toMatchObject([{ ok: true }]);
    expect(await service.getFile(testWorkspace, '/docs/a.md', null)).toMatchObject({
      allowed: true,
      entry: { hash: content.hash },
    });
    expect(await service.getFile(testWorkspace, '/docs', null)).toEqual({ allowed: true, entry: null });
    expect(Buffer.from((await service.readContent(content.hash)) ?? []).toString()).toBe('hello');
    expect(await service.listFiles(testWorkspace, '/', null, 10)).toHaveLength(1);
  });
});
