// The folder tree of the workspace, as a pane or in a popup. One tab stop; arrow keys move inside.
import { Popover } from '@base-ui/react/popover';
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useState } from 'react';
import type { FolderStore } from '../../../api/folder-store.ts';
import { nameOf, parentOf, withAncestors } from '../../../model/files/path.ts';
import { count } from '../../../model/format.ts';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { RowFrame, type RowPosition, rowPosition } from '../../../parts/tables/grid.tsx';
import { movedIndex, useVirtualRows } from '../../../parts/tables/use-virtual-rows.ts';
import { entryAttributes } from '../change/drag-entries.ts';
import { Breadcrumb } from './breadcrumb.tsx';

const rowPx = 26;
const indentPx = 14;
const pageRows = 15;

interface Row {
  readonly path: string;
  readonly level: number;
  /** null: no subfolders. */
  readonly unfolded: boolean | null;
  readonly files: number | null;
  readonly position: number;
  readonly siblings: number;
}

export interface FolderTreeProps {
  readonly store: FolderStore;
  readonly current: string;
  readonly onOpen: (path: string) => void;
  /** Enter was pressed: moves the focus to the list. */
  readonly onEnter: () => void;
}

export function FolderTree({ store, current, onOpen, onEnter }: FolderTreeProps): ReactElement {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set(withAncestors(current)));
  useEffect(() => {
    setUnfolded((old) => new Set([...old, ...withAncestors(parentOf(current))]));
  }, [current]);
  useEffect(() => {
    for (const path of unfolded) store.open(path);
  }, [store, unfolded]);
  const version = store.version();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the content of the store
  const rows = useMemo(() => flatten(store, unfolded), [store, unfolded, version]);
  const currentIndex = rows.findIndex((row) => row.path === current);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current: currentIndex });

  const fold = (path: string, open: boolean): void =>
    setUnfolded((old) => {
      const next = new Set(old);
      if (open) next.add(path);
      else next.delete(path);
      return next;
    });
  const select = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    onOpen(row.path);
    virtual.focus(index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[currentIndex];
    const moved = movedIndex(event.key, currentIndex, rows.length, pageRows);
    if (moved !== null) select(moved);
    else if (event.key === 'ArrowRight' && row?.unfolded === false) fold(row.path, true);
    else if (event.key === 'ArrowRight' && row?.unfolded === true) select(currentIndex + 1);
    else if (event.key === 'ArrowLeft' && row?.unfolded === true && row.path !== '/') fold(row.path, false);
    else if (event.key === 'ArrowLeft' && row !== undefined) {
      select(rows.findIndex((each) => each.path === parentOf(row.path)));
    } else if (event.key === 'Enter') onEnter();
    else return;
    event.preventDefault();
  };
  return (
    <RowFrame role="tree" aria-label="Folders" virtual={virtual} rows={rows} onKeyDown={onKeyDown}>
      {(row, item) => (
        <TreeRow
          key={row.path}
          row={row}
          position={rowPosition(item, currentIndex)}
          onSelect={() => select(item.index)}
          onFold={() => fold(row.path, row.unfolded !== true)}
        />
      )}
    </RowFrame>
  );
}

function TreeRow({
  row,
  position: { index, startPx, selected, tabStop },
  onSelect,
  onFold,
}: {
  readonly row: Row;
  readonly position: RowPosition;
  readonly onSelect: () => void;
  readonly onFold: () => void;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      role="treeitem"
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-selected={selected}
      {...(row.unfolded === null ? {} : { 'aria-expanded': row.unfolded })}
      tabIndex={tabStop ? 0 : -1}
      data-index={index}
      className="tree-row"
      title={row.path}
      style={{ transform: `translateY(${startPx}px)`, paddingLeft: 4 + (row.level - 1) * indentPx }}
      onClick={onSelect}
      onDoubleClick={onFold}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the mouse equivalent of Left and Right */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles Left and Right */}
      <span
        className="arrow"
        onClick={(event) => {
          if (row.unfolded === null) return;
          event.stopPropagation();
          onFold();
        }}
      >
        {row.unfolded === null ? null : <Icon of={row.unfolded ? 'open' : 'closed'} small />}
      </span>
      <Icon of="folder" small />
      <span className="ellipsis" {...entryAttributes({ path: row.path, type: 'dir' }, row.path !== '/')}>
        {row.path === '/' ? '/' : nameOf(row.path)}
      </span>
      {row.files === null ? null : <span className="number">{count(row.files)}</span>}
    </div>
  );
}

function flatten(store: FolderStore, unfolded: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = [];
  const add = (path: string, level: number, position: number, siblings: number): void => {
    const view = store.view(path);
    const inside = view?.entries.filter((entry) => entry.type === 'dir') ?? [];
    const known = view?.state === 'ready';
    const isUnfolded = path === '/' || unfolded.has(path);
    rows.push({
      path,
      level,
      unfolded: known && inside.length === 0 ? null : isUnfolded,
      files: known ? view.totalFiles : null,
      position,
      siblings,
    });
    if (!isUnfolded) return;
    for (const [index, entry] of inside.entries()) add(entry.path, level + 1, index + 1, inside.length);
  };
  add('/', 1, 1, 1);
  return rows;
}

/** The open folder: its way, and where there is no room for the tree a button that shows it. */
export function FolderButton({
  store,
  folder,
  onOpen,
}: {
  readonly store: FolderStore;
  readonly folder: string;
  readonly onOpen: (path: string) => void;
}): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <div className="folder-line">
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger className="button when-narrow" title="All folders">
          <Icon of="folder" small />
          Folders
          <Icon of="open" small />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} align="start" className="above">
            <Popover.Popup className="menu tree-popup" aria-label="Folders">
              <FolderTree store={store} current={folder} onOpen={onOpen} onEnter={() => setOpen(false)} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      <Breadcrumb folder={folder} onOpen={onOpen} />
    </div>
  );
}
