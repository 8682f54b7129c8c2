import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { MirrorRefusedError } from '../../server/mirror/manager/port.ts';
import { MirrorRoots } from '../../server/mirror/manager/roots.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { mirroredTwelve, startMirrorHarness } from '../support/mirror-harness.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

describe('who may mirror what', () => {
  it('refuses relative paths, files, folders within each other and the data directory', async () => {
    const rig = await startMirrorHarness();
    await rig.mirror();
    rig.write('sub/file', 'f');
    for (const dir of ['relative', rig.at('sub/file'), rig.root, rig.at('sub'), rig.dataDir, '/']) {
      await expect(rig.manager.add(rig.workspaceId, dir), dir).rejects.toThrow(MirrorRefusedError);
    }
  });

  it('refuses a folder around its data directory under whatever name that was given', async () => {
    const rig = await startMirrorHarness();
    const link = path.join(tempFolder('mooring-link'), 'data');
    symlinkSync(rig.dataDir, link);
    const roots = new MirrorRoots({
      dataDir: link,
      logger: createLogger({ level: 'silent' }),
      cloudMachine: { platform: process.platform, home: rig.base, env: {} },
      mirroredDirs: () => [],
    });
    const around = path.dirname(rig.dataDir);
    const reason = `Cannot mirror ${around}: it overlaps the data directory ${rig.dataDir}. Choose a folder outside it.`;
    expect(roots.rootRefusal(around)).toBe(reason);
    expect(() => roots.prepareRoot(around)).toThrow(reason);
    // It was moved there after the folder had been mirrored.
    await expect(roots.lock(around)).rejects.toThrow(reason);
    expect(await roots.lock(rig.root)).toBeNull();
    roots.release(rig.root, false);
  });

  it('refuses a folder that a living agent holds, and takes over from a dead one', async () => {
    const rig = await startMirrorHarness();
    mkdirSync(rig.at('.mooring'));
    const lock = (pid: number) =>
      writeFileSync(
        rig.at('.mooring/lock.json'),
        JSON.stringify({ pid, startedAt: '', dataDir: '/elsewhere' }),
      );
    lock(process.ppid);
    await expect(rig.manager.add(rig.workspaceId, rig.root)).rejects.toThrow(/another agent.*\/elsewhere/);
    lock(2 ** 22 - 3);
    await rig.mirror();
  });

  it('refuses a folder within one that a living agent holds, and one that holds such a folder', async () => {
    const rig = await startMirrorHarness();
    const lock = (folder: string, pid: number) => {
      mkdirSync(path.join(folder, '.mooring'), { recursive: true });
      const owner = { pid, startedAt: '', dataDir: '/elsewhere' };
      writeFileSync(path.join(folder, '.mooring/lock.json'), JSON.stringify(owner));
    };
    const outer = path.join(rig.base, 'outer');
    const inner = path.join(outer, 'a/inner');
    mkdirSync(path.join(outer, 'b/other'), { recursive: true });
    lock(inner, process.ppid);
    const add = async (dir: string) => await rig.manager.add(rig.workspaceId, dir);
    await expect(add(outer)).rejects.toThrow(
      `Cannot mirror ${outer}: another agent (process ${process.ppid} with the data directory /elsewhere) mirrors ${inner}.`,
    );
    lock(outer, process.ppid);
    await expect(add(path.join(outer, 'b/other'))).rejects.toThrow(
      `mirrors ${outer}. Choose a folder outside it.`,
    );
    for (const folder of [outer, inner]) lock(folder, 2 ** 22 - 3);
    await add(outer);
  });

  it.runIf(process.platform !== 'win32')(
    'lets nobody else write who holds it, whatever the umask',
    async () => {
      const before = process.umask(0);
      try {
        const rig = await mirroredTwelve();
        expect(statSync(rig.at('.mooring')).mode & 0o777).toBe(0o755);
        for (const name of ['marker.json', 'lock.json'])
          expect([name, statSync(rig.at(`.mooring/${name}`)).mode & 0o777]).toEqual([name, 0o600]);
      } finally {
        process.umask(before);
      }
    },
  );

  it('leaves the files and removes its private folder when the mirror is removed', async () => {
    const rig = await mirroredTwelve();
    await rig.manager.remove(rig.workspaceId, rig.mirrorId);
    expect(existsSync(rig.at('.mooring'))).toBe(false);
    expect(Object.keys(rig.folder())).toHaveLength(12);
    expect(await rig.manager.list()).toEqual([]);
  });
});
