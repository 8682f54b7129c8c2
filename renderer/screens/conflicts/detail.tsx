// One conflict: both versions level with each other, what they came from, the merge, and the four ways to end it. What was
// decided or typed outlives a reading again, a change of the conflict and an undo.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type {
  Conflict,
  ConflictResolveBody,
  ConflictDetail as Detail,
} from '../../../server/contract/conflicts.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { type Choice, conflictAbout, isText, whyNoChoice } from '../../model/mirror/conflict-view.ts';
import {
  type Comparison,
  clashKey,
  type Decision,
  type Decisions,
  linesOf,
  mergedText,
  twoWayPieces,
} from '../../model/text/conflict-rows.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { ConflictBody } from './body.tsx';
import { type ConflictViewName, views } from './comparison.ts';
import { ConflictHead } from './head.tsx';
import { useConflict } from './queries.ts';

export interface ConflictKeys {
  keep(side: 'folder' | 'workspace' | 'both'): void;
  merge(): void;
}

export type Resolve = (conflict: Conflict, choice: Choice, run: () => Promise<unknown>) => void;

interface DetailProps {
  readonly workspaceId: string;
  readonly conflictId: string;
  /** As the list has it; null: it is not there (any more). */
  readonly listed: Conflict | null;
  readonly view: string;
  readonly actions: RefObject<ConflictKeys | null>;
  readonly onView: (view: ConflictViewName) => void;
  readonly onResolve: Resolve;
  readonly onClose: () => void;
}

export function ConflictDetail(props: DetailProps): ReactElement {
  const { data, error, refetch } = useConflict(props.workspaceId, props.conflictId);
  if (data !== undefined) return <KnownConflict {...props} detail={data} />;
  if (error === null) return <SkeletonRows />;
  return (
    <div className="binary">
      <LoadError
        error={error}
        path={props.conflictId}
        retry="By itself, when something changes in this workspace. A conflict that was resolved does not come back."
        onAgain={() => void refetch()}
      />
    </div>
  );
}

/** Decisions by conflict: nothing typed is lost when its detail is left, or the version changes below it. */
const kept = new Map<string, Decisions>();
const keptMax = 100;

function useDecisions(conflictId: string): readonly [Decisions, (key: string, decision: Decision) => void] {
  const [decisions, setDecisions] = useState<Decisions>(() => kept.get(conflictId) ?? new Map());
  const decide = (key: string, decision: Decision): void => {
    const next = new Map(decisions).set(key, decision);
    const oldest = kept.keys().next().value;
    if (kept.size >= keptMax && oldest !== undefined && !kept.has(conflictId)) kept.delete(oldest);
    kept.set(conflictId, next);
    setDecisions(next);
  };
  return [decisions, decide];
}

/** null: not both versions are texts that are kept. */
function comparisonOf({ base, folder, workspace, merge }: Detail): Comparison | null {
  if (!isText(folder) || !isText(workspace)) return null;
  const texts = {
    folder: linesOf(folder?.content),
    base: linesOf(base?.content),
    workspace: linesOf(workspace?.content),
  };
  return {
    texts,
    pieces: merge?.pieces ?? twoWayPieces(texts.folder, texts.workspace),
    mergeable: merge !== null,
  };
}

function KnownConflict(props: DetailProps & { readonly detail: Detail }): ReactElement {
  const { detail, workspaceId, conflictId, actions, onResolve, onView } = props;
  const { conflict } = detail;
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [decisions, decide] = useDecisions(conflictId);
  const comparison = comparisonOf(detail);
  const merged =
    comparison === null || !comparison.mergeable
      ? null
      : mergedText(comparison.pieces, comparison.texts, decisions);
  const view = views.find((each) => each === props.view) ?? 'sides';

  const gone = props.listed === null ? 'It is resolved, or its file changed.' : null;
  const whyNot = (choice: Choice): string | null => gone ?? disabledReason ?? whyNoChoice(conflict, choice);
  const finish = (choice: Choice, body: ConflictResolveBody): void => {
    const seen = {
      ...(detail.workspace?.revision == null ? {} : { workspaceRevision: detail.workspace.revision }),
      ...(detail.folder?.revision == null ? {} : { folderRevision: detail.folder.revision }),
    };
    onResolve(props.listed ?? conflict, choice, async () => {
      await client.conflicts.resolve(workspaceId, conflictId, { ...body, ...seen });
      kept.delete(conflictId);
    });
  };
  const mergeDisabledReason =
    whyNot('merged') ?? (merged === null ? 'Only texts with a common base can be merged.' : null);
  const undecided = merged?.undecided ?? 0;
  const merge = (): void => {
    if (mergeDisabledReason !== null || merged === null) return;
    if (merged.text !== null) finish('merged', { merged: merged.text, encoding: 'utf-8' });
    else document.getElementById('decisions')?.querySelector<HTMLElement>('[data-open] button')?.focus();
  };
  useEffect(() => {
    actions.current = {
      keep: (side) => whyNot(side) === null && finish(side, { keep: side }),
      merge,
    };
    return () => {
      actions.current = null;
    };
  });
  return (
    <>
      <ConflictHead
        detail={detail}
        comparison={comparison}
        view={view}
        hasBase={detail.base !== null && comparison?.mergeable === true}
        onView={onView}
        onClose={props.onClose}
      />
      {gone === null ? null : <p className="note-line plain">{gone}</p>}
      <ConflictBody
        detail={detail}
        about={conflictAbout(conflict.kind)}
        comparison={comparison}
        view={view}
        merged={merged}
        decisionOf={(piece) =>
          comparison === null ? undefined : decisions.get(clashKey(piece, comparison.texts))
        }
        onDecide={(piece, decision) =>
          comparison !== null && decide(clashKey(piece, comparison.texts), decision)
        }
      />
      <div className="detail-foot">
        <Button
          shortcut="1"
          disabledReason={whyNot('folder')}
          onClick={() => finish('folder', { keep: 'folder' })}
        >
          Keep local
        </Button>
        <Button
          shortcut="2"
          disabledReason={whyNot('workspace')}
          onClick={() => finish('workspace', { keep: 'workspace' })}
        >
          Keep remote
        </Button>
        <Button shortcut="3" disabledReason={whyNot('both')} onClick={() => finish('both', { keep: 'both' })}>
          Keep both
        </Button>
        <Button
          kind="primary"
          icon="conflict"
          shortcut="M"
          disabledReason={mergeDisabledReason}
          onClick={merge}
        >
          {undecided === 0 ? 'Save the merge' : 'Merge…'}
        </Button>
        <span className="hint end when-wide">What goes stays in its history.</span>
      </div>
    </>
  );
}
