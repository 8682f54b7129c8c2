// One conflict in the list: which file, what clashes, since when.
import type { ReactElement } from 'react';
import type { Conflict } from '../../../server/contract/conflicts.ts';
import { conflictName } from '../../model/conflict-view.ts';
import { PathText } from '../../parts/path-text.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';

export function ConflictCells({ conflict }: { readonly conflict: Conflict }): ReactElement {
  return (
    <>
      {/* biome-ignore-start lint/a11y/useSemanticElements: cells of a virtual grid */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the row has the focus */}
      <span role="gridcell" className="two-lines">
        <PathText path={conflict.path} />
        <Status kind="warn" word={conflictName(conflict.kind)} />
      </span>
      <span role="gridcell" className="soft number">
        <Time at={conflict.detectedAt} as="age" />
      </span>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: see above */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
    </>
  );
}
