// The visible rows of a folder, each with its state in the mirrors.
import type { KeyboardEvent, ReactElement } from 'react';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { usePathStates } from '../../api/path-states.ts';
import { RowFrame, rowPosition } from '../../parts/tables/grid.tsx';
import { ListRow } from './list-row.tsx';
import type { RowChoice } from './use-row-choice.ts';

export function FileRows({
  workspaceId,
  folder,
  mirrors,
  isComplete,
  choice,
  onKeyDown,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly mirrors: readonly Mirror[];
  /** All entries are loaded. */
  readonly isComplete: boolean;
  readonly choice: RowChoice;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}): ReactElement {
  const { rows, virtual, currentIndex, select, enter } = choice;
  const visible = virtual.items.flatMap(({ index }) => rows[index]?.path ?? []);
  const states = usePathStates(workspaceId, visible, mirrors);
  return (
    <RowFrame
      role="grid"
      aria-label={`Files in ${folder}`}
      aria-rowcount={isComplete ? rows.length : -1}
      aria-colcount={mirrors.length > 0 ? 5 : 4}
      virtual={virtual}
      rows={rows}
      onKeyDown={onKeyDown}
    >
      {(row: TreeEntry, item) => (
        <ListRow
          key={row.path}
          entry={row}
          position={rowPosition(item, currentIndex)}
          state={states.get(row.path)}
          mirrors={mirrors}
          onSelect={() => select(item.index)}
          onEnter={() => enter(row)}
        />
      )}
    </RowFrame>
  );
}
