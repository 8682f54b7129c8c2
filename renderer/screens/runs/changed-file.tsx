// The difference of one file of a run, with its head: path, lines, view.
import type { ReactElement } from 'react';
import type { Run } from '../../../sdk/index.ts';
import { useChangedVersions } from '../../api/runs.ts';
import { nameOf } from '../../model/files/path.ts';
import type { RunChange } from '../../model/runs/run-changes.ts';
import type { LineCounts } from '../../model/text/unified-diff.ts';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { FileComparison } from '../../parts/diff/file-comparison.tsx';
import { Lines } from '../../parts/diff/line-counts.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { LoadingRows } from '../../parts/tables/work-list.tsx';

const views = [
  { value: 'lines', text: 'Unified' },
  { value: 'sides', text: 'Side by side' },
] as const;

export function ChangedFile({
  run,
  change,
  lines,
  isSideBySide,
  onView,
}: {
  readonly run: Run;
  readonly change: RunChange;
  readonly lines: LineCounts | undefined;
  readonly isSideBySide: boolean;
  readonly onView: (view: 'lines' | 'sides') => void;
}): ReactElement {
  const query = useChangedVersions(run, change);
  return (
    <>
      <div className="run-file-head">
        <PathText path={change.path} />
        <CopyButton text={change.path} what="the path" />
        <span className="end row">
          {lines === undefined ? null : <Lines of={lines} />}
          <Segments label="View" options={views} value={isSideBySide ? 'sides' : 'lines'} onChange={onView} />
        </span>
      </div>
      {change.isMoved ? (
        <p className="note-line">
          <Icon of="conflict" small />
          The workspace has changed this file since. The commit merges both by lines, or asks you.
        </p>
      ) : null}
      <ReadingRegion className="run-difference" name={`Changes of ${nameOf(change.path)}`}>
        {query.data !== undefined ? (
          <FileComparison versions={query.data} isSideBySide={isSideBySide} />
        ) : query.isError ? (
          <QueryError query={query} path={change.path} />
        ) : (
          <LoadingRows rowPx={32} />
        )}
      </ReadingRegion>
    </>
  );
}
