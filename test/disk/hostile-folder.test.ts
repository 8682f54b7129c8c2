// What somebody who may write in a mirrored folder puts in the place of the mirror's own things: its private folder, its marker, the
// rules of what is ignored.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { confinedFileSystem } from '../../server/disk/port/confined-file-system.ts';
import { errorCode } from '../../server/disk/port/file-system.ts';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { probeNames } from '../../server/disk/root/name-probe.ts';
import { inspectRoot, touchMarker, writeMarker } from '../../server/disk/root/root.ts';
import { readWhole } from '../../server/disk/tree/read-file.ts';
import { DiskHarness, hashOf } from '../support/disk-harness.ts';
import { faultyFileSystem } from '../support/engine-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return errorCode(error);
  }
}

/** mknod(1) is where each of these systems has it; it makes pipes, too. */
function makeNode(...args: readonly string[]): void {
  execFileSync(process.platform === 'darwin' ? '/sbin/mknod' : '/usr/bin/mknod', args, { stdio: 'ignore' });
}

function makePipe(file: string): void {
  if (process.platform === 'darwin') execFileSync('/usr/bin/mkfifo', [file]);
  else makeNode(file, 'p');
}

describe('the private folder', () => {
  it('is neither read nor written through a link in its place', () => {
    const [root, outside] = [tempFolder(), tempFolder()];
    writeMarker(confinedFileSystem(outside), outside, 'of another folder');
    symlinkSync(`${outside}/.mooring`, `${root}/.mooring`);
    const before = readdirSync(`${outside}/.mooring`).map((name) => statSync(`${outside}/.mooring/${name}`));
    const fs = confinedFileSystem(root);
    expect(inspectRoot(fs, root)).toMatchObject({ kind: 'present', markerId: null });
    for (const act of [
      () => writeMarker(fs, root, 'mine'),
      () => touchMarker(fs, root),
      () => probeNames(fs, root, false),
    ])
      expect(codeOf(act)).toBe('ENOTDIR');
    fs.closeDirectories();
    expect(readdirSync(`${outside}/.mooring`).map((name) => statSync(`${outside}/.mooring/${name}`))).toEqual(
      before,
    );
  });

  it('gives no times to a file that a link in the place of its marker leads to', () => {
    const [root, outside] = [tempFolder(), tempFolder()];
    const fs = confinedFileSystem(root);
    writeMarker(fs, root, 'mine');
    writeFileSync(`${outside}/file`, 'theirs');
    const before = statSync(`${outside}/file`, { bigint: true });
    rmSync(`${root}/.mooring/marker.json`);
    symlinkSync(`${outside}/file`, `${root}/.mooring/marker.json`);
    expect(codeOf(() => touchMarker(fs, root))).toBe('ELOOP');
    expect(inspectRoot(fs, root)).toMatchObject({ markerId: null });
    expect(statSync(`${outside}/file`, { bigint: true })).toEqual(before);
    rmSync(`${root}/.mooring/marker.json`);
    makePipe(`${root}/.mooring/marker.json`);
    expect(codeOf(() => touchMarker(fs, root))).toBe('done');
    expect(inspectRoot(fs, root)).toMatchObject({ markerId: null });
    fs.closeDirectories();
  });
});

describe('a file of rules', () => {
  const notRules: readonly [string, (rig: DiskHarness) => void][] = [
    [
      'a link to rules elsewhere',
      (rig) => {
        const outside = tempFolder();
        writeFileSync(`${outside}/rules`, '*.md\n');
        symlinkSync(`${outside}/rules`, rig.at('.mooringignore'));
      },
    ],
    ['a pipe that nobody writes to', (rig) => makePipe(rig.at('.mooringignore'))],
    ['a directory', (rig) => mkdirSync(rig.at('.mooringignore'))],
  ];
  it.each(notRules)('is not read when it is %s', async (_, plant) => {
    const rig = new DiskHarness();
    await rig.open();
    plant(rig);
    rig.write('a.md', 'a');
    expect(await rig.settled()).toContain(`/a.md ${hashOf('a')}`);
  });

  it('is not read when it is huge, and is listed', async () => {
    const rig = new DiskHarness();
    await rig.open();
    writeFileSync(rig.at('.mooringignore'), '*.md\n');
    truncateSync(rig.at('.mooringignore'), 8 * 1024 ** 3);
    rig.write('a.md', 'a');
    expect(await rig.settled()).toContain('/.mooringignore too_large');
  });

  const isDevice = (file: string) => {
    try {
      makeNode(file, 'c', '1', '5');
      return true;
    } catch {
      return false;
    }
  };
  it('is not read when it is a device', async ({ skip }) => {
    const rig = new DiskHarness();
    await rig.open();
    if (!isDevice(rig.at('.mooringignore'))) skip('mknod is not permitted here');
    rig.write('a.md', 'a');
    expect(await rig.settled()).toContain(`/a.md ${hashOf('a')}`);
  });

  it('is not read when it became one of these, or huge, after it was looked at', async () => {
    const plants: readonly ((file: string) => void)[] = [
      makePipe,
      (file) => symlinkSync('/dev/zero', file),
      (file) => {
        writeFileSync(file, '');
        truncateSync(file, 8 * 1024 ** 3);
      },
    ];
    for (const plant of plants) {
      let planted = false;
      const rig: DiskHarness = new DiskHarness(
        faultyFileSystem({
          openToRead(file) {
            if (file.endsWith('/.mooringignore') && !planted) {
              planted = true;
              rmSync(file);
              plant(file);
            }
            return nodeFileSystem.openToRead(file);
          },
        }),
      );
      await rig.open();
      rig.write('.mooringignore', '*.md\n');
      rig.write('a.md', 'a');
      expect(await rig.settled()).toContain(`/a.md ${hashOf('a')}`);
      expect(planted).toBe(true);
    }
  });
});

describe('reading a whole file', () => {
  it('takes no more than was looked at', () => {
    const file = `${tempFolder()}/file`;
    writeFileSync(file, 'eight...');
    expect(readWhole(nodeFileSystem, file, 8)).toMatchObject({ kind: 'read' });
    expect(readWhole(nodeFileSystem, file, 7)).toEqual({ kind: 'changed' });
  });

  it('does not wait for a writer of a pipe that took the place of a known file', async () => {
    const rig = new DiskHarness();
    await rig.open();
    rig.write('a', 'a');
    const expected = await rig.file('/a');
    renameSync(rig.at('a'), rig.at('b'));
    makePipe(rig.at('a'));
    expect(await rig.engine.read([{ path: '/a', expected }])).toEqual([{ ok: false }]);
    expect(existsSync(rig.at('b'))).toBe(true);
  });
});
