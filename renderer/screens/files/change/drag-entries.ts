// Dragging in Files: a row onto a folder moves it, files of the system onto a folder or the list upload them. The rows name their entry with
// `entryAttributes`; nothing else is known of them.
import { type DragEvent, useState } from 'react';
import type { ChangedEntry } from '../../../api/change-files.ts';
import { parentOf } from '../../../model/files/path.ts';

const entryType = 'application/x-mooring-entry';

export interface DragHandlers {
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: (event: DragEvent) => void;
  readonly onDragEnd: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** For an element inside the row of an entry, or for an element of its own. */
export function entryAttributes({ path, type }: ChangedEntry, isDraggable: boolean) {
  return { 'data-entry': path, 'data-entry-type': type, draggable: isDraggable } as const;
}

/** `over`: the folder that a drop would go to; null: nothing is dragged over the screen. */
export function useDragEntries({
  folder,
  onMove,
  onFiles,
}: {
  /** The open folder. */
  readonly folder: string;
  readonly onMove: (entry: ChangedEntry, target: string) => void;
  readonly onFiles: (data: DataTransfer, target: string) => void;
}): { readonly over: string | null; readonly handlers: DragHandlers } {
  const [over, setOver] = useState<string | null>(null);
  const [dragged, setDragged] = useState<ChangedEntry | null>(null);
  const targetOf = (event: DragEvent): string | null => {
    const named = folderUnder(event.target);
    if (event.dataTransfer.types.includes('Files')) return named ?? folder;
    if (dragged === null || named === null) return null;
    const isInside = named === dragged.path || named.startsWith(`${dragged.path}/`);
    return isInside || named === parentOf(dragged.path) ? null : named;
  };
  const end = (): void => {
    setOver(null);
    setDragged(null);
  };
  return {
    over,
    handlers: {
      onDragStart: (event) => {
        const entry = entryUnder(event.target);
        if (entry === null) return;
        setDragged(entry);
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData(entryType, entry.path);
        event.dataTransfer.setData('text/plain', entry.path);
      },
      onDragOver: (event) => {
        const target = targetOf(event);
        setOver(target);
        if (target !== null) event.preventDefault();
      },
      onDragLeave: (event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(null);
      },
      onDragEnd: end,
      onDrop: (event) => {
        const target = targetOf(event);
        if (target === null) return;
        event.preventDefault();
        if (event.dataTransfer.types.includes('Files')) onFiles(event.dataTransfer, target);
        else if (dragged !== null) onMove(dragged, target);
        end();
      },
    },
  };
}

function entryUnder(target: EventTarget): ChangedEntry | null {
  if (!(target instanceof Element)) return null;
  // A part of the breadcrumb names its folder itself; of a row any part is dragged, and dropped on.
  const named =
    target.closest('[data-entry]') ??
    target.closest('[role="row"], [role="treeitem"]')?.querySelector('[data-entry]');
  const path = named?.getAttribute('data-entry') ?? null;
  if (path === null) return null;
  return { path, type: named?.getAttribute('data-entry-type') === 'dir' ? 'dir' : 'file' };
}

function folderUnder(target: EventTarget): string | null {
  const entry = entryUnder(target);
  return entry?.type === 'dir' ? entry.path : null;
}
