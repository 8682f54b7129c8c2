// Planning from the paths on which a plan depends, against planning from every path that differs: any sequence of changes of the three
// trees leaves both with the same plan, also where links and unreadable files are among them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mode } from '../../server/core/sync/plan.ts';
import { reconcile } from '../../server/core/sync/reconcile.ts';
import type { FolderEntry, FolderFile } from '../../server/disk/port/folder.ts';
import { baseRow, MirrorTrees } from '../../server/mirror/state/trees.ts';
import { scaled } from '../support/scale.ts';

const anyPath = fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/d', '/e', '/e/f', '/g');
const anyHash = fc.constantFrom('h1', 'h2', 'h3');
const anyEntry: fc.Arbitrary<FolderEntry | null> = fc.oneof(
  anyHash.map(fileOf),
  fc.constant<FolderEntry>({ kind: 'directory' }),
  {
    weight: 3,
    arbitrary: fc.constant<FolderEntry>({ kind: 'blocked', reason: 'symlink', detail: 'a link' }),
  },
  fc.constant(null),
);
const anyStep = fc.oneof(
  fc.record({ side: fc.constant('folder' as const), path: anyPath, entry: anyEntry }),
  fc.record({ side: fc.constant('workspace' as const), path: anyPath, hash: fc.option(anyHash) }),
  fc.record({ side: fc.constant('base' as const), path: anyPath, hash: fc.option(anyHash) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

function fileOf(hash: string): FolderFile {
  const numbers = { mtimeNs: '1', ctimeNs: '1', inode: '1', sizeBytes: 2, mode: 0o644 };
  return { kind: 'file', hash, ...numbers, trusted: true };
}

function take(trees: MirrorTrees, folder: Map<string, FolderEntry | null>, step: Step): void {
  if (step.side === 'folder') {
    folder.set(step.path, step.entry);
    trees.setLocal(step.path, step.entry);
  } else if (step.side === 'workspace')
    trees.setWorkspace(step.path, step.hash === null ? null : { hash: step.hash, revision: 1, sizeBytes: 2 });
  else trees.agree(step.path, step.hash === null ? null : baseRow(step.path, fileOf(step.hash), 1));
}

it('comes to the same plan', () => {
  const steps = fc.array(anyStep, { maxLength: 30 });
  const anyMode = fc.constantFrom<Mode>('two-way', 'to-folder', 'to-workspace');
  fc.assert(
    fc.property(steps, anyMode, (taken, mode) => {
      const trees = new MirrorTrees([]);
      const folder = new Map<string, FolderEntry | null>();
      for (const step of taken) {
        take(trees, folder, step);
        const planFrom = (paths: Iterable<string>) =>
          reconcile(
            trees.forPlanner(paths, () => false),
            mode,
          );
        expect(planFrom(trees.plannable())).toEqual(planFrom(trees.candidates()));
        expect(new Set(trees.differingPaths())).toEqual(trees.candidates());
        for (const [path, entry] of folder) expect(trees.localAt(path)).toEqual(entry);
      }
    }),
    { numRuns: scaled(1000, 100_000) },
  );
});

it('plans from what differs, whatever the number of links', () => {
  const trees = new MirrorTrees([]);
  for (let link = 0; link < 50; link += 1)
    trees.setLocal(`/links/${link}`, { kind: 'blocked', reason: 'symlink', detail: 'a link' });
  trees.setLocal('/a', fileOf('h1'));
  expect([...trees.plannable()]).toEqual(['/a']);
  // A plan that replaces the directory has to know of the links in it.
  trees.setWorkspace('/links', { hash: 'h2', revision: 1, sizeBytes: 2 });
  expect([...trees.plannable()]).toHaveLength(52);
});
