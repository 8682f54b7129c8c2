// Previews what a cycle of a mirror would do now, and by which rule. It uses a session of its own, so the mirror may be running,
// paused or halted. It reads the folder and the workspace and changes neither.
import type { Plan } from '../../core/sync/plan.ts';
import { ruleOf, ruleText, type SyncRule } from '../../core/sync/rules.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { openSession } from '../cycle/open-session.ts';
import type { SyncSession } from '../cycle/session.ts';
import { countPending } from '../guard/deletion-guard.ts';
import { checkRoot, type HaltCause, isHaltCause, type PendingCounts } from '../guard/halt-causes.ts';
import { loadBase } from '../loop/load-base.ts';
import { type SyncLoopDeps, silentListener } from '../loop/loop.ts';
import type { MirrorDeps } from '../state/context.ts';

export interface PlannedAction {
  /** Which side would change. */
  readonly side: 'folder' | 'workspace';
  /** `aside`: the folder's version becomes a conflict copy, unless both edits can be merged. */
  readonly action: 'write' | 'delete' | 'move' | 'aside';
  readonly path: string;
  /** Of a move. */
  readonly from: string | null;
  readonly rule: SyncRule | 'renamed';
  readonly why: string;
}

export interface PlanPreview {
  /** Why none of the steps would be executed; null: they would be. */
  readonly halt: HaltCause | null;
  /** Deletions and truncations that would wait for the answer to a halt. */
  readonly held: PendingCounts;
  readonly steps: readonly PlannedAction[];
  /** Paths that are being written: they are not planned yet. */
  readonly unsettled: readonly string[];
}

export async function previewPlan(
  parts: MirrorDeps & Pick<SyncLoopDeps, 'openFolder'>,
  row: MirrorRow,
  signal: AbortSignal,
): Promise<PlanPreview> {
  const folder = parts.openFolder(silentListener);
  try {
    const { trees, known } = await loadBase(parts.store, row.mirrorId);
    const { root, names } = await folder.open({ root: row.dir, known, fileBytesMax: parts.fileBytesMax });
    const fit = checkRoot(root, row);
    if (fit !== 'same' && fit !== 'unmarked') {
      return { halt: fit, held: { deletions: 0, truncations: 0 }, steps: [], unsettled: [] };
    }
    const session = openSession(parts, { row, folder, trees, names, signal });
    const { haltedCause } = row;
    const { verdict, plan, unsettled } = await session.previewPlan(
      haltedCause !== null && isHaltCause(haltedCause) ? haltedCause : null,
    );
    const held = countPending(verdict.pendingDeletions);
    return {
      halt: verdict.cause,
      held,
      steps: plan === null ? [] : actionsOf(plan, session, row),
      unsettled,
    };
  } finally {
    await folder.close();
  }
}

function actionsOf(plan: Plan, session: SyncSession, row: MirrorRow): readonly PlannedAction[] {
  const because = (path: string): Pick<PlannedAction, 'rule' | 'why'> => {
    const local = session.trees.localAt(path);
    const rule = ruleOf({
      base: session.trees.baseAt(path)?.hash ?? null,
      folder: local?.kind === 'file' ? local.hash : null,
      workspace: session.trees.workspaceAt(path)?.hash ?? null,
    });
    return { rule, why: ruleText(rule, row.mode) };
  };
  const steps: PlannedAction[] = [];
  for (const action of plan.toWorkspace.flat()) {
    const { path } = action;
    if (action.kind === 'move') {
      const why = 'Moved in the folder: history and metadata move along, and no content is transferred.';
      steps.push({ side: 'workspace', action: 'move', path, from: action.from, rule: 'renamed', why });
    } else {
      steps.push({ side: 'workspace', action: action.kind, path, from: null, ...because(path) });
    }
  }
  for (const { path } of plan.conflictCopies) {
    steps.push({ side: 'workspace', action: 'aside', path, from: null, ...because(path) });
  }
  for (const { path } of plan.conflicts) {
    steps.push({ side: 'folder', action: 'aside', path, from: null, ...because(path) });
  }
  for (const { kind, path } of plan.toLocal) {
    const action = kind === 'put' ? 'write' : 'delete';
    steps.push({ side: 'folder', action, path, from: null, ...because(path) });
  }
  return steps;
}
