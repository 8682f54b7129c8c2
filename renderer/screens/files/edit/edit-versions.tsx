// Shows the versions of an edit conflict side by side or with their base, and the merged text.
import { type ReactElement, useState } from 'react';
import type { FileRecord } from '../../../../server/contract/files.ts';
import { linesOf } from '../../../../server/core/merge/line-diff.ts';
import type { ChosenText, VersionName } from '../../../../server/core/merge/three-way-merge.ts';
import type { UnsavedEdit } from '../../../api/unsaved-edits.ts';
import type { Comparison } from '../../../model/text/conflict-rows.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { LineGrid, PlainLines } from '../../../parts/diff/line-grid.tsx';
import { Time } from '../../../parts/feedback/time.tsx';

export const versionNames: Readonly<Record<VersionName, string>> = {
  mine: 'Yours',
  base: 'Base',
  theirs: 'Theirs',
};

export function Versions({
  comparison,
  showsBase,
  unsaved,
  theirs,
}: {
  readonly comparison: Comparison;
  readonly showsBase: boolean;
  readonly unsaved: UnsavedEdit;
  readonly theirs: FileRecord;
}): ReactElement {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return (
    <LineGrid
      comparison={comparison}
      shown={showsBase ? ['mine', 'base', 'theirs'] : ['mine', 'theirs']}
      heads={{
        mine: <VersionHead name={versionNames.mine} about="not saved yet" />,
        base: <VersionHead name={versionNames.base} about={unsaved.base.revision} />,
        theirs: (
          <VersionHead name={versionNames.theirs} about={theirs.revision}>
            {theirs.lastEditedAt === undefined ? null : (
              <>
                {' · '}
                <Time at={theirs.lastEditedAt} as="ago" />
              </>
            )}
          </VersionHead>
        ),
      }}
      unfolded={unfolded}
      onUnfold={(hunk) => setUnfolded(new Set(unfolded).add(hunk))}
    />
  );
}

function VersionHead({
  name,
  about,
  children = null,
}: {
  readonly name: string;
  readonly about: string;
  readonly children?: ReactElement | null;
}): ReactElement {
  return (
    <>
      <b>{name}</b>{' '}
      <span className="faint">
        {about}
        {children}
      </span>
    </>
  );
}

export function Result({
  merged,
  onEdit,
}: {
  readonly merged: ChosenText;
  readonly onEdit: (text: string) => void;
}): ReactElement {
  const { text } = merged;
  if (text === null) return <p className="soft">Resolve all conflicts below to see the merged file.</p>;
  return (
    <>
      <PlainLines title="Result" lines={linesOf(text)} />
      <div className="row">
        <Button icon="edit" onClick={() => onEdit(text)}>
          Edit result
        </Button>
      </div>
    </>
  );
}
