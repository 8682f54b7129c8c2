// Plans the parts of what differs (plan-parts.ts), as far as it may be planned now. It changes nothing.
import { ancestorsOf } from '../../core/paths/path.ts';
import type { Plan, Trees } from '../../core/sync/plan.ts';
import { reconcileInSteps } from '../../core/sync/reconcile.ts';
import { stepsInSlices } from '../../platform/event-loop.ts';
import type { SyncContext } from '../state/context.ts';
import { mayBePlanned, rulesFirst } from '../state/plan-order.ts';
import { inSlices, setInSlices } from '../state/slices.ts';
import type { UnsyncableRules } from '../state/unsyncable.ts';
import type { FolderState } from './folder-state.ts';
import { Independence, type PlanPart, type PlanParts, planParts } from './plan-parts.ts';

interface Deps {
  readonly context: SyncContext;
  readonly unsyncable: UnsyncableRules;
  readonly folderState: FolderState;
}

export class CyclePlanner {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What waits is decided here: what comes due while the parts are applied is in none of them. */
  async parts(limits = this.#deps.context.planned): Promise<PlanParts> {
    const { context, unsyncable } = this.#deps;
    const { trees, mode, clock, problems } = context;
    problems.planned();
    unsyncable.forget();
    await unsyncable.prepare(clock);
    const isFree = await this.#isFree();
    return await planParts({ trees, mode, clock, limits, view: this.#view([]), isFree });
  }

  /** Leaves out what has to wait since the parts were made, and what is no longer independent. */
  async plan({ paths, isIndependent }: PlanPart): Promise<Plan> {
    const { trees, mode, clock } = this.#deps.context;
    const isFree = await this.#isFree();
    const independence = new Independence(trees);
    const candidates: string[] = [];
    await inSlices(paths, clock, (path) => {
      if (isFree(path) && (!isIndependent || independence.of(path))) candidates.push(path);
    });
    return rulesFirst(await stepsInSlices(reconcileInSteps(this.#view(candidates), mode), clock));
  }

  /** The plan of all parts, if none is applied before the next is planned. */
  async wholePlan(): Promise<Plan> {
    const { planned } = this.#deps.context;
    const { parts } = await this.parts({ ...planned, gatheredPathsMax: Number.POSITIVE_INFINITY });
    const plans: Plan[] = [];
    for (const part of parts) plans.push(await this.plan(part));
    return {
      toLocal: plans.flatMap(({ toLocal }) => toLocal),
      toWorkspace: plans.flatMap(({ toWorkspace }) => toWorkspace),
      toBase: plans.flatMap(({ toBase }) => toBase),
      conflicts: plans.flatMap(({ conflicts }) => conflicts),
      conflictCopies: plans.flatMap(({ conflictCopies }) => conflictCopies),
    };
  }

  /**
   * true: a path is neither planned nor listed as a problem, because it waits for one below it, or for a file above it that does: `/f` and
   * `/f/d` for `/f/e`, which is tried again later.
   */
  async isAnyHeldUp(): Promise<boolean> {
    const { trees, problems, clock } = this.#deps.context;
    const waiting = new Set(problems.waiting());
    if (waiting.size === 0) return false;
    const above = new Set([...waiting].flatMap(ancestorsOf));
    const isFile = (path: string) => trees.localAt(path)?.kind === 'file' || trees.workspaceAt(path) !== null;
    const held = new Set([...above].filter(isFile));
    if (held.size === 0) return false;
    const mayBe = await mayBePlanned([waiting], clock);
    let isAny = false;
    await inSlices(trees.differingPaths(), clock, (path) => {
      const isBelow = mayBe(path) && ancestorsOf(path).some((ancestor) => held.has(ancestor));
      isAny ||= isBelow || (held.has(path) && !waiting.has(path));
    });
    return isAny;
  }

  async #isFree(): Promise<(path: string) => boolean> {
    const { context, folderState } = this.#deps;
    const waiting = await setInSlices([...context.problems.waiting()], context.clock);
    const mayBe = await mayBePlanned([folderState.unsettled, waiting], context.clock);
    return (path) => mayBe(path) && !folderState.ignores(path);
  }

  #view(candidates: readonly string[]): Trees {
    const { context, unsyncable } = this.#deps;
    return context.trees.forPlanner(candidates, (path, file) => unsyncable.reason(path, file) !== null);
  }
}
