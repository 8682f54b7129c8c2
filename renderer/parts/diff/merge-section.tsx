// Shows the state of a merge and the conflicts that need a decision.
import type { ReactElement } from 'react';
import type {
  ChosenText,
  HunkDecision,
  MergeHunk,
  VersionName,
} from '../../../server/core/merge/three-way-merge.ts';
import { plural } from '../../model/format.ts';
import type { Comparison } from '../../model/text/conflict-rows.ts';
import { Status } from '../feedback/status.tsx';
import { DecisionList } from './decision-list.tsx';

export function MergeSection({
  merged,
  ...decisions
}: {
  readonly merged: ChosenText;
  readonly comparison: Comparison;
  /** Labels of the versions. */
  readonly names: Readonly<Record<VersionName, string>>;
  readonly decisionOf: (hunk: MergeHunk) => HunkDecision | undefined;
  readonly onDecide: (hunk: MergeHunk, decision: HunkDecision) => void;
}): ReactElement {
  return (
    <section className="work-section" aria-label="Merge">
      <h3 className="row">
        Merge
        {merged.undecided === 0 ? (
          <Status kind="ok" word="Ready to save" />
        ) : (
          <Status kind="warn" word={`${plural(merged.undecided, 'conflict')} to resolve`} />
        )}
      </h3>
      <DecisionList {...decisions} />
    </section>
  );
}
