// How editors save, as the system calls that they make: however often the folder is looked at in between, one save is one
// change of the right path, and nothing else is ever reported. The clock is the test's own.
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { confinedFileSystem } from '../../server/disk/port/confined-file-system.ts';
import type { FolderChange } from '../../server/disk/port/folder.ts';
import { FolderEngine } from '../../server/disk/worker/engine.ts';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const old = 'the old text\n';
const fresh = 'the new text, which is longer\n';

type Call = (at: (name: string) => string) => void;

const editors: Readonly<Record<string, readonly Call[]>> = {
  'vim, by renaming': [
    (at) => writeFileSync(at('.notes.md.swp'), 'swap'),
    (at) => writeFileSync(at('4913'), ''),
    (at) => unlinkSync(at('4913')),
    (at) => renameSync(at('notes.md'), at('notes.md~')),
    (at) => writeFileSync(at('notes.md'), ''),
    (at) => writeFileSync(at('notes.md'), fresh),
    (at) => unlinkSync(at('notes.md~')),
    (at) => unlinkSync(at('.notes.md.swp')),
  ],
  'vim, by copying': [
    (at) => writeFileSync(at('.notes.md.swp'), 'swap'),
    (at) => writeFileSync(at('notes.md~'), readFileSync(at('notes.md'))),
    (at) => truncateSync(at('notes.md')),
    (at) => writeFileSync(at('notes.md'), fresh),
    (at) => unlinkSync(at('notes.md~')),
    (at) => unlinkSync(at('.notes.md.swp')),
  ],
  'VS Code, in place': [
    (at) => truncateSync(at('notes.md')),
    (at) => writeFileSync(at('notes.md'), fresh.slice(0, 10)),
    (at) => writeFileSync(at('notes.md'), fresh),
  ],
  'JetBrains, by a safe write': [
    (at) => writeFileSync(at('notes.md___jb_tmp___'), fresh),
    (at) => renameSync(at('notes.md'), at('notes.md___jb_old___')),
    (at) => renameSync(at('notes.md___jb_tmp___'), at('notes.md')),
    (at) => unlinkSync(at('notes.md___jb_old___')),
  ],
  'gedit, with a backup': [
    (at) => writeFileSync(at('.goutputstream-A1B2C3'), ''),
    (at) => writeFileSync(at('.goutputstream-A1B2C3'), fresh),
    (at) => linkSync(at('notes.md'), at('notes.md~')),
    (at) => renameSync(at('.goutputstream-A1B2C3'), at('notes.md')),
    (at) => unlinkSync(at('notes.md~')),
  ],
  'LibreOffice, with a lock': [
    (at) => writeFileSync(at('.~lock.notes.md#'), 'owner'),
    (at) => writeFileSync(at('lu1234abcd.tmp'), fresh),
    (at) => renameSync(at('lu1234abcd.tmp'), at('notes.md')),
    (at) => unlinkSync(at('.~lock.notes.md#')),
  ],
  'macOS, by a safe save': [
    (at) => mkdirSync(at('notes.md.sb-1a2b3c4d-Xy0z9W')),
    (at) => writeFileSync(at('notes.md.sb-1a2b3c4d-Xy0z9W/notes.md'), fresh),
    (at) => renameSync(at('notes.md'), at('notes.md.sb-1a2b3c4d-Xy0z9W/old')),
    (at) => renameSync(at('notes.md.sb-1a2b3c4d-Xy0z9W/notes.md'), at('notes.md')),
    (at) => unlinkSync(at('notes.md.sb-1a2b3c4d-Xy0z9W/old')),
    (at) => rmdirSync(at('notes.md.sb-1a2b3c4d-Xy0z9W')),
  ],
};

interface Desk {
  readonly at: (name: string) => string;
  readonly engine: FolderEngine;
  readonly look: (afterMs: number, scope?: 'full' | 'dirty') => Promise<readonly FolderChange[]>;
}

/** A folder with one file that everybody knows, on a clock that only `look` moves. */
async function desk(): Promise<Desk> {
  const root = tempFolder('mooring-editor');
  const at = (name: string) => path.join(root, name);
  writeFileSync(at('notes.md'), old);
  const startMs = Date.now();
  let passedMs = 0;
  const engine = new FolderEngine({
    fileSystemAt: (folder) => confinedFileSystem(folder),
    // Nothing is ever long ago by the wall clock: rest is only believed after two looks.
    time: { nowMs: () => startMs, monotonicMs: () => passedMs },
    breathe: () => Promise.resolve(),
    isWindows: false,
  });
  await engine.open({ root, known: [], fileBytesMax: 1024 });
  const look: Desk['look'] = async (afterMs, scope = 'full') => {
    passedMs += afterMs;
    return [...(await engine.scan(scope)).changes];
  };
  await look(0);
  await look(100);
  return { at, engine, look };
}

function described(changes: readonly FolderChange[]): readonly string[] {
  return changes.map(({ path: changed, entry }) =>
    entry?.kind === 'file' ? `${changed} ${entry.hash}` : `${changed} ${entry?.kind ?? 'gone'}`,
  );
}

describe.each(Object.entries(editors))('a save of %s', (_, calls) => {
  const saved = [`/notes.md ${sha256Hex(fresh)}`];

  it('is one change of the file, looked at after every call', async () => {
    const { at, look } = await desk();
    const changes: FolderChange[] = [];
    for (const call of calls) {
      call(at);
      changes.push(...(await look(5)));
    }
    changes.push(...(await look(100)), ...(await look(100)));
    expect(described(changes.filter(({ entry }) => entry?.kind !== 'directory'))).toEqual(saved);
  });

  it('is one change of the file, looked at once afterwards', async () => {
    const { at, look } = await desk();
    for (const call of calls) call(at);
    const changes = [...(await look(5)), ...(await look(100)), ...(await look(100))];
    expect(described(changes)).toEqual(saved);
  });
});
