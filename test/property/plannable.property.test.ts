// Planning from the paths on which a plan depends, against planning from every path that differs: any sequence of changes of the three
// trees leaves both with the same plan, also where links and unreadable files are among them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mode } from '../../server/core/sync/plan.ts';
import { reconcile } from '../../server/core/sync/reconcile.ts';
import type { FolderEntry } from '../../server/disk/port/folder.ts';
import { MirrorTrees } from '../../server/mirror/state/trees.ts';
import { scaled } from '../support/scale.ts';
import { anyTreeStep, fileOf, take } from '../support/tree-steps.ts';

it('comes to the same plan', () => {
  const steps = fc.array(anyTreeStep, { maxLength: 30 });
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
