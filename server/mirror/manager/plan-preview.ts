// What a cycle of a mirror would do now, and by which rule, without doing it. It looks with eyes of its own, so it may be asked
// of a mirror that works, is paused or is halted; it reads the folder and the workspace and changes neither.
import type { Plan } from '../../core/sync/plan.ts';
import { type Rule, ruleOf, ruleText } from '../../core/sync/rules.ts';
import type { FolderListener } from '../../disk/port/folder.ts';
import { packKnownFiles } from '../../disk/tree/known-files.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { MirrorSession } from '../cycle/session.ts';
import { checkRoot, type HaltCause, type HeldCounts } from '../guard/halt-causes.ts';
import type { LoopParts } from '../loop/loop.ts';
import type { MirrorParts } from '../state/context.ts';

export interface PlannedStep {
  /** Which side would change. */
  readonly side: 'folder' | 'workspace';
  /** `aside`: the folder's version gets the name of a conflict copy, unless both edits can be merged. */
  readonly action: 'write' | 'delete' | 'move' | 'aside';
  readonly path: string;
  /** Of a move. */
  readonly from: string | null;
  readonly rule: Rule | 'renamed';
  readonly why: string;
}

export interface DryRun {
  /** Why it would do nothing of it; null: it would. */
  readonly halt: HaltCause | null;
  /** Deletions and truncations among the steps that a halt would hold back. */
  readonly held: HeldCounts;
  readonly steps: readonly PlannedStep[];
  /** Paths that are being written right now: what becomes of them is not known yet. */
  readonly unsettled: readonly string[];
}

const deafListener: FolderListener = {
  onHint: () => undefined,
  onWatchState: () => undefined,
  onFailure: () => undefined,
};

export async function dryRun(
  parts: MirrorParts & Pick<LoopParts, 'openFolder'>,
  row: MirrorRow,
  signal: AbortSignal,
): Promise<DryRun> {
  const folder = parts.openFolder(deafListener);
  try {
    const base = await parts.store.mirrors.loadBase(row.mirrorId);
    const known = packKnownFiles(base);
    const { root, names } = await folder.open({ root: row.dir, known, fileBytesMax: parts.fileBytesMax });
    const fit = checkRoot(root, row);
    if (fit !== 'same' && fit !== 'unmarked') {
      return { halt: fit, held: { deletions: 0, truncations: 0 }, steps: [], unsettled: [] };
    }
    const session = new MirrorSession(parts, row, folder, base, names, signal);
    const { halt, plan, unsettled } = await session.look();
    const held = session.losses.waitingCounts;
    return { halt, held, steps: plan === null ? [] : stepsOf(plan, session, row), unsettled };
  } finally {
    await folder.close();
  }
}

function stepsOf(plan: Plan, session: MirrorSession, row: MirrorRow): readonly PlannedStep[] {
  const because = (path: string): Pick<PlannedStep, 'rule' | 'why'> => {
    const local = session.trees.localAt(path);
    const rule = ruleOf({
      base: session.trees.baseAt(path)?.hash ?? null,
      folder: local?.kind === 'file' ? local.hash : null,
      workspace: session.trees.workspaceAt(path)?.hash ?? null,
    });
    return { rule, why: ruleText(rule, row.mode) };
  };
  const steps: PlannedStep[] = [];
  for (const action of plan.toWorkspace.flat()) {
    const { path } = action;
    if (action.kind === 'move') {
      const why =
        'The folder renamed it: content, history and metadata go along, and nothing is transferred.';
      steps.push({ side: 'workspace', action: 'move', path, from: action.from, rule: 'renamed', why });
    } else {
      steps.push({ side: 'workspace', action: action.kind, path, from: null, ...because(path) });
    }
  }
  for (const { path } of plan.beside) {
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
