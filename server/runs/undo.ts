// Undoes a committed run as one atomic change: each path gets the content that it had before. Files that were changed since are
// merged, or listed and nothing is changed.
import type { WriteFile } from '../core/change/change.ts';
import type { ChangedSince, RunRow, UndoDecision } from '../store/port/store.ts';
import type { RestoreResult } from '../workspaces/model.ts';
import { type Decision, decisionAt, mergeVersions, type UndecidedConflict } from './decisions.ts';
import { undoAttemptsMax } from './limits.ts';
import type { RunCaller, RunServiceDeps } from './run.ts';

export type UndoRunResult =
  | {
      readonly kind: 'undone';
      readonly restored: Extract<RestoreResult, { ok: true }>;
      readonly merged: readonly string[];
    }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly UndecidedConflict[] }
  | { readonly kind: 'refused'; readonly refusal: Extract<RestoreResult, { ok: false }> };

export async function undoRun(
  deps: RunServiceDeps,
  run: RunRow,
  caller: RunCaller,
  { decisions, dryRun }: { readonly decisions: readonly Decision[]; readonly dryRun: boolean },
): Promise<UndoRunResult> {
  const decided = new Map<string, UndoDecision>();
  for (let attempt = 1; ; attempt += 1) {
    const result = await deps.workspaces.restoreFiles({
      workspaceId: run.workspaceId,
      target: {
        kind: 'run',
        runId: run.runId,
        path: '/',
        batches: run.commits.map(({ batch }) => batch),
        decisions: [...decided.values()],
      },
      dryRun,
      actor: caller.actor,
      access: caller.access,
      correlationId: caller.correlationId,
    });
    if (result.ok) {
      const merged = [...decided.values()].flatMap(({ path, take }) =>
        typeof take === 'object' ? [path] : [],
      );
      return { kind: 'undone', restored: result, merged };
    }
    const { changed } = result;
    if (changed === undefined || attempt === undoAttemptsMax) return { kind: 'refused', refusal: result };
    const undecided: UndecidedConflict[] = [];
    for (const since of changed) {
      const outcome = await decide(deps, since, decisions);
      if ('reason' in outcome) undecided.push(outcome);
      else decided.set(since.path, outcome);
    }
    if (undecided.length > 0) return { kind: 'conflicts', conflicts: undecided };
  }
}

async function decide(
  deps: RunServiceDeps,
  since: ChangedSince,
  decisions: readonly Decision[],
): Promise<UndoDecision | UndecidedConflict> {
  const { path, revision, now, committed, before } = since;
  const current = now === null ? 0 : revision;
  const take = decisionAt(decisions, path, current);
  if (take !== null) return { path, revision, take: take === 'run' ? 'before' : 'now' };
  if (isSame(now, before)) return { path, revision, take: 'now' };
  // A merge would take away what others changed between two commits of the run.
  if (!since.isContinuous) return { path, revision: current, reason: 'overlapping' };
  if (isSame(now, committed)) return { path, revision, take: 'before' };
  const merge = await mergeVersions(deps, { path, base: committed, mine: before, theirs: now });
  if (!merge.ok || now === null)
    return { path, revision: current, reason: merge.ok ? 'deleted' : merge.reason };
  const write: WriteFile = {
    kind: 'write_file',
    path,
    precondition: { kind: 'revision', revision: `rev_${revision}` },
    content: await deps.workspaces.stage(new TextEncoder().encode(merge.text)),
    contentType: now.contentType,
    defaultContentType: now.contentType,
    encoding: now.encoding,
  };
  return { path, revision, take: write };
}

type Version = ChangedSince['now'];

function isSame(left: Version, right: Version): boolean {
  if (left === null || right === null) return left === right;
  return (
    left.hash === right.hash &&
    left.contentType === right.contentType &&
    JSON.stringify(left.semantics) === JSON.stringify(right.semantics)
  );
}
