// Applies a plan in order: base updates, uploads, conflict copies, merges, downloads. It decides nothing; actions whose target has
// changed are left for the next plan.
import { parentOf } from '../../core/paths/path.ts';
import type { Plan, WorkspaceAction } from '../../core/sync/plan.ts';
import { download, type TakenNames } from '../actions/download.ts';
import { mergeConflicts } from '../actions/merge-edits.ts';
import { upload } from '../actions/upload.ts';
import { uploadConflictCopies } from '../actions/upload-conflict-copy.ts';
import type { DeletionGuard } from '../guard/deletion-guard.ts';
import type { SyncContext } from '../state/context.ts';
import { isRuleFile } from '../state/plan-order.ts';
import { stepsOf } from './progress.ts';
import { recordBase } from './record-base.ts';

export interface ApplyPlanDeps {
  readonly context: SyncContext;
  readonly losses: Pick<DeletionGuard, 'recordApplied'>;
  /** Throws when the workspace is gone: then nothing is removed for it. */
  readonly mustExist: () => Promise<void>;
  /** The list of conflicts is another one now. */
  readonly onConflicts: () => Promise<void>;
}

/** Returns what has to be scanned before the next round. */
export async function applyPlan(
  { context, losses, mustExist, onConflicts }: ApplyPlanDeps,
  plan: Plan,
): Promise<'dirty' | null> {
  const { toWorkspace, toLocal, conflicts, conflictCopies } = plan;
  const steps = stepsOf(plan);
  const taken: TakenNames = new Set();
  await recordBase(context, plan.toBase);
  losses.recordApplied();
  // The plan is this call's own from here on.
  const up = await upload(context, toWorkspace as WorkspaceAction[][]);
  if (toLocal.some((action) => action.kind === 'remove')) await mustExist();
  const put = await uploadConflictCopies(context, conflictCopies);
  // Where the workspace is never written there is nothing to merge into.
  const { merged, left } =
    context.mode === 'to-folder' ? { merged: 0, left: conflicts } : await mergeConflicts(context, conflicts);
  const down = await download(context, { conflicts: left, actions: toLocal }, taken);
  if (left.length + put > 0) await onConflicts();
  const rules = toLocal.filter(({ path }) => isRuleFile(path));
  for (const { path } of rules) context.folder.markDirty(parentOf(path) ?? '/');
  // Whatever was not as planned was marked dirty by the disk's side; what stepped aside must be found, new rules read.
  return left.length + rules.length > 0 || up + down + put + merged < steps ? 'dirty' : null;
}
