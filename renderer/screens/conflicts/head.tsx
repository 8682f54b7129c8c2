// The head of a conflict: its path, its base, its counts, and the choice of a view.
import type { ReactElement } from 'react';
import type { ConflictDetail } from '../../../server/contract/conflicts.ts';
import { plural } from '../../model/format.ts';
import type { Comparison } from '../../model/text/conflict-rows.ts';
import { CopyButton, Identifier } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import type { ConflictViewName } from './comparison.ts';

const viewNames: Readonly<Record<ConflictViewName, string>> = {
  sides: 'Side by side',
  three: 'Three-way',
  base: 'Base only',
  result: 'Result',
};

export function ConflictHead({
  detail,
  comparison,
  view,
  isMergeable,
  onView,
  onClose,
}: {
  readonly detail: ConflictDetail;
  readonly comparison: Comparison | null;
  readonly view: ConflictViewName;
  /** Otherwise only one view is possible. */
  readonly isMergeable: boolean;
  readonly onView: (view: ConflictViewName) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { conflict, base } = detail;
  const shown: readonly ConflictViewName[] = isMergeable ? ['sides', 'three', 'base', 'result'] : ['sides'];
  return (
    <DetailHead
      title={
        <>
          <PathText path={conflict.path} />
          <CopyButton text={conflict.path} what="the path" />
        </>
      }
      titleClass="path-heading row"
      side={
        shown.length < 2 ? null : (
          <Segments
            label="View"
            options={shown.map((each) => ({ value: each, text: viewNames[each] }))}
            value={view}
            onChange={onView}
          />
        )
      }
      facts={
        <>
          {base?.revision == null ? (
            <span>No common base</span>
          ) : (
            <span className="row">
              Base <Identifier text={base.revision} what="the base’s revision" />
            </span>
          )}
          {comparison === null ? null : <HunkCounts comparison={comparison} />}
          <span className="end">
            Detected <Time at={conflict.detectedAt} as="ago" />
          </span>
        </>
      }
      onClose={onClose}
    />
  );
}

function HunkCounts({
  comparison: { hunks, notMergeable },
}: {
  readonly comparison: Comparison;
}): ReactElement {
  const conflicts = hunks.filter(({ kind }) => kind === 'clash').length;
  const changes = hunks.filter(({ kind }) => kind !== 'same').length - conflicts;
  return (
    <>
      <span>{plural(conflicts, notMergeable === null ? 'conflict' : 'difference')}</span>
      {changes > 0 ? (
        <span>
          {plural(changes, 'change')} {changes === 1 ? 'merges' : 'merge'} cleanly
        </span>
      ) : null}
    </>
  );
}
