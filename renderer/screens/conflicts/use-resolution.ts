// Resolves one conflict: the decisions of its merge, what each choice does, and why a choice is disabled. Decisions survive a reload,
// a change of the conflict and an undo.
import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Conflict, ConflictDetail, ConflictResolveBody } from '../../../server/contract/conflicts.ts';
import type { ChosenText, HunkDecision, MergeHunk } from '../../../server/core/merge/three-way-merge.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { type Choice, choiceDisabledReason } from '../../model/mirror/conflict-view.ts';
import { type Comparison, type Decisions, hunkKey, mergedText } from '../../model/text/conflict-rows.ts';
import { comparisonOf } from './comparison.ts';

export interface ConflictKeys {
  keep(side: 'folder' | 'workspace' | 'both'): void;
  merge(): void;
}

export type Resolve = (conflict: Conflict, choice: Choice, run: () => Promise<unknown>) => void;

export interface Resolution extends ConflictKeys {
  readonly comparison: Comparison | null;
  /** null: the versions cannot be merged. */
  readonly merged: ChosenText | null;
  readonly decisionOf: (hunk: MergeHunk) => HunkDecision | undefined;
  readonly decide: (hunk: MergeHunk, decision: HunkDecision) => void;
  readonly disabledReasonOf: (choice: Choice) => string | null;
}

export interface ResolutionOptions {
  readonly detail: ConflictDetail;
  readonly workspaceId: string;
  readonly conflictId: string;
  /** The conflict in the list; null: it is no longer listed. */
  readonly listed: Conflict | null;
  /** Set to the choices while the conflict is open, for the keys of the screen. */
  readonly actions: RefObject<ConflictKeys | null>;
  readonly onResolve: Resolve;
}

export const notListedReason = 'Already resolved, or the file changed.';

export function useResolution(options: ResolutionOptions): Resolution {
  const { detail, workspaceId, conflictId, listed, actions, onResolve } = options;
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [decisions, setDecision] = useDecisions(conflictId);
  const comparison = useMemo(() => comparisonOf(detail), [detail]);
  const merged = comparison === null ? null : mergedText(comparison, decisions);

  const disabledReasonOf = (choice: Choice): string | null =>
    (listed === null ? notListedReason : null) ??
    disabledReason ??
    choiceDisabledReason(detail.conflict, choice) ??
    (choice === 'merged' && merged === null ? notMergeableReason(comparison) : null);
  const finish = (choice: Choice, body: ConflictResolveBody): void => {
    const { workspace, folder } = detail;
    const seen = {
      ...(workspace?.revision == null ? {} : { workspaceRevision: workspace.revision }),
      ...(folder?.revision == null ? {} : { folderRevision: folder.revision }),
    };
    onResolve(listed ?? detail.conflict, choice, async () => {
      await client.conflicts.resolve(workspaceId, conflictId, { ...body, ...seen });
      savedDecisions.delete(conflictId);
    });
  };
  const keys: ConflictKeys = {
    keep: (side) => {
      if (disabledReasonOf(side) === null) finish(side, { keep: side });
    },
    merge: () => {
      if (disabledReasonOf('merged') !== null || merged === null) return;
      if (merged.text !== null) finish('merged', { merged: merged.text, encoding: 'utf-8' });
      else document.getElementById('decisions')?.querySelector<HTMLElement>('[data-open] button')?.focus();
    },
  };
  useEffect(() => {
    actions.current = keys;
    return () => {
      actions.current = null;
    };
  });
  return {
    ...keys,
    comparison,
    merged,
    disabledReasonOf,
    decisionOf: (hunk) => (comparison === null ? undefined : decisions.get(hunkKey(comparison, hunk))),
    decide: (hunk, decision) => comparison !== null && setDecision(hunkKey(comparison, hunk), decision),
  };
}

function notMergeableReason(comparison: Comparison | null): string {
  return comparison?.notMergeable === 'too_different'
    ? 'The versions are too different or too large to merge.'
    : 'Only text files with a common base can be merged.';
}

/** By conflict, so that no decision is lost when the detail pane is closed or a version changes. */
const savedDecisions = new Map<string, Decisions>();
const savedDecisionsMax = 100;

function useDecisions(
  conflictId: string,
): readonly [Decisions, (key: string, decision: HunkDecision) => void] {
  const [decisions, setDecisions] = useState<Decisions>(() => savedDecisions.get(conflictId) ?? new Map());
  const setDecision = (key: string, decision: HunkDecision): void => {
    const next = new Map(decisions).set(key, decision);
    const oldest = savedDecisions.keys().next().value;
    if (savedDecisions.size >= savedDecisionsMax && oldest !== undefined && !savedDecisions.has(conflictId))
      savedDecisions.delete(oldest);
    savedDecisions.set(conflictId, next);
    setDecisions(next);
  };
  return [decisions, setDecision];
}
