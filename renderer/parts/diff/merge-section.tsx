// The merge of two versions: how far it is, and the places that still need a decision.
import type { ReactElement } from 'react';
import { plural } from '../../model/format.ts';
import type { Comparison, Decision, Merged, Piece, Side } from '../../model/text/conflict-rows.ts';
import { Status } from '../feedback/status.tsx';
import { DecisionList } from './decision-list.tsx';

export function MergeSection({
  merged,
  ...decisions
}: {
  readonly merged: Merged;
  readonly comparison: Comparison;
  /** What the sides are called here. */
  readonly names: Readonly<Record<Side, string>>;
  readonly decisionOf: (piece: Piece) => Decision | undefined;
  readonly onDecide: (piece: Piece, decision: Decision) => void;
}): ReactElement {
  return (
    <section className="work-section" aria-label="Merge">
      <h3 className="row">
        Merge
        {merged.undecided === 0 ? (
          <Status kind="ok" word="Every line decided" />
        ) : (
          <Status kind="warn" word={`${plural(merged.undecided, 'place')} to decide`} />
        )}
      </h3>
      <DecisionList {...decisions} />
    </section>
  );
}
