// A mirror on a disk on which two spellings of a name are one name (docs/sync-rules.md#15).
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineFolder } from '../support/engine-folder.ts';
import { foldingFileSystem } from '../support/folding-disk.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

async function onFoldingDisk(how: { readonly decomposes?: boolean } = {}): Promise<MirrorHarness> {
  let rig: MirrorHarness | null = null;
  const started = await startMirrorHarness({
    openFolder: () => engineFolder(foldingFileSystem(rig?.root ?? '', how)),
  });
  rig = started;
  return started;
}

const named = ({ kind, path: at, next }: { kind: string; path: string; next: string }) => ({
  kind,
  path: at,
  next,
});

describe('on a disk that folds names', () => {
  it('of two files that differ in case one comes, the other is listed with another name for it', async () => {
    const rig = await onFoldingDisk();
    await rig.put('/Readme.md', 'one');
    await rig.put('/README.md', 'two');
    const view = await rig.mirror();
    expect(rig.folder()).toEqual({ '/README.md': 'two' });
    expect(view.problemList.map(named)).toEqual([
      {
        kind: 'collision',
        path: '/Readme.md',
        next: 'In the workspace, rename "Readme.md", for example to "Readme 2.md".',
      },
    ]);
    expect(await rig.workspace()).toEqual({ '/README.md': 'two', '/Readme.md': 'one' });
  });

  it('of two directories that differ in case one comes, and neither is doubled', async () => {
    const rig = await onFoldingDisk();
    await rig.put('/Docs/a', 'one');
    await rig.put('/docs/b', 'two');
    await rig.put('/docs/deep/c', 'three');
    const view = await rig.mirror();
    expect(rig.folder()).toEqual({ '/Docs/a': 'one' });
    expect(view.problemList.map(({ kind, path: at }) => `${kind} ${at}`)).toEqual([
      'collision /docs/b',
      'collision /docs/deep/c',
    ]);
    await rig.settle();
    expect(await rig.workspace()).toEqual({ '/Docs/a': 'one', '/docs/b': 'two', '/docs/deep/c': 'three' });
    // Once there is room it comes.
    await rig.delete('/Docs/a');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/docs/b': 'two', '/docs/deep/c': 'three' });
  });

  it('a file of the workspace whose directory the folder spells otherwise stays out', async () => {
    const rig = await onFoldingDisk();
    rig.write('Docs/a', 'one');
    await rig.mirror();
    await rig.put('/docs/b', 'two');
    await rig.settle();
    expect(rig.folder()).toEqual({ '/Docs/a': 'one' });
    expect(await rig.workspace()).toEqual({ '/Docs/a': 'one', '/docs/b': 'two' });
  });

  it('a file and a directory that differ in case do not meet', async () => {
    const rig = await onFoldingDisk();
    await rig.put('/docs', 'file');
    await rig.put('/Docs/a', 'one');
    await rig.mirror();
    expect(rig.folder()).toEqual({ '/Docs/a': 'one' });
    expect(await rig.workspace()).toEqual({ '/Docs/a': 'one', '/docs': 'file' });
  });

  it('another spelling of a file or of a directory is a renaming, from the folder', async () => {
    const rig = await onFoldingDisk();
    rig.write('readme.md', 'one');
    rig.write('docs/a', 'two');
    rig.write('keep', 'k');
    await rig.mirror();
    rig.rename('readme.md', 'README.md');
    rig.rename('docs', 'Docs');
    await rig.settle();
    expect(await rig.both()).toEqual({ '/Docs/a': 'two', '/README.md': 'one', '/keep': 'k' });
    const actions = async (file: string) =>
      (await rig.workspaces.history(rig.workspaceId, file, 10, null)).map(({ action }) => action);
    expect(await actions('/README.md')).toEqual(['move']);
    expect(await actions('/Docs/a')).toEqual(['move']);
  });

  it('a directory of which the mirror knows nothing keeps its spelling, and what does not fit it is listed', async () => {
    const rig = await onFoldingDisk();
    rig.write('keep', 'k');
    rig.write('Docs/notes~', 'ignored');
    await rig.mirror();
    await rig.put('/docs/b', 'two');
    const view = await waitFor('the problem', async () => {
      const seen = await rig.view();
      return seen.problems === 1 ? seen : null;
    });
    expect(view.problemList).toMatchObject([
      {
        kind: 'collision',
        path: '/docs/b',
        cause: expect.stringContaining('This disk treats /docs as the name'),
      },
    ]);
    expect(rig.folder()).toEqual({ '/Docs/notes~': 'ignored', '/keep': 'k' });
    expect(await rig.workspace()).toEqual({ '/docs/b': 'two', '/keep': 'k' });
  });

  it('another spelling of a file or of a directory is a renaming, from the workspace', async () => {
    const rig = await onFoldingDisk();
    rig.write('readme.md', 'one');
    rig.write('docs/a', 'two');
    rig.write('keep', 'k');
    await rig.mirror();
    const precondition = { kind: 'any' } as const;
    await rig.change(
      { kind: 'move_file', from: '/readme.md', to: '/README.md', precondition },
      { kind: 'move_file', from: '/docs/a', to: '/Docs/a', precondition },
    );
    await rig.settle();
    expect(await rig.both()).toEqual({ '/Docs/a': 'two', '/README.md': 'one', '/keep': 'k' });
  });

  it('an empty directory lends its spelling to what fits it, and only the other is listed', async () => {
    const rig = await onFoldingDisk();
    rig.write('keep', 'k');
    mkdirSync(path.join(rig.root, 'docs'));
    await rig.mirror();
    await rig.put('/Docs/a', 'one');
    await rig.put('/docs/b', 'two');
    const view = await waitFor('the one that fits', async () => {
      await rig.settle();
      return rig.folder()['/docs/b'] === undefined ? null : await rig.view();
    });
    expect(rig.folder()).toEqual({ '/docs/b': 'two', '/keep': 'k' });
    expect(view.problemList.map(({ kind, path: at }) => `${kind} ${at}`)).toEqual(['collision /Docs/a']);
  });

  it('two Unicode forms of a name are one name', async () => {
    const rig = await onFoldingDisk();
    const [composed, decomposed] = ['/caf\u00e9/a', '/cafe\u0301/b'];
    await rig.put(composed, 'one');
    await rig.put(decomposed, 'two');
    await rig.mirror();
    expect(Object.keys(rig.folder())).toHaveLength(1);
    expect(await rig.workspace()).toEqual({ [composed]: 'one', [decomposed]: 'two' });
  });
});

describe('on a disk that takes names apart', () => {
  const [composed, decomposed] = ['/caf\u00e9/\u00fc', '/cafe\u0301/u\u0308'];

  it('a file keeps its path in the workspace, whoever made it', async () => {
    const rig = await onFoldingDisk({ decomposes: true });
    rig.write('\u00e0', 'by a person');
    await rig.put(composed, 'by an agent');
    await rig.mirror();
    await rig.settle();
    expect(await rig.workspace()).toEqual({ [composed]: 'by an agent', '/\u00e0': 'by a person' });
    expect((await rig.workspaces.history(rig.workspaceId, composed, 10, null)).length).toBe(1);
    rig.write(composed.slice(1), 'edited');
    await rig.settle();
    expect(await rig.workspace()).toEqual({ [composed]: 'edited', '/\u00e0': 'by a person' });
  });

  it('a form of a name that it does not keep is listed with the form that it keeps', async () => {
    const rig = await onFoldingDisk({ decomposes: true });
    await rig.put(decomposed, 'one');
    const view = await rig.mirror();
    expect(rig.folder()).toEqual({});
    expect(await rig.workspace()).toEqual({ [decomposed]: 'one' });
    expect(view.problemList.map(named)).toEqual([
      {
        kind: 'name',
        path: decomposed,
        next: 'In the workspace, rename "cafe\u0301", for example to "caf\u00e9".',
      },
    ]);
  });
});
