import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ensurePrivateDir,
  readPrivateFile,
  writePrivateFile,
} from '../../../server/platform/files/private-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;
const modes = process.platform !== 'win32';

describe('a private file', () => {
  it('is written as a whole, for this user only, and leaves nothing beside it', () => {
    const dir = tempFolder();
    const file = path.join(dir, 'a');
    writeFileSync(file, 'old', { mode: 0o644 });
    writePrivateFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(dir)).toEqual(['a']);
    if (modes) expect(modeOf(file)).toBe(0o600);
  });

  it('leaves the old one and no trace when it cannot be put in place', () => {
    const dir = tempFolder();
    mkdirSync(path.join(dir, 'a', 'b'), { recursive: true });
    expect(() => writePrivateFile(path.join(dir, 'a'), 'new')).toThrow();
    expect(readdirSync(dir)).toEqual(['a']);
  });

  it('is taken from others when it is read', () => {
    const file = path.join(tempFolder(), 'a');
    expect(readPrivateFile(file)).toBeNull();
    writeFileSync(file, 'text', { mode: 0o644 });
    expect(readPrivateFile(file)).toBe('text');
    if (modes) expect(modeOf(file)).toBe(0o600);
  });

  it('is not mistaken for missing when it cannot be read', () => {
    expect(() => readPrivateFile(tempFolder())).toThrow(/EISDIR/);
  });
});

it.runIf(modes)('a private directory is made with its parents, and an open one is closed', () => {
  const dir = path.join(tempFolder(), 'a', 'b');
  ensurePrivateDir(dir);
  expect(modeOf(dir)).toBe(0o700);
  chmodSync(dir, 0o755);
  ensurePrivateDir(dir);
  expect(modeOf(dir)).toBe(0o700);
});
