import { describe, expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { engineFolder } from '../../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../../support/mirror-harness.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

const base = 'one\ntwo\nthree\nfour\nfive\n';

/** Both sides edit one file while the mirror does not look. */
async function bothEdit(name: string, was: string, here: string, there: string): Promise<MirrorHarness> {
  const rig = await startMirrorHarness();
  rig.write(name, was);
  await rig.mirror();
  await rig.manager.pause(rig.workspaceId, rig.mirrorId);
  rig.write(name, here);
  await rig.put(`/${name}`, there);
  await rig.manager.resume(rig.workspaceId, rig.mirrorId);
  await rig.settle();
  return rig;
}

async function historyOf(rig: MirrorHarness, path: string): Promise<readonly string[]> {
  const rows = await rig.workspaces.history(rig.workspaceId, path, 10, null);
  return await Promise.all(
    rows.map(async ({ hash }) =>
      Buffer.from((await rig.workspaces.readContent(hash ?? '')) ?? []).toString(),
    ),
  );
}

describe('edits of both sides that do not touch each other', () => {
  it('become one file on both sides, without a conflict, and every version stays in the history', async () => {
    const here = base.replace('one', 'ONE');
    const there = base.replace('five', 'FIVE');
    const rig = await bothEdit('a.txt', base, here, there);
    const merged = here.replace('five', 'FIVE');
    expect(await rig.both()).toEqual({ '/a.txt': merged });
    expect((await rig.view()).conflicts).toBe(0);
    expect(await historyOf(rig, '/a.txt')).toEqual([merged, here, there, base]);
  });

  it('are told of once: the version that was merged in makes no event of its own', async () => {
    const rig = await bothEdit('a.txt', base, base.replace('one', 'ONE'), base.replace('five', 'FIVE'));
    const told = (await rig.events()).filter((event) => event.type.startsWith('file.'));
    expect(told.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'file.created /a.txt',
      'file.updated /a.txt',
      'file.updated /a.txt',
    ]);
  });

  it('are looked at again when the folder changes once more just before they are read', async () => {
    const rig = await startMirrorHarness();
    rig.write('a.txt', base);
    await rig.mirror();
    await rig.manager.pause(rig.workspaceId, rig.mirrorId);
    let edited = false;
    await rig.restart({
      openFolder: () => {
        const folder = engineFolder(nodeFileSystem);
        return {
          ...folder,
          read: async (requests) => {
            if (!edited) rig.write('a.txt', base.replace('one', 'ONE AGAIN'));
            edited = true;
            return await folder.read(requests);
          },
        };
      },
    });
    rig.write('a.txt', base.replace('one', 'ONE'));
    await rig.put('/a.txt', base.replace('five', 'FIVE'));
    await rig.manager.resume(rig.workspaceId, rig.mirrorId);
    await rig.settle();
    expect(await rig.both()).toEqual({ '/a.txt': base.replace('one', 'ONE AGAIN').replace('five', 'FIVE') });
  });

  it('need nothing but the disk when the workspace holds both already', async () => {
    const here = base.replace('one', 'ONE');
    const rig = await bothEdit('a.txt', base, here, here.replace('five', 'FIVE'));
    expect(await rig.both()).toEqual({ '/a.txt': here.replace('five', 'FIVE') });
    expect(await historyOf(rig, '/a.txt')).toContain(here);
  });

  it('need nothing but the workspace when the folder holds both already', async () => {
    const there = base.replace('five', 'FIVE');
    const rig = await bothEdit('a.txt', base, there.replace('one', 'ONE'), there);
    expect(await rig.both()).toEqual({ '/a.txt': there.replace('one', 'ONE') });
    expect(await historyOf(rig, '/a.txt')).toEqual([there.replace('one', 'ONE'), there, base]);
  });
});

describe('what is left to people', () => {
  it.each([
    {
      what: 'the same line',
      name: 'a.txt',
      was: base,
      here: base.replace('two', 'x'),
      there: base.replace('two', 'y'),
    },
    { what: 'bytes that are no text', name: 'a', was: 'a\n\0\nb\n', here: 'A\n\0\nb\n', there: 'a\n\0\nB\n' },
    {
      what: 'lines that would break a document',
      name: 'a.json',
      was: '{\n"a": 1\n\n\n}',
      here: '{\n\n\n}',
      there: '{\n"a": 1\n\n,"b": 2\n\n}',
    },
  ])('$what', async ({ name, was, here, there }) => {
    const rig = await bothEdit(name, was, here, there);
    const files = await rig.both();
    expect(files[`/${name}`]).toBe(there);
    expect(Object.values(files).sort()).toEqual([here, there].sort());
    expect((await rig.view()).conflicts).toBe(1);
  });

  it('two files of one name that never had a common beginning', async () => {
    const rig = await startMirrorHarness();
    rig.write('a.txt', base.replace('one', 'ONE'));
    await rig.put('/a.txt', base.replace('five', 'FIVE'));
    await rig.mirror();
    expect(Object.keys(await rig.both())).toHaveLength(2);
  });
});
