// The list of conflicts, with its loading, error and empty states.
import type { ReactElement, RefObject } from 'react';
import type { Conflict } from '../../../server/contract/conflicts.ts';
import { conflictName } from '../../model/mirror/conflict-view.ts';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { focusReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';
import type { useConflicts } from './queries.ts';

export function ConflictList({
  list,
  rows,
  openId,
  listFocus,
  workspaceId,
  onOpen,
}: {
  readonly list: ReturnType<typeof useConflicts>;
  readonly rows: readonly Conflict[];
  readonly openId: string | null;
  readonly listFocus: RefObject<((begin: boolean) => void) | null>;
  readonly workspaceId: string;
  readonly onOpen: (conflictId: string) => void;
}): ReactElement {
  if (list.data === undefined) {
    if (list.error === null) return <LoadingRows rowPx={48} />;
    return <QueryError query={list} path={workspaceId} />;
  }
  if (rows.length === 0) return <NoConflicts />;
  return (
    <WorkList
      label="Conflicts"
      rows={rows}
      idOf={(row) => row.conflictId}
      openId={openId}
      rowPx={48}
      columns={2}
      complete
      rowClass="conflict-row"
      focusHandle={listFocus}
      onOpen={(row) => onOpen(row.conflictId)}
      onEnter={(row) => {
        onOpen(row.conflictId);
        focusReadingRegion();
      }}
    >
      {(row) => <ConflictCells conflict={row} />}
    </WorkList>
  );
}

function NoConflicts(): ReactElement {
  return (
    <EmptyList icon="conflict" title="No conflicts">
      <p>
        When a file changes in the folder and in the workspace at the same time, Mooring merges changes of
        different lines. If both sides changed the same lines, the workspace’s version keeps the name, the
        folder’s version becomes a dated conflict copy, and the conflict appears here.
      </p>
    </EmptyList>
  );
}

function ConflictCells({ conflict }: { readonly conflict: Conflict }): ReactElement {
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
