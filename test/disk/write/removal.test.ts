// A version that steps aside has two names for a moment, and a person may come between any two looks at them: whichever name
// the mirror then takes away, no content goes with it.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FolderOperation } from '../../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { sha256Hex } from '../../../server/platform/crypto/hashes.ts';
import { DiskHarness } from '../../support/disk-harness.ts';
import { diskError, faultyFileSystem } from '../../support/engine-folder.ts';

const aside = '/a (copy)';

/** `a` holds "mine"; the person acts once, right after the first look at either name when both stand. */
async function rigWith(person: (rig: DiskHarness) => void, renameFails = false) {
  let comes = false;
  const rig = new DiskHarness(
    faultyFileSystem({
      lstat: (file) => {
        const stat = nodeFileSystem.lstat(file);
        if (comes && /\/a( \(copy\))?$/.test(file)) {
          comes = false;
          person(rig);
        }
        return stat;
      },
      link: (from, to) => {
        nodeFileSystem.link(from, to);
        comes ||= to.endsWith(aside);
      },
      rename: (from, to) => {
        if (renameFails) throw diskError('EIO');
        nodeFileSystem.rename(from, to);
      },
    }),
  );
  rig.write('a', 'mine');
  await rig.open();
  const expected = await rig.file('/a');
  await rig.engine.scan('full');
  const bothStand = () => {
    linkSync(rig.at('a'), rig.at('a (copy)'));
    comes = true;
  };
  return { rig, expected, bothStand };
}

/** As editors do: a new file under another name, and then a rename. */
function save(rig: DiskHarness, name: string): void {
  writeFileSync(rig.at('.save.swp'), 'saved');
  renameSync(rig.at('.save.swp'), rig.at(name));
}

const saveOver = (rig: DiskHarness) => save(rig, 'a');

describe('a file that steps aside', () => {
  it('leaves what was saved over it between the two looks', async () => {
    const { rig, expected } = await rigWith(saveOver);
    const moveAside: FolderOperation = { kind: 'move_aside', path: '/a', asidePath: aside, expected };
    await rig.engine.apply([moveAside]);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('saved');
    expect(readFileSync(rig.at('a (copy)'), 'utf8')).toBe('mine');
  });

  it('keeps its first name when its second was deleted between the two looks', async () => {
    const { rig, expected } = await rigWith(({ root }) => rmSync(`${root}${aside}`));
    const moveAside: FolderOperation = { kind: 'move_aside', path: '/a', asidePath: aside, expected };
    await rig.engine.apply([moveAside]);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('mine');
  });

  it('keeps its second name when that was not to stay and the first was saved over', async () => {
    const { rig, expected } = await rigWith(saveOver, true);
    const bytes = Buffer.from('theirs');
    const hash = sha256Hex('theirs');
    const [outcome] = await rig.engine.apply([
      { kind: 'put', path: '/a', tempName: '.mooring-tmp-1', bytes, hash, expected, asidePath: aside },
    ]);
    expect(outcome).toMatchObject({ ok: false, steppedAside: true });
    expect(readFileSync(rig.at('a (copy)'), 'utf8')).toBe('mine');
  });

  it('leaves what was saved over it while a crash is made up for', async () => {
    const { rig, bothStand } = await rigWith(saveOver);
    bothStand();
    expect(await rig.engine.recover([{ kind: 'aside', path: '/a', asidePath: aside }])).toEqual([true]);
    expect(readFileSync(rig.at('a'), 'utf8')).toBe('saved');
    expect(readFileSync(rig.at('a (copy)'), 'utf8')).toBe('mine');
  });

  it('has one name again after a crash in between', async () => {
    const { rig, bothStand } = await rigWith(() => undefined);
    bothStand();
    expect(await rig.engine.recover([{ kind: 'aside', path: '/a', asidePath: aside }])).toEqual([true]);
    expect(nodeFileSystem.lstat(rig.at('a'))).toBeNull();
    expect(readFileSync(rig.at('a (copy)'), 'utf8')).toBe('mine');
  });
});
