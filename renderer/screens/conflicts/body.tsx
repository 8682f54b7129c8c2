// The versions of a conflict as aligned lines, with the merge below; versions without lines as facts.
import { type ReactElement, useState } from 'react';
import type { ConflictDetail, ConflictVersion } from '../../../server/contract/conflicts.ts';
import { linesOf } from '../../../server/core/merge/line-diff.ts';
import type { VersionName } from '../../../server/core/merge/three-way-merge.ts';
import { conflictSides, versionAuthor } from '../../model/mirror/conflict-view.ts';
import type { Comparison } from '../../model/text/conflict-rows.ts';
import { LineGrid, PlainLines } from '../../parts/diff/line-grid.tsx';
import { MergeSection } from '../../parts/diff/merge-section.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { Note } from '../../parts/feedback/note.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import type { ConflictViewName } from './comparison.ts';
import type { Resolution } from './use-resolution.ts';
import { VersionsAsFacts } from './version-facts.tsx';

const versionNames: Readonly<Record<VersionName, string>> = {
  mine: 'Local',
  base: 'Base',
  theirs: 'Remote',
};

interface BodyProps {
  readonly detail: ConflictDetail;
  readonly about: string;
  readonly view: ConflictViewName;
  readonly resolution: Resolution;
}

export function ConflictBody(props: BodyProps): ReactElement {
  const { detail, about, view, resolution } = props;
  const { comparison, merged, decisionOf, decide } = resolution;
  if (comparison === null) return <VersionsAsFacts detail={detail} about={about} />;
  return (
    <ReadingRegion name="Both versions" className="detail-body work-body">
      {view === 'result' && merged !== null ? (
        <PlainLines
          title="Result"
          lines={
            merged.text === null
              ? ['Resolve all conflicts below to see the merged file.']
              : linesOf(merged.text)
          }
        />
      ) : (
        <Versions detail={detail} comparison={comparison} view={view} />
      )}
      {merged === null ? (
        <Note>
          {about} {notMergeableText(comparison)}
        </Note>
      ) : (
        <MergeSection
          merged={merged}
          comparison={comparison}
          names={versionNames}
          decisionOf={decisionOf}
          onDecide={decide}
        />
      )}
    </ReadingRegion>
  );
}

function notMergeableText({ notMergeable }: Comparison): string {
  return notMergeable === 'no_base'
    ? 'The versions have no common base, so they cannot be merged. Keep one of them, or both.'
    : 'The versions are too different or too large to merge. Keep one of them, or both.';
}

const shownVersions: Readonly<Record<ConflictViewName, readonly VersionName[]>> = {
  sides: ['mine', 'theirs'],
  three: ['mine', 'base', 'theirs'],
  base: ['base'],
  result: ['mine', 'theirs'],
};

function Versions({
  detail,
  comparison,
  view,
}: Pick<BodyProps, 'detail' | 'view'> & { readonly comparison: Comparison }): ReactElement {
  const { local, remote } = conflictSides(detail.conflict);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return (
    <LineGrid
      comparison={comparison}
      shown={shownVersions[view]}
      heads={{
        mine: <VersionHead icon="folder" name="Local" where={local} version={detail.folder} />,
        base: <VersionHead icon="waiting" name="Base" where="last synced" version={detail.base} />,
        theirs: <VersionHead icon="workspace" name="Remote" where={remote} version={detail.workspace} />,
      }}
      unfolded={unfolded}
      onUnfold={(hunk) => setUnfolded(new Set(unfolded).add(hunk))}
    />
  );
}

function VersionHead({
  icon,
  name,
  where,
  version,
}: {
  readonly icon: 'folder' | 'workspace' | 'waiting';
  readonly name: string;
  readonly where: string;
  readonly version: ConflictVersion | null;
}): ReactElement {
  return (
    <>
      <span className="row">
        <Icon of={icon} small />
        <b>{name}</b> <span className="faint">{where}</span>
      </span>
      <span className="second faint ellipsis-cell">
        {versionAuthor(version)}
        {version?.editedAt == null ? null : (
          <>
            , <Time at={version.editedAt} as="clock" />
          </>
        )}
        {version?.revision == null ? null : ` · ${version.revision}`}
      </span>
    </>
  );
}
