// Decides which paths may be planned now, and orders the actions of a plan. It changes nothing.
import { ancestorsOf, nameOf, parentOf } from '../../core/paths/path.ts';
import type { Plan } from '../../core/sync/plan.ts';
import { ignoreFileName } from '../../disk/names/ignore.ts';
import type { SliceClock } from '../../platform/event-loop.ts';
import { inSlices } from './slices.ts';

/**
 * A path waits together with all paths above and below it: a file that blocks another path is handled first. The sets stay as they are while it
 * is used.
 */
export async function mayBePlanned(
  waiting: readonly ReadonlySet<string>[],
  clock: SliceClock,
): Promise<(path: string) => boolean> {
  const above = new Set<string>();
  for (const paths of waiting) await inSlices(paths, clock, (path) => addAncestors(above, path));
  const waits = (path: string) => waiting.some((paths) => paths.has(path));
  return (path) => !waits(path) && !above.has(path) && !ancestorsOf(path).some(waits);
}

/** Those of one that is there already are there. */
function addAncestors(ancestors: Set<string>, path: string): void {
  for (let above = parentOf(path); above !== null && !ancestors.has(above); above = parentOf(above))
    ancestors.add(above);
}

/** Rules of what is ignored come first, alone: what they hide must not be written before they are known. */
export function rulesFirst(plan: Plan): Plan {
  const rules = plan.toLocal.filter(({ path }) => isRuleFile(path));
  return rules.length === 0
    ? plan
    : { toLocal: rules, toWorkspace: [], toBase: plan.toBase, conflicts: [], conflictCopies: [] };
}

export function isRuleFile(path: string): boolean {
  return nameOf(path) === ignoreFileName;
}

export function isEmpty(plan: Plan): boolean {
  const { toLocal, toWorkspace, toBase, conflicts, conflictCopies } = plan;
  return [toLocal, toWorkspace, toBase, conflicts, conflictCopies].every((steps) => steps.length === 0);
}
