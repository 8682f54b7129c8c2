// The way to a mirrored folder: no call is led out of it, whatever somebody puts in the place of a directory. On both kinds of
// system: those that work in an open directory, and those that only compare directories before and after.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { confinedFileSystem } from '../../../server/disk/port/confined-file-system.ts';
import { canUseHandles, DirectoryHandles } from '../../../server/disk/port/directory-handles.ts';
import { errorCode, type FileSystem } from '../../../server/disk/port/file-system.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ways = [
  ...(canUseHandles() ? [{ way: 'by handle', byHandle: true }] : []),
  { way: 'by comparing', byHandle: false },
];

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return errorCode(error);
  }
}

/** Each call that takes a path, for a name in `directory`. */
function callsAt(fs: FileSystem, directory: string, within: string): Record<string, () => unknown> {
  const file = `${directory}/file`;
  return {
    list: () => fs.list(directory),
    openToRead: () => fs.close(fs.openToRead(file)),
    openToExtend: () => fs.close(fs.openToExtend(file)),
    openNew: () => fs.close(fs.openNew(`${directory}/new`, 0o600)),
    syncDirectory: () => fs.syncDirectory(directory),
    'rename away': () => fs.rename(file, `${within}/taken`),
    'rename to': () => fs.rename(`${within}/mine`, `${directory}/mine`),
    'link away': () => fs.link(file, `${within}/taken`),
    'link to': () => fs.link(`${within}/mine`, `${directory}/mine`),
    copyNew: () => {
      const handle = fs.openToRead(`${within}/mine`);
      try {
        fs.copyNew(handle, `${directory}/copy`, false);
      } finally {
        fs.close(handle);
      }
    },
    readLink: () => fs.readLink(file),
    makeLink: () => fs.makeLink(`${directory}/made-link`, 'anywhere'),
    unlink: () => fs.unlink(file),
    makeDirectory: () => fs.makeDirectory(`${directory}/made`),
    removeDirectory: () => fs.removeDirectory(`${directory}/empty`),
  };
}

function scene() {
  const base = tempFolder('mooring-confined');
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  mkdirSync(`${root}/docs`, { recursive: true });
  mkdirSync(`${outside}/empty`, { recursive: true });
  writeFileSync(`${root}/mine`, 'mine');
  writeFileSync(`${outside}/file`, 'theirs');
  return { base, root, outside };
}

/** What was found so long ago is looked for again. */
function waitUntilOld(): void {
  for (const end = performance.now() + 25; performance.now() < end; );
}

const lookAt = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => `${name} ${statSync(path.join(directory, name), { bigint: true }).ctimeNs}`);

describe.each(ways)('a folder that is reached $way', ({ byHandle }) => {
  it('is left by no call through a link, a file or dots on the way', () => {
    const { root, outside } = scene();
    symlinkSync(outside, `${root}/link`);
    symlinkSync('.', `${root}/itself`);
    const fs = confinedFileSystem(root, byHandle);
    const before = lookAt(outside);
    for (const directory of [
      'link',
      'link/empty/..',
      'docs/../../outside',
      '../outside',
      'itself/link',
      'mine',
      './link',
    ])
      for (const [call, act] of Object.entries(callsAt(fs, `${root}/${directory}`, root)))
        expect(['ENOTDIR', 'EINVAL', 'ENOENT'], `${call} in ${directory}`).toContain(codeOf(act));
    for (const [call, act] of Object.entries(callsAt(fs, outside, root)))
      expect(codeOf(act), call).toBe('EINVAL');
    expect(fs.lstat(`${root}/link/file`)).toBeNull();
    expect(fs.lstat(`${root}/link`)?.kind).toBe('symlink');
    expect(codeOf(() => fs.lstat(`${root}/..`))).toBe('EINVAL');
    fs.closeDirectories();
    expect(lookAt(outside)).toEqual(before);
    expect(readFileSync(`${root}/mine`, 'utf8')).toBe('mine');
    expect(existsSync(`${root}/taken`)).toBe(false);
  });

  it('is not entered through a link in the place of its root, nor another in the middle of a request', () => {
    const { base, root, outside } = scene();
    const fs = confinedFileSystem(root, byHandle);
    expect(fs.list(root).names).toContain('docs');
    renameSync(root, `${base}/moved`);
    symlinkSync(outside, root);
    waitUntilOld();
    const before = lookAt(outside);
    for (const [call, act] of Object.entries(callsAt(fs, root, `${root}/empty`)))
      expect(['ENOTDIR', 'ESTALE'], call).toContain(codeOf(act));
    expect(fs.lstat(root)?.kind).toBe('symlink');
    expect(lookAt(outside)).toEqual(before);
    rmSync(root);
    mkdirSync(`${root}/docs`, { recursive: true });
    waitUntilOld();
    expect(codeOf(() => fs.openNew(`${root}/docs/new`, 0o600))).toBe('ESTALE');
    fs.closeDirectories();
    expect(codeOf(() => fs.close(fs.openNew(`${root}/docs/new`, 0o600)))).toBe('done');
    fs.closeDirectories();
  });

  it('tells that a directory was moved, replaced, or led elsewhere by one above it', () => {
    const { root, outside } = scene();
    mkdirSync(`${root}/a/b/c`, { recursive: true });
    const directories = new DirectoryHandles(root, byHandle);
    const exchanged = (exchange: () => void) => {
      directories.at('/a/b/c', 0);
      expect(codeOf(() => directories.verify('/a/b/c'))).toBe('done');
      exchange();
      return codeOf(() => directories.verify('/a/b/c'));
    };
    expect(exchanged(() => renameSync(`${root}/a/b`, `${root}/a/other`))).toBe('ESTALE');
    expect(codeOf(() => directories.at('/a/b/c', 0))).toBe('ENOENT');
    renameSync(`${root}/a/other`, `${root}/a/b`);
    // The same directory is found through the link, which is why each on the way is compared.
    const linked = () => {
      renameSync(`${root}/a`, `${root}/x`);
      symlinkSync('x', `${root}/a`);
    };
    expect(exchanged(linked)).toBe('ESTALE');
    expect(codeOf(() => directories.at('/a/b/c', 0))).toBe('ENOTDIR');
    rmSync(`${root}/a`);
    renameSync(`${root}/x`, `${root}/a`);
    expect(exchanged(() => renameSync(`${root}/a/b/c`, `${outside}/c`))).toBe('ESTALE');
    mkdirSync(`${root}/a/b/c`);
    expect(codeOf(() => directories.at('/a/b/c', 0))).toBe('done');
    directories.close();
  });

  it('keeps a bounded number of directories open, and none between two requests', () => {
    const { root } = scene();
    const own = () =>
      process.platform === 'linux'
        ? readdirSync('/proc/self/fd').filter((fd) => {
            try {
              return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
            } catch {
              // It was the listing's own.
              return false;
            }
          }).length
        : 0;
    const fs = confinedFileSystem(root, byHandle);
    const deep = Array.from({ length: 90 }, (_, n) => n).join('/');
    mkdirSync(`${root}/${deep}`, { recursive: true });
    for (let n = 0; n < 200; n += 1) {
      fs.makeDirectory(`${root}/docs/d${n}`);
      fs.close(fs.openNew(`${root}/docs/d${n}/file`, 0o600));
    }
    expect(own()).toBeLessThanOrEqual(64);
    fs.close(fs.openNew(`${root}/${deep}/file`, 0o600));
    expect(own()).toBeLessThanOrEqual(92);
    fs.rename(`${root}/docs/d0/file`, `${root}/${deep}/other`);
    expect(fs.list(`${root}/${deep}`).names.toSorted()).toEqual(['file', 'other']);
    for (let n = 1; n < 200; n += 1) expect(fs.lstat(`${root}/docs/d${n}/file`)?.kind).toBe('file');
    fs.closeDirectories();
    expect(own()).toBe(0);
  });

  it('gives a file the time of now', () => {
    const { root } = scene();
    const fs = confinedFileSystem(root, byHandle);
    writeFileSync(`${root}/docs/file`, 'x');
    const handle = fs.openToExtend(`${root}/docs/file`);
    utimesSync(`${root}/docs/file`, 1, 1);
    fs.touch(handle);
    fs.verifyPlace(`${root}/docs/file`);
    fs.close(handle);
    expect(statSync(`${root}/docs/file`).mtimeMs).toBeGreaterThan(1000);
    fs.closeDirectories();
  });
});
