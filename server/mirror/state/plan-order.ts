// Decides which paths may be planned now, and orders the actions of a plan. Pure.
import { ancestorsOf, nameOf } from '../../core/paths/path.ts';
import type { Plan } from '../../core/sync/plan.ts';
import { ignoreFileName } from '../../disk/names/ignore.ts';

/** A path waits together with all paths above and below it: a file that blocks another path is handled first. */
export function mayBePlanned(waiting: ReadonlySet<string>): (path: string) => boolean {
  const above = new Set([...waiting].flatMap(ancestorsOf));
  return (path) =>
    !waiting.has(path) && !above.has(path) && !ancestorsOf(path).some((ancestor) => waiting.has(ancestor));
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
