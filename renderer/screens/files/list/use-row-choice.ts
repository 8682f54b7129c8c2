// The current row of a folder, and what selecting or entering a row does. The open file is part of the URL.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { parentOf } from '../../../model/files/path.ts';
import { useShownOnce } from '../../../parts/tables/use-shown-once.ts';
import { useVirtualRows, type VirtualRows } from '../../../parts/tables/use-virtual-rows.ts';
import type { Go } from '../navigation.ts';

const rowPx = 32;

export interface RowChoice {
  readonly rows: readonly TreeEntry[];
  readonly virtual: VirtualRows;
  /** -1: none. */
  readonly currentIndex: number;
  readonly current: TreeEntry | undefined;
  select(index: number): void;
  /** Opens a folder, or moves the focus into the file. */
  enter(row: TreeEntry | undefined): void;
  /** Opens the parent folder, with this folder as its current row. */
  leave(): void;
}

export function useRowChoice({
  rows,
  location,
  focusHandle,
  onGo,
  onEnterFile,
}: {
  readonly rows: readonly TreeEntry[];
  readonly location: FilesLocation;
  /** Set to a function that focuses the list; `begin` also selects the first row if none is selected. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onGo: Go;
  readonly onEnterFile: () => void;
}): RowChoice {
  const { file, folder, filter } = location;
  // The row of a folder can be current without being open; a current file is open.
  const [currentFolder, setCurrentFolder] = useState<string | null>(null);
  const current = file ?? currentFolder;
  const currentIndex = useMemo(() => rows.findIndex((row) => row.path === current), [rows, current]);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current: currentIndex });
  const broughtByHand = useShownOnce(file, currentIndex, virtual);

  const select = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    broughtByHand(row.path);
    if (row.type === 'dir') {
      setCurrentFolder(row.path);
      if (file !== null) onGo(folder, 'dir', { filter }, true);
    } else {
      onGo(row.path, 'file', { filter }, file !== null);
    }
    virtual.focus(index);
  };
  useLayoutEffect(() => {
    focusHandle.current = (begin) => {
      if (currentIndex >= 0) virtual.focus(currentIndex);
      else if (begin) select(0);
      else if (rows.length > 0) virtual.focus(0);
    };
  });
  return {
    rows,
    virtual,
    currentIndex,
    current: rows[currentIndex],
    select,
    enter: (row) => {
      if (row === undefined) return;
      if (row.type === 'file') {
        select(rows.indexOf(row));
        onEnterFile();
        return;
      }
      setCurrentFolder(null);
      onGo(row.path, 'dir');
    },
    leave: () => {
      setCurrentFolder(folder);
      onGo(parentOf(folder), 'dir');
    },
  };
}
