// The watcher of Linux on real folders: which directories it watches, however they appear, move and disappear.
import { mkdirSync, renameSync, rmSync, watch as systemWatch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InotifyWatcher } from '../../../server/disk/watch/inotify-watcher.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

type Watch = NonNullable<ConstructorParameters<typeof InotifyWatcher>[3]>;

async function watched(directories: readonly string[], watchWith?: Watch) {
  const root = tempFolder('mooring-inotify');
  for (const directory of directories) mkdirSync(path.join(root, directory), { recursive: true });
  let heard: string[] = [];
  const troubles: unknown[] = [];
  const watcher = new InotifyWatcher(
    root,
    (wire) => wire.includes('/ignored'),
    {
      onHint: (directory, name) => heard.push(name === null ? directory : `${directory} ${name}`),
      onTrouble: (...trouble) => troubles.push(trouble),
    },
    watchWith,
  );
  onTestFinished(() => watcher.stop());
  const isWatching = await watcher.start();
  const at = (file: string) => path.join(root, file);
  return {
    watcher,
    troubles,
    isWatching,
    at,
    /** Writes until an event of the file comes: the watch of a new directory is set a moment later. */
    async isHeardIn(directory: string): Promise<void> {
      let tries = 0;
      await waitFor(`an event in ${directory}`, () => {
        tries += 1;
        writeFileSync(at(`${directory}/f${tries}`), 'x');
        return heard.some((hint) => hint.startsWith(`${directory === '' ? '/' : directory} f`));
      });
      heard = [];
    },
    heard: () => heard,
  };
}

function refusing(code: string, from: number): Watch {
  let calls = 0;
  return ((...parameters: Parameters<Watch>) => {
    calls += 1;
    if (calls >= from) throw Object.assign(new Error('refused'), { code });
    return systemWatch(...parameters);
  }) as Watch;
}

describe.runIf(process.platform === 'linux')('the watcher of Linux', () => {
  it('watches every directory that is not ignored', async () => {
    const { isWatching, isHeardIn, at, heard } = await watched(['/a/b/c', '/ignored/d']);
    expect(isWatching).toBe(true);
    for (const directory of ['', '/a', '/a/b', '/a/b/c']) await isHeardIn(directory);
    writeFileSync(at('/ignored/d/f'), 'x');
    await isHeardIn('/a');
    expect(heard().filter((hint) => hint.includes('ignored'))).toEqual([]);
  });

  it('watches directories that appear, with all that is below, and has them scanned', async () => {
    const { isHeardIn, at, heard } = await watched(['/a']);
    mkdirSync(at('/a/new/deep/deeper'), { recursive: true });
    await waitFor('the hint of the deepest', () => heard().includes('/a/new/deep/deeper'));
    for (const directory of ['/a/new', '/a/new/deep', '/a/new/deep/deeper']) await isHeardIn(directory);
  });

  it('follows a directory that is renamed, below it too, and forgets its old path', async () => {
    const { isHeardIn, at, heard } = await watched(['/a/b/c', '/z']);
    renameSync(at('/a'), at('/z/moved'));
    await waitFor('the hint of the new path', () => heard().includes('/z/moved/b/c'));
    for (const directory of ['/z/moved', '/z/moved/b', '/z/moved/b/c']) await isHeardIn(directory);
    writeFileSync(at('/z/moved/b/c/last'), 'x');
    await waitFor('the event', () => heard().some((hint) => hint.endsWith(' last')));
    expect(heard().filter((hint) => hint.startsWith('/a'))).toEqual([]);
  });

  it('watches a directory in the place of another, and of a file', async () => {
    const { isHeardIn, at } = await watched(['/a/b', '/new/b']);
    writeFileSync(at('/file'), 'x');
    rmSync(at('/a'), { recursive: true });
    renameSync(at('/new'), at('/a'));
    rmSync(at('/file'));
    mkdirSync(at('/file/d'), { recursive: true });
    for (const directory of ['/a', '/a/b', '/file', '/file/d']) await isHeardIn(directory);
  });

  it('gives up when the system gives no more watches, at the start and later, and says so', async () => {
    for (const code of ['ENOSPC', 'EMFILE']) {
      const atStart = await watched(['/a/b'], refusing(code, 2));
      expect([atStart.isWatching, atStart.troubles]).toEqual([false, [[code, true]]]);
      const later = await watched(['/a'], refusing(code, 3));
      expect(later.isWatching).toBe(true);
      mkdirSync(later.at('/a/b'));
      await waitFor('the trouble', () => later.troubles.length > 0);
      expect(later.troubles).toEqual([[code, true]]);
    }
  });

  it('goes on where a directory is not shown to it, and tells of it when a scan counts on its watch', async () => {
    const { watcher, isWatching, troubles } = await watched(['/a/b'], refusing('EACCES', 3));
    expect([isWatching, troubles]).toEqual([true, []]);
    watcher.set('/a/b');
    expect(troubles).toEqual([['EACCES', false]]);
  });

  it('keeps watching what a scan has found until it is gone', async () => {
    const { watcher, isHeardIn, at } = await watched(['/a']);
    mkdirSync(at('/a/b'));
    watcher.set('/a/b');
    await isHeardIn('/a/b');
    expect(watcher.size).toBe(1);
    watcher.keepOnly(() => true);
    await isHeardIn('/a/b');
    watcher.close();
    expect(watcher.size).toBe(0);
    await isHeardIn('/a/b');
    watcher.set('/a/b');
    watcher.keepOnly(() => false);
    expect(watcher.size).toBe(0);
    await isHeardIn('/a');
  });
});
