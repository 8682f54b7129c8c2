// The rows of a folder that are marked, to act on several at once. Another folder begins without marks.
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import { type Selection, useSelection } from '../../../parts/tables/selection.tsx';

/** For what is outside of the list: keys and dragging. */
export interface MarkedRows {
  readonly entries: readonly TreeEntry[];
  markCurrent(): void;
  clear(): void;
}

export interface Marks extends Selection<TreeEntry> {
  /** From the current row to this one, with both. */
  rangeTo(row: TreeEntry | undefined): void;
}

const pathOf = ({ path }: TreeEntry): string => path;

export function useMarks({
  rows,
  current,
  folder,
  handle,
}: {
  readonly rows: readonly TreeEntry[];
  readonly current: TreeEntry | undefined;
  readonly folder: string;
  /** Set to the marked rows. */
  readonly handle: RefObject<MarkedRows | null>;
}): Marks {
  const selection = useSelection(rows, pathOf);
  const [markedIn, setMarkedIn] = useState(folder);
  if (markedIn !== folder) {
    setMarkedIn(folder);
    selection.clear();
  }
  useLayoutEffect(() => {
    handle.current = {
      entries: selection.rows,
      markCurrent: () => current !== undefined && selection.toggle(current.path),
      clear: selection.clear,
    };
  });
  return {
    ...selection,
    rangeTo: (row) => {
      if (row !== undefined) selection.range((current ?? row).path, row.path);
    },
  };
}
