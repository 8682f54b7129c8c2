// On a disk that folds names: who has which name is followed path by path. The model lists the whole folder for each question.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ancestorsOf, comparePaths } from '../../server/core/paths/path.ts';
import { foldKey } from '../../server/disk/names/name-rules.ts';
import type { FolderEntry, NameRules } from '../../server/disk/port/folder.ts';
import { baseRow, MirrorTrees } from '../../server/mirror/state/trees.ts';
import { UnsyncableRules } from '../../server/mirror/state/unsyncable.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { scaled } from '../support/scale.ts';

const rules: NameRules = {
  foldsCase: true,
  foldsUnicode: true,
  decomposes: false,
  windows: false,
  pathBytesMax: 4096,
  rootBytes: 10,
};
const key = (path: string) => foldKey(rules, path);

/** Few, so that the same ones come and go. */
const anyPath = fc.constantFrom(
  ...['/a', '/A', '/a/a', '/A/a', '/a/A', '/A/A', '/a/a/a', '/A/a/a', '/a/A/a'],
  ...['/\u00e9', '/e\u0301', '/\u00e9/a', '/e\u0301/a', '/e\u0301/A'],
);
const anyStep = fc.record({
  path: anyPath,
  act: fc.constantFrom(
    'folder',
    'folder',
    'renamed',
    'gone',
    'directory',
    'blocked',
    'workspace',
    'deleted',
    'agree',
  ),
  asks: fc.boolean(),
});

const file = {
  kind: 'file' as const,
  hash: 'f'.repeat(64),
  sizeBytes: 1,
  mtimeNs: '1',
  ctimeNs: '1',
  inode: '1',
  mode: 0o644,
  trusted: true,
};
const ofWorkspace = { hash: 'e'.repeat(64), revision: 1, sizeBytes: 1 };

function isThere(trees: MirrorTrees, path: string): boolean {
  return (trees.localAt(path)?.kind ?? 'directory') !== 'directory';
}

/** Key -> who has the name: what is in the folder, and then what is to come, in the order of paths. */
function modelOf(trees: MirrorTrees): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const own = (path: string) => {
    for (const each of [...ancestorsOf(path), path]) if (!owners.has(key(each))) owners.set(key(each), each);
  };
  const differing = [...trees.candidates()].sort(comparePaths);
  const known = [...trees.basePaths(), ...differing];
  for (const path of known) if (isThere(trees, path)) own(path);
  for (const path of differing)
    if (!isThere(trees, path) && trees.workspaceAt(path) !== null && otherOf(owners, path) === null)
      own(path);
  return owners;
}

function otherOf(owners: ReadonlyMap<string, string>, path: string): string | null {
  for (const mine of [...ancestorsOf(path), path]) {
    const owner = owners.get(key(mine));
    if (owner !== undefined && owner !== mine)
      return `This disk treats ${mine} and ${owner} as the same name.`;
  }
  return null;
}

/** What is in the folder with another spelling of the path, or of a directory above it. A folder on such a disk has one spelling of each name. */
function otherSpellings(trees: MirrorTrees, path: string): readonly string[] {
  const mine = new Map([...ancestorsOf(path), path].map((each) => [key(each), each]));
  return [...new Set([...trees.basePaths(), ...trees.differingPaths()])].filter(
    (at) =>
      isThere(trees, at) && [...ancestorsOf(at), at].some((each) => (mine.get(key(each)) ?? each) !== each),
  );
}

function take(trees: MirrorTrees, { path, act }: { readonly path: string; readonly act: string }): void {
  const entries: Readonly<Record<string, FolderEntry | null>> = {
    folder: file,
    gone: null,
    directory: { kind: 'directory' },
    blocked: { kind: 'blocked', reason: 'symlink', detail: 'a link' },
  };
  if (act === 'workspace' || act === 'deleted')
    trees.setWorkspace(path, act === 'workspace' ? ofWorkspace : null);
  else if (act === 'agree') {
    if (trees.localAt(path)?.kind === 'file') trees.agree(path, baseRow(path, file, 1));
  } else if (act === 'renamed') {
    // A scan may tell of the new spelling first.
    const old = otherSpellings(trees, path);
    trees.setLocal(path, file);
    for (const at of old) trees.setLocal(at, null);
  } else if (act === 'gone' || act === 'directory' || otherSpellings(trees, path).length === 0)
    trees.setLocal(path, entries[act] ?? null);
}

it('names are whose they are when the whole folder is listed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const trees = new MirrorTrees();
      const unsyncable = new UnsyncableRules(rules, trees, 1000, () => false);
      const seen = new Set<string>();
      for (const step of steps) {
        seen.add(step.path);
        take(trees, step);
        unsyncable.forget();
        if (!step.asks) continue;
        await unsyncable.prepare(systemClock);
        const owners = modelOf(trees);
        for (const path of seen) {
          const workspace = trees.workspaceAt(path);
          if (workspace === null || trees.baseAt(path)?.hash === workspace.hash) continue;
          expect(unsyncable.reason(path, workspace)?.cause ?? null, path).toBe(otherOf(owners, path));
        }
      }
    }),
    { numRuns: scaled(1000, 100_000) },
  );
});
