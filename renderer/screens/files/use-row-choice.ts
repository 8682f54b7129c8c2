// Which row of a folder is the current one, and what choosing or entering a row does. What is open stands in the address.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { FilesLocation } from '../../location/app-location.ts';
import { parentOf } from '../../model/files/path.ts';
import { useShownOnce } from '../../parts/tables/use-shown-once.ts';
import { useVirtualRows, type VirtualRows } from '../../parts/tables/use-virtual-rows.ts';
import type { Go } from './navigation.ts';

const rowPx = 32;

export interface RowChoice {
  readonly rows: readonly TreeEntry[];
  readonly virtual: VirtualRows;
  /** -1: none. */
  readonly currentIndex: number;
  readonly current: TreeEntry | undefined;
  select(index: number): void;
  /** Opens a folder, or goes on into the file. */
  enter(row: TreeEntry | undefined): void;
  /** To the folder above; it becomes the current row there. */
  leave(): void;
}

export function useRowChoice({
  rows,
  place,
  focusHandle,
  onGo,
  onEnterFile,
}: {
  readonly rows: readonly TreeEntry[];
  readonly place: FilesLocation;
  /** Filled with a function that puts the focus into the list; `begin` also selects the first row when none is. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onGo: Go;
  readonly onEnterFile: () => void;
}): RowChoice {
  const { file, folder, filter } = place;
  // A folder's row can be current without being open; a file that is current is open.
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
