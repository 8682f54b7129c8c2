// Plans, checks and applies one part of what differs after the other. It decides nothing about files, and stops where the deletion guard does.
import type { Plan } from '../../core/sync/plan.ts';
import { stepsInSlices } from '../../platform/event-loop.ts';
import { restoreTruncated } from '../actions/restore.ts';
import type { CycleHalt, DeletionGuard, GuardVerdict } from '../guard/deletion-guard.ts';
import { type HaltCause, isDeletionHalt } from '../guard/halt-causes.ts';
import { isEmpty } from '../state/plan-order.ts';
import { type ApplyPlanDeps, applyPlan } from './apply-plan.ts';
import type { CyclePlanner } from './cycle-planner.ts';
import type { FolderState } from './folder-state.ts';
import { amountOf, type ProgressMeter } from './progress.ts';
import { removeMissingFromBase } from './record-base.ts';

/** Planned actions by the side that they change. */
export interface PendingCounts {
  readonly toWorkspace: number;
  readonly toLocal: number;
}

export const nothingPending: PendingCounts = { toWorkspace: 0, toLocal: 0 };

export interface ApplyPartsDeps extends Omit<ApplyPlanDeps, 'losses'> {
  readonly planner: CyclePlanner;
  readonly folderState: FolderState;
  readonly deletionGuard: DeletionGuard;
  readonly progress: ProgressMeter;
  readonly check: (plan: Plan, haltedCause: HaltCause | null) => Promise<GuardVerdict>;
  readonly onPending: (pending: PendingCounts) => void;
  /** Before and after each plan that is applied. */
  readonly onApplying: () => void;
}

export interface PartsOutcome {
  /** Why the cycle stops; null: it does not. */
  readonly stopped: GuardVerdict | null;
  /** Nothing was left to apply. */
  readonly isDone: boolean;
  /** What has to be scanned before the next round. */
  readonly next: 'dirty' | null;
}

export async function applyParts(deps: ApplyPartsDeps, mirrorHalt: CycleHalt): Promise<PartsOutcome> {
  const { context, planner, folderState, deletionGuard, progress, onPending, onApplying } = deps;
  const { parts, whole, isMoreLeft } = await planner.parts();
  if (whole !== null) {
    onPending(whole);
    progress.beginPlan(whole.amount);
  }
  let outcome: PartsOutcome = { stopped: null, isDone: !isMoreLeft, next: null };
  for (const [index, part] of parts.entries()) {
    const plan = await planner.plan(part);
    if (whole === null) {
      onPending(pendingOf(plan));
      progress.beginPlan(await stepsInSlices(amountOf(plan, context.trees), context.clock));
    }
    const verdict = await deps.check(plan, mirrorHalt.guardCause);
    if (mirrorHalt.isRestoreDue && isDeletionHalt(verdict.cause)) {
      await removeMissingFromBase(context);
      await restoreTruncated(context, verdict.pendingDeletions);
      deletionGuard.resetWindow();
      mirrorHalt.restoreApplied();
      return { stopped: null, isDone: false, next: null };
    }
    if (verdict.cause !== null) return { ...outcome, stopped: verdict };
    mirrorHalt.planAccepted();
    if (index === 0) await folderState.markAgain();
    if (context.signal.aborted) return outcome;
    if (isEmpty(plan)) continue;
    onApplying();
    const next = await applyPlan({ ...deps, losses: deletionGuard }, plan);
    onApplying();
    outcome = { stopped: null, isDone: false, next: next ?? outcome.next };
    // The first part has the rules, and what may be in the way of others.
    if (index === 0 && next !== null) break;
  }
  if (!isMoreLeft) progress.end();
  return outcome;
}

/** The only part of a round: its plan says what is pending. */
function pendingOf({ toWorkspace, toLocal, conflicts, conflictCopies }: Plan): PendingCounts {
  return {
    toWorkspace: toWorkspace.reduce((sum, group) => sum + group.length, 0),
    toLocal: toLocal.length + conflicts.length + conflictCopies.length,
  };
}
