// Divides what differs into parts that are planned and applied one after the other. The plan of a million new files would hold the main
// thread for ten seconds and take a third of a kilobyte for each of them. It changes nothing.
import { isAclPath } from '../../core/access/acl.ts';
import { ancestorsOf, parentOf } from '../../core/paths/path.ts';
import type { Amount } from '../../core/sync/pace.ts';
import type { Mode, Trees } from '../../core/sync/plan.ts';
import { decide, withinMode } from '../../core/sync/verdict.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PlanLimits } from '../state/context.ts';
import { isRuleFile } from '../state/plan-order.ts';
import { inSlices } from '../state/slices.ts';
import type { MirrorTrees } from '../state/trees.ts';

export interface PlanPart {
  readonly paths: readonly string[];
  /** Each path can be planned without the others. */
  readonly isIndependent: boolean;
}

/** What differs: the parts that are planned before the trees are searched again. */
export interface PlanParts {
  /** At least one. */
  readonly parts: readonly PlanPart[];
  /** All of what differs, with what is in no part; null: one part has all of it, and its plan says it. */
  readonly whole: { readonly toWorkspace: number; readonly toLocal: number; readonly amount: Amount } | null;
  /** Something is in no part. */
  readonly isMoreLeft: boolean;
}

interface Deps {
  readonly trees: MirrorTrees;
  /** What the planner sees of them. */
  readonly view: Trees;
  readonly mode: Mode;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly limits: PlanLimits;
  /** May the path be planned now? */
  readonly isFree: (path: string) => boolean;
}

export async function planParts(deps: Deps): Promise<PlanParts> {
  const { trees, clock, limits, isFree } = deps;
  const gathered = new Gathered(deps);
  if (trees.differing > limits.partPathsMax) {
    await inSlices(trees.plannable(), clock, (path) => isFree(path) && gathered.add(path));
    if (gathered.isDivisible) return gathered.parts();
  }
  const paths: string[] = [];
  await inSlices(trees.plannable(), clock, (path) => {
    if (isFree(path)) paths.push(path);
  });
  return {
    parts: [{ paths, isIndependent: false }],
    whole: null,
    isMoreLeft: false,
  };
}

class Gathered {
  readonly #deps: Deps;
  readonly #independence: Independence;
  /** Planned together, and first: rules, and whatever has a neighbour above or below. */
  readonly #together: string[] = [];
  readonly #independent: string[] = [];
  /** Of the independent ones. */
  #toWorkspace = 0;
  #toLocal = 0;
  #bytes = 0;
  #isMissing = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#independence = new Independence(deps.trees);
  }

  add(path: string): void {
    const { trees, view, mode, limits } = this.#deps;
    if (isRuleFile(path) || isAclPath(path) || !this.#independence.of(path)) {
      // A missing file and a new one may be one that was renamed.
      this.#isMissing ||= trees.baseAt(path) !== null && trees.localAt(path) === null;
      this.#together.push(path);
      return;
    }
    const decided = decide(view, path);
    const verdict = decided === null ? null : withinMode(decided, mode, view);
    if (verdict === null) return;
    if (this.#independent.length < limits.gatheredPathsMax) this.#independent.push(path);
    if (verdict.kind === 'agree') return;
    const local = trees.localAt(path);
    const isUpload = verdict.kind === 'write' || verdict.kind === 'beside';
    if (isUpload) this.#toWorkspace += 1;
    else this.#toLocal += 1;
    this.#bytes += isUpload
      ? local?.kind === 'file'
        ? local.sizeBytes
        : 0
      : (trees.workspaceAt(path)?.sizeBytes ?? 0);
  }

  /** Without renamed files nothing that is independent depends on the others. */
  get isDivisible(): boolean {
    return !this.#isMissing;
  }

  parts(): PlanParts {
    const { partPathsMax, gatheredPathsMax } = this.#deps.limits;
    const independent = this.#independent;
    const parts: PlanPart[] = [{ paths: this.#together, isIndependent: false }];
    for (let from = 0; from < independent.length; from += partPathsMax)
      parts.push({ paths: independent.slice(from, from + partPathsMax), isIndependent: true });
    const toWorkspace = this.#toWorkspace;
    const toLocal = this.#toLocal + this.#together.length;
    return {
      parts,
      whole: { toWorkspace, toLocal, amount: { files: toWorkspace + toLocal, bytes: this.#bytes } },
      isMoreLeft: independent.length >= gatheredPathsMax,
    };
  }
}

/**
 * Finds the paths that can be planned without the others: nothing was agreed on there, and neither side has anything above or below. So no file
 * becomes a directory, nothing is deleted, and no limit of deletions applies.
 */
export class Independence {
  readonly #trees: MirrorTrees;
  /** The directory that was asked about last: most paths follow one of the same directory. */
  #parent: string | null = null;
  #isParentClear = false;

  constructor(trees: MirrorTrees) {
    this.#trees = trees;
  }

  of(path: string): boolean {
    const trees = this.#trees;
    const local = trees.localAt(path);
    if (trees.baseAt(path) !== null || (local !== null && local.kind !== 'file')) return false;
    if (trees.localHolds(path) || trees.workspaceHolds(path)) return false;
    const parent = parentOf(path);
    if (parent !== this.#parent) {
      this.#parent = parent;
      this.#isParentClear = ancestorsOf(path).every(
        (above) =>
          trees.localAt(above) === null && trees.workspaceAt(above) === null && trees.baseAt(above) === null,
      );
    }
    return this.#isParentClear;
  }
}
