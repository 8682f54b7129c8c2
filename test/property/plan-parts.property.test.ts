// Planning in parts, against planning everything at once: after any sequence of changes of the three trees the parts together come to the
// same actions, and a plan of a part does not depend on whether the parts before it are applied.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mode, Plan } from '../../server/core/sync/plan.ts';
import { reconcile } from '../../server/core/sync/reconcile.ts';
import { Independence, type PlanParts, planParts } from '../../server/mirror/cycle/plan-parts.ts';
import { baseRow, MirrorTrees } from '../../server/mirror/state/trees.ts';
import { scaled } from '../support/scale.ts';
import { anyTreeStep, fileOf, type TreeStep, take } from '../support/tree-steps.ts';

const limits = { partPathsMax: 1, gatheredPathsMax: Number.POSITIVE_INFINITY };
const anyMode = fc.constantFrom<Mode>('two-way', 'to-folder', 'to-workspace');
/** What is agreed on makes paths depend on each other, so it is rare. */
const anySteps = fc.array(
  anyTreeStep.filter((step) => step.side !== 'base' || step.path === '/a'),
  { maxLength: 12 },
);

function treesAfter(steps: readonly TreeStep[]): MirrorTrees {
  const trees = new MirrorTrees([]);
  for (const step of steps) take(trees, new Map(), step);
  return trees;
}

async function partsOf(trees: MirrorTrees, mode: Mode): Promise<PlanParts> {
  const clock = { monotonicMs: () => 0 };
  return await planParts({ trees, view: viewOf(trees, []), mode, clock, limits, isFree: () => true });
}

function viewOf(trees: MirrorTrees, candidates: Iterable<string>) {
  return trees.forPlanner(candidates, () => false);
}

function actionsOf(plans: readonly Plan[]): readonly string[] {
  return plans
    .flatMap((plan) =>
      Object.entries(plan).flatMap(([list, steps]) => steps.map((step: unknown) => [list, step])),
    )
    .map((action) => JSON.stringify(action))
    .sort();
}

it('comes to the same actions as one plan', async () => {
  let divided = 0;
  await fc.assert(
    fc.asyncProperty(anySteps, anyMode, async (steps, mode) => {
      const trees = treesAfter(steps);
      const { parts, whole, isMoreLeft } = await partsOf(trees, mode);
      expect(isMoreLeft).toBe(false);
      if (whole !== null) divided += 1;
      const plans = parts.map(({ paths }) => reconcile(viewOf(trees, paths), mode));
      expect(actionsOf(plans)).toEqual(actionsOf([reconcile(viewOf(trees, trees.plannable()), mode)]));
    }),
    { numRuns: scaled(1000, 100_000) },
  );
  expect(divided).toBeGreaterThan(100);
});

it('leaves an independent path independent when another one is synced', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, anyMode, async (steps, mode) => {
      const trees = treesAfter(steps);
      const { parts } = await partsOf(trees, mode);
      const independent = parts.filter((part) => part.isIndependent).flatMap(({ paths }) => paths);
      const before = independent.map((path) => actionsOf([reconcile(viewOf(trees, [path]), mode)]));
      for (const [index, path] of independent.entries()) {
        expect(new Independence(trees).of(path), path).toBe(true);
        expect(actionsOf([reconcile(viewOf(trees, [path]), mode)])).toEqual(before[index]);
        trees.agree(path, baseRow(path, fileOf('h1'), 1));
        trees.setLocal(path, fileOf('h1'));
        trees.setWorkspace(path, { hash: 'h1', revision: 1, sizeBytes: 2 });
      }
    }),
    { numRuns: scaled(500, 50_000) },
  );
});

it('keeps a missing file and a new one together: they may be one that was renamed', async () => {
  const trees = new MirrorTrees([baseRow('/old', fileOf('h1'), 1)]);
  trees.setLocal('/old', null);
  trees.setLocal('/new', fileOf('h1'));
  const { parts } = await partsOf(trees, 'two-way');
  expect(parts).toHaveLength(1);
  const plan = reconcile(viewOf(trees, parts[0]?.paths ?? []), 'two-way');
  expect(plan.toWorkspace).toEqual([[{ kind: 'move', path: '/new', from: '/old', hash: 'h1' }]]);
});

it('names everything that differs, with what is not gathered yet', async () => {
  const trees = new MirrorTrees([]);
  for (let n = 0; n < 10; n += 1) trees.setLocal(`/f${n}`, fileOf('h1'));
  const clock = { monotonicMs: () => 0 };
  const parts = await planParts({
    trees,
    view: viewOf(trees, []),
    mode: 'two-way',
    clock,
    limits: { partPathsMax: 2, gatheredPathsMax: 5 },
    isFree: () => true,
  });
  expect(parts.parts.map(({ paths }) => paths.length)).toEqual([0, 2, 2, 1]);
  expect(parts.whole).toEqual({ toWorkspace: 10, toLocal: 0, amount: { files: 10, bytes: 20 } });
  expect(parts.isMoreLeft).toBe(true);
});
