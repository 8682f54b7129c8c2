// The cells of a conflict in the list: path, kind, age.
import type { ReactElement } from 'react';
import type { Conflict } from '../../../server/contract/conflicts.ts';
import { conflictName } from '../../model/mirror/conflict-view.ts';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';

export function ConflictCells({ conflict }: { readonly conflict: Conflict }): ReactElement {
  return (
    <>
      <GridCell className="two-lines">
        <PathText path={conflict.path} />
        <Status kind="warn" word={conflictName(conflict.kind)} />
      </GridCell>
      <GridCell className="soft number">
        <Time at={conflict.detectedAt} as="age" />
      </GridCell>
    </>
  );
}
