// Names, ignoring, hints, settling and the root: the small rules of the disk's room.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../server/core/paths/path.ts';
import {
  IgnoreRules,
  ignoreRuleCharactersMax,
  ignoreRulesMax,
  isBuiltInIgnored,
} from '../../server/disk/names/ignore.ts';
import {
  foldKey,
  numberedName,
  suggestedName,
  unsupportedNameReason,
} from '../../server/disk/names/name-rules.ts';
import type { NameRules } from '../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { probeNames } from '../../server/disk/root/name-probe.ts';
import { inspectRoot, makeRoot, writeMarker } from '../../server/disk/root/root.ts';
import { lockRoot, releaseRoot } from '../../server/disk/root/root-lock.ts';
import { DirtySet } from '../../server/disk/watch/dirty-set.ts';
import { foldingFileSystem } from '../support/folding-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';

const linux: NameRules = {
  foldsCase: false,
  foldsUnicode: false,
  decomposes: false,
  windows: false,
  pathBytesMax: 4096,
  rootBytes: 20,
};
const windows: NameRules = { ...linux, foldsCase: true, windows: true };
const apple: NameRules = { ...linux, foldsCase: true, foldsUnicode: true };

describe('what a disk can hold', () => {
  it.each([
    ['/con', 'reserves'],
    ['/a/COM1.txt', 'reserves'],
    ['/a:b', 'does not allow'],
    ['/a\\b', 'does not allow'],
    ['/a/what?', 'does not allow'],
    ['/ends.', 'removes'],
    ['/ends ', 'removes'],
  ])('Windows cannot hold %s, Linux can', (path, reason) => {
    expect(unsupportedNameReason(windows, path)).toContain(reason);
    expect(unsupportedNameReason(linux, path)).toBeNull();
  });

  it('counts the root with the path, and bytes, not letters', () => {
    expect(unsupportedNameReason(linux, `/${'é'.repeat(128)}`)).toContain('255 bytes');
    expect(unsupportedNameReason(linux, `/${'a/'.repeat(2040)}b`)).toContain('too long');
    expect(unsupportedNameReason(linux, `/${'é'.repeat(127)}`)).toBeNull();
  });

  it('folds case and Unicode forms only where the disk does', () => {
    expect(foldKey(apple, '/STRASSE')).toBe(foldKey(apple, '/straße'));
    expect(foldKey(apple, '/\u00e9')).toBe(foldKey(apple, '/e\u0301'));
    expect(foldKey(linux, '/A')).not.toBe(foldKey(linux, '/a'));
    expect(foldKey(linux, '/\u00e9')).not.toBe(foldKey(linux, '/e\u0301'));
  });

  it('proposes a name that can be held', () => {
    for (const path of ['/con', '/a:b?', '/ends. ', '/a|b|c/d', '/d/lpt1.txt']) {
      const proposal = suggestedName(windows, path);
      expect(
        unsupportedNameReason(windows, path.replace(proposal?.from ?? '', proposal?.to ?? '')),
      ).toBeNull();
    }
  });

  it('proposes a shorter name, or none where no shorter one would do', () => {
    const directory = `/${'d/'.repeat(2000)}`;
    const path = `${directory}${'\u00e9'.repeat(60)}.md`;
    const to = suggestedName(linux, path)?.to ?? '';
    expect(to).toMatch(/^\u00e9+\.md$/);
    expect(unsupportedNameReason(linux, `${directory}${to}`)).toBeNull();
    expect(unsupportedNameReason(linux, `${directory}\u00e9${to}`)).toContain('too long');
    expect(suggestedName(linux, `/${'d/'.repeat(2040)}a.md`)).toBeNull();
  });

  it('proposes a name beside one that is taken', () => {
    expect(numberedName('plan.md')).toBe('plan 2.md');
    expect(numberedName('.env', 3)).toBe('.env 3');
    expect(utf8Length(numberedName('\u00e9'.repeat(127)))).toBeLessThanOrEqual(255);
  });
});

describe('what is ignored', () => {
  it.each([
    '.git',
    '.mooring',
    '.DS_Store',
    'Thumbs.db',
    '.#lock',
    'a.swp',
    'a.txt~',
    '.~lock.a.odt#',
    '.goutputstream-X',
    'a___jb_tmp___',
    '.mooring-tmp-abc',
  ])('%s by itself', (name) => expect(isBuiltInIgnored(name)).toBe(true));

  it.each(['git', '.gitignore', '.mooringignore', '.relayfile.acl', '.env', 'swp', 'a.swpx'])(
    'but not %s',
    (name) => {
      expect(isBuiltInIgnored(name)).toBe(false);
    },
  );

  it('below an ignored directory everything is', () => {
    const rules = IgnoreRules.from([{ directory: '/', text: 'build/\n!build/keep\n' }]);
    expect(rules.ignores('/build/deep/keep')).toBe(true);
    expect(rules.ignores('/x/build/a')).toBe(true);
    expect(rules.ignores('/build')).toBe(false);
    expect(rules.ignores('/.git/config')).toBe(true);
  });

  it('the nearest rule file with an opinion decides', () => {
    const rules = IgnoreRules.from([
      { directory: '/', text: '*.log\n/top\n' },
      { directory: '/d', text: '!keep.log\n' },
    ]);
    expect(
      ['/a.log', '/d/a.log', '/d/keep.log', '/keep.log', '/top', '/d/top'].map((path) => rules.ignores(path)),
    ).toEqual([true, true, false, true, true, false]);
  });
});

describe('a rule that would take long to ask', () => {
  const deep = `/${'a/'.repeat(95)}xc`;
  const ruled = (text: string) => IgnoreRules.from([{ directory: '/', text }]);

  it('is asked in no time, and hides no less than it says', () => {
    const rules = ruled(`keep.md\n${'**/a/'.repeat(8)}x\n`);
    expect(rules.ignores(deep)).toBe(true);
    expect(rules.ignores(`/${'a/b/'.repeat(8)}x`)).toBe(true);
    expect(rules.ignores('/a/b/x')).toBe(false);
    expect(rules.ignores('/keep.md')).toBe(true);
  });

  it('shows no more than it says', () => {
    const rules = ruled(`*\n!${'a/**/'.repeat(8)}x\n!/b.md\n`);
    expect(rules.ignores('/a/c/a/c/a/c/y')).toBe(true);
    expect(rules.ignores('/b.md')).toBe(false);
  });

  it('is one of more than two ** between names, however many stand together', () => {
    expect(ruled('**/a/**/**/**/b/**/c/**').ignores('/z/a/z/b/z/z/c/file')).toBe(true);
    expect(ruled('**/a/**/**/**/b/**/c/**').ignores('/z/a/z/b/z/z/d/file')).toBe(false);
  });
});

describe('hints', () => {
  it('gather by directory, and what was written stays written', () => {
    const dirty = new DirtySet();
    dirty.add('/d', 'a', 'renamed', 0);
    dirty.add('/d', 'a', 'written', 1);
    dirty.add('/d', 'a', 'renamed', 2);
    dirty.add('/e', null, 'renamed', 3);
    const taken = dirty.take();
    expect(taken.directories).toEqual(['/d', '/e']);
    expect(taken.hints.get('/d')?.get('a')).toBe('written');
    expect(dirty.take().directories).toEqual([]);
  });

  it('that come faster than 2,000 a second ask for a full scan', () => {
    const dirty = new DirtySet();
    for (let n = 0; n < 2000; n += 1) dirty.add('/d', `f${n}`, 'written', 500);
    expect(dirty.isFull).toBe(false);
    dirty.add('/d', 'one more', 'written', 999);
    expect(dirty.take().full).toBe(true);
    for (let n = 0; n < 2000; n += 1) dirty.add('/d', `f${n}`, 'written', 1000 + n);
    expect(dirty.isFull).toBe(false);
  });
});

describe('a root', () => {
  it('is known by its marker', () => {
    const root = tempFolder();
    expect(inspectRoot(nodeFileSystem, root)).toMatchObject({ kind: 'present', markerId: null });
    writeMarker(nodeFileSystem, root, 'mark');
    expect(inspectRoot(nodeFileSystem, root)).toMatchObject({ kind: 'present', markerId: 'mark' });
    writeFileSync(`${root}/.mooring/marker.json`, '{torn');
    expect(inspectRoot(nodeFileSystem, root)).toMatchObject({ markerId: null });
    expect(inspectRoot(nodeFileSystem, `${root}/none`)).toEqual({ kind: 'missing' });
    expect(inspectRoot(nodeFileSystem, `${root}/.mooring/marker.json`)).toEqual({ kind: 'not_directory' });
  });

  it('has one living owner', () => {
    const root = tempFolder();
    const mine = { pid: 1, startedAt: 'a', dataDir: '/one', socket: null };
    const other = { pid: 2, startedAt: 'b', dataDir: '/two', socket: null };
    const alive = () => true;
    expect(lockRoot(nodeFileSystem, root, mine, alive)).toBeNull();
    expect(lockRoot(nodeFileSystem, root, mine, alive)).toBeNull();
    expect(lockRoot(nodeFileSystem, root, other, alive)).toEqual(mine);
    expect(lockRoot(nodeFileSystem, root, other, () => false)).toBeNull();
    expect(readdirSync(`${root}/.mooring`).filter((name) => name.startsWith('lock'))).toEqual(['lock.json']);
    releaseRoot(nodeFileSystem, root, mine, true);
    expect(lockRoot(nodeFileSystem, root, mine, alive)).toEqual(other);
  });

  it.each([
    ['had a dead owner', true],
    ['had none', false],
  ])('that %s gets one of two agents that look at the same moment', (_, hadOne) => {
    const root = tempFolder();
    const [dead, first, second] = [1, 2, 3].map((pid) => ({
      pid,
      startedAt: 'then',
      dataDir: `/${pid}`,
      socket: null,
    }));
    if (dead === undefined || first === undefined || second === undefined) throw new Error('three owners');
    const alive = (owner: { pid: number }) => owner.pid !== dead.pid;
    if (hadOne) expect(lockRoot(nodeFileSystem, root, dead, alive)).toBeNull();
    // After each look at the lock that the second one takes, the first one is done before it goes on.
    for (let looks = 1; looks <= 6; looks += 1) {
      const outcomes: unknown[] = [];
      let left = looks;
      const afterLook = <T>(path: string, seen: T): T => {
        if (path.endsWith('/lock.json')) left -= 1;
        else return seen;
        if (left === 0) outcomes.push(lockRoot(nodeFileSystem, root, first, alive));
        return seen;
      };
      const late = {
        ...nodeFileSystem,
        lstat: (path: string) => afterLook(path, nodeFileSystem.lstat(path)),
        openToRead: (path: string) => afterLook(path, nodeFileSystem.openToRead(path)),
      };
      outcomes.push(lockRoot(late, root, second, alive));
      const got = outcomes.filter((outcome) => outcome === null).length;
      expect([looks, got, readdirSync(`${root}/.mooring`).filter((name) => name !== 'lock.json')]).toEqual([
        looks,
        1,
        [],
      ]);
      releaseRoot(nodeFileSystem, root, first, false);
      releaseRoot(nodeFileSystem, root, second, false);
      if (hadOne) lockRoot(nodeFileSystem, root, dead, alive);
    }
  });

  it('is made when it is not there, under its real name', () => {
    const base = tempFolder();
    expect(makeRoot(`${base}/new/folder`)).toEqual({ ok: true, root: `${base}/new/folder` });
    mkdirSync(`${base}/real`);
    expect(makeRoot(`${base}/real/../real/`)).toEqual({ ok: true, root: `${base}/real` });
    expect(makeRoot('relative')).toMatchObject({ ok: false });
  });

  it('tells whether its disk keeps the names that it is given', () => {
    const root = tempFolder();
    expect(probeNames(foldingFileSystem(root), root, false)).toMatchObject({
      foldsCase: true,
      foldsUnicode: true,
      decomposes: false,
    });
    expect(probeNames(foldingFileSystem(root, { decomposes: true }), root, false).decomposes).toBe(true);
    expect(nodeFileSystem.list(`${root}/.mooring`).names).toEqual([]);
  });

  it('tells what its disk folds, and leaves no probe behind', () => {
    const root = tempFolder();
    const rules = probeNames(nodeFileSystem, root, false);
    expect(rules.windows).toBe(false);
    expect(nodeFileSystem.list(`${root}/.mooring`).names).toEqual([]);
  });
});

describe('ignore rules over a limit', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `name-${at}`).join('\n');

  it.each([
    ['too many rules', many(ignoreRulesMax + 1)],
    ['rules that are too long', 'x'.repeat(ignoreRuleCharactersMax + 1)],
  ])('%s leave everything below alone but the rule file itself', (_name, text) => {
    const rules = new IgnoreRules();
    expect(rules.set('/d', text)).toBe(true);
    expect(rules.set('/d', text)).toBe(false);
    expect(
      ['/a', '/d', '/d/a', '/d/e/f', '/d/.mooringignore', '/d/e/.mooringignore'].map((path) =>
        rules.ignores(path),
      ),
    ).toEqual([false, false, true, true, false, true]);
    expect(rules.faults()).toMatchObject([{ path: '/d/.mooringignore' }]);
    expect(rules.faultAbove('/d/e/f')).toMatchObject({ path: '/d/.mooringignore' });
    expect(rules.faultAbove('/a')).toBeNull();
    expect(IgnoreRules.from(rules.files()).ignores('/d/a')).toBe(true);
    expect(rules.set('/d', 'a\n')).toBe(true);
    expect(rules.faults()).toEqual([]);
    expect([rules.ignores('/d/a'), rules.ignores('/d/b')]).toEqual([true, false]);
  });

  it('comments and empty lines do not count', () => {
    const rules = new IgnoreRules();
    rules.set('/', `${'# a comment\n\n'.repeat(100_000)}${many(ignoreRulesMax)}`);
    expect(rules.faults()).toEqual([]);
    expect([rules.ignores('/name-7'), rules.ignores('/other')]).toEqual([true, false]);
  });

  it('a file that is larger than one may be is at fault, too, and files of one path count together', () => {
    const rules = new IgnoreRules();
    expect([rules.setOversize('/large'), rules.setOversize('/large')]).toEqual([true, false]);
    expect(IgnoreRules.from(rules.files()).ignores('/large/a')).toBe(true);
    rules.set('/', many(ignoreRulesMax));
    rules.set('/b', many(ignoreRulesMax));
    expect(rules.ignores('/b/x')).toBe(false);
    rules.set('/b/c', 'one\n');
    expect([rules.ignores('/b/x'), rules.ignores('/b/c/x'), rules.ignores('/other/x')]).toEqual([
      false,
      true,
      false,
    ]);
    rules.set('/', null);
    expect(rules.ignores('/b/c/x')).toBe(false);
  });
});
