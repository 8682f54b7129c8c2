// The rows in sight of a folder, each with its state in the mirrors.
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
  known,
  choice,
  onKeyDown,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly mirrors: readonly Mirror[];
  /** All of them are read. */
  readonly known: boolean;
  readonly choice: RowChoice;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}): ReactElement {
  const { rows, virtual, currentIndex, select, enter } = choice;
  const inSight = virtual.items.flatMap(({ index }) => rows[index]?.path ?? []);
  const states = usePathStates(workspaceId, inSight, mirrors);
  return (
    <RowFrame
      role="grid"
      aria-label={`Files in ${folder}`}
      aria-rowcount={known ? rows.length : -1}
      aria-colcount={mirrors.length > 0 ? 5 : 4}
      virtual={virtual}
      rows={rows}
      onKeyDown={onKeyDown}
    >
      {(row: TreeEntry, item) => (
        <ListRow
          key={row.path}
          entry={row}
          place={rowPosition(item, currentIndex)}
          state={states.get(row.path)}
          mirrors={mirrors}
          onSelect={() => select(item.index)}
          onEnter={() => enter(row)}
        />
      )}
    </RowFrame>
  );
}
