import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveMirroredPath } from '../../electron/openable-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';

function mirrored() {
  const outside = tempFolder('mooring-places');
  const dir = path.join(outside, 'folder');
  mkdirSync(path.join(dir, 'docs'), { recursive: true });
  writeFileSync(path.join(dir, 'docs/notes.md'), 'notes');
  writeFileSync(path.join(outside, 'secret.md'), 'secret');
  const find = (workspacePath: string, platform: NodeJS.Platform = 'linux') =>
    resolveMirroredPath({ workspaceId: 'ws', path: workspacePath }, [{ workspaceId: 'ws', dir }], platform);
  return { outside, dir, find };
}

describe('a file of a workspace on this disk', () => {
  it('is found in the mirrored folder, and so is the folder itself', async () => {
    const { dir, find } = mirrored();
    const file = path.join(dir, 'docs/notes.md');
    expect(await find('/docs/notes.md')).toEqual({ ok: true, file, isProgram: false });
    expect(await find('/')).toEqual({ ok: true, file: dir, isProgram: false });
  });

  it.each([
    '../secret.md',
    '/../secret.md',
    '/docs/../../secret.md',
    '/./docs',
    'docs/notes.md',
    '/a\0b',
    '',
  ])('is not looked for at %j', async (workspacePath) => {
    const { find } = mirrored();
    expect(await find(workspacePath)).toMatchObject({
      ok: false,
      cause: 'The path is not valid on this system.',
    });
  });

  it.each(['/C:/Windows', '/docs\\..\\..\\secret.md', '/a:stream', '/a?b'])(
    'is not looked for on Windows at %j',
    async (workspacePath) => {
      const { find } = mirrored();
      expect(await find(workspacePath, 'win32')).toMatchObject({ ok: false });
    },
  );

  it('is refused behind a link, wherever it leads', async () => {
    const { outside, dir, find } = mirrored();
    symlinkSync(path.join(outside, 'secret.md'), path.join(dir, 'link.md'));
    symlinkSync(outside, path.join(dir, 'up'));
    symlinkSync(path.join(dir, 'docs/notes.md'), path.join(dir, 'inside.md'));
    for (const place of ['/link.md', '/up/secret.md', '/inside.md']) {
      expect(await find(place)).toMatchObject({
        ok: false,
        cause: 'A symbolic link leaves the mirrored folder.',
      });
    }
  });

  it('that is not there, or of a workspace that is not mirrored, is said', async () => {
    const { dir, find } = mirrored();
    expect(await find('/missing.md')).toMatchObject({ ok: false, cause: 'The file is not in the folder.' });
    const other = await resolveMirroredPath(
      { workspaceId: 'other', path: '/' },
      [{ workspaceId: 'ws', dir }],
      'linux',
    );
    expect(other).toMatchObject({ ok: false, cause: 'This workspace has no mirror on this computer.' });
  });
});

describe('what a program is', () => {
  it.each(['run.EXE', 'a.desktop', 'b.command', 'c.sh', 'd.lnk', 'e.js', 'f.app', 'g.exe. .'])(
    '%s',
    async (name) => {
      const { dir, find } = mirrored();
      writeFileSync(path.join(dir, name), '');
      expect(await find(`/${name}`)).toMatchObject({ ok: true, isProgram: true });
    },
  );

  it('a file that is marked as one', async () => {
    const { dir, find } = mirrored();
    writeFileSync(path.join(dir, 'tool'), '');
    expect(await find('/tool')).toMatchObject({ isProgram: false });
    chmodSync(path.join(dir, 'tool'), 0o755);
    expect(await find('/tool')).toMatchObject({ isProgram: true });
  });
});
