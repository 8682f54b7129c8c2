// The list of a folder: its entries, virtualized, folders first; its empty state, and the number of entries below it.
import { type KeyboardEvent, type ReactElement, type RefObject, useMemo, useState } from 'react';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';
import type { FolderStore } from '../../../api/folder-store.ts';
import { usePathStates } from '../../../api/path-states.ts';
import { useFolderActors } from '../../../api/revision-actors.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { type FileColumn, fileColumns, sortedEntries } from '../../../model/files/file-columns.ts';
import { NameFilter } from '../../../model/files/name-filter.ts';
import { sortableIds } from '../../../model/tables/column-layout.ts';
import { type Sort, sortOf, sortText } from '../../../model/tables/sorting.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { MenuButton, type RowAction, RowContextMenu } from '../../../parts/buttons/row-menu.tsx';
import { FilterField } from '../../../parts/fields/filter-field.tsx';
import { ColumnHeads } from '../../../parts/tables/column-heads.tsx';
import { RowFrame, rowPosition } from '../../../parts/tables/grid.tsx';
import { SelectionBar } from '../../../parts/tables/selection.tsx';
import { SkeletonRows } from '../../../parts/tables/skeleton-rows.tsx';
import { useColumns } from '../../../parts/tables/use-columns.ts';
import { PaneGrip, type Panes } from '../../../parts/tables/use-panes.tsx';
import { movedIndex } from '../../../parts/tables/use-virtual-rows.ts';
import type { FileChanges } from '../change/use-changes.tsx';
import type { UploadControls } from '../change/use-upload.tsx';
import type { Go } from '../navigation.ts';
import { EmptyFolder, FolderFailure } from './empty-folder.tsx';
import { ListFoot } from './list-foot.tsx';
import { ListRow } from './list-row.tsx';
import { FolderButton } from './tree.tsx';
import { type MarkedRows, type Marks, useMarks } from './use-marks.ts';
import { type RowChoice, useRowChoice } from './use-row-choice.ts';

const pageRows = 12;

export interface FileListProps {
  readonly panes: Panes;
  readonly workspaceId: string;
  readonly store: FolderStore;
  readonly location: FilesLocation;
  /** The mirrors of the workspace. */
  readonly mirrors: readonly Mirror[];
  /** Controls at the end of the foot. */
  readonly foot: ReactElement;
  /** What can be changed here. */
  readonly changes: FileChanges;
  readonly upload: UploadControls;
  /** A drop would go into the open folder. */
  readonly isDropTarget: boolean;
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** Set to a function that focuses the list; `begin` also selects the first row if none is selected. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  /** Set to the marked rows. */
  readonly marksHandle: RefObject<MarkedRows | null>;
  readonly onGo: Go;
  readonly onEnterFile: () => void;
}

export function FileList(props: FileListProps): ReactElement {
  const { workspaceId, store, location, mirrors, foot, changes, upload, filterField, focusHandle } = props;
  const { onGo, onEnterFile, isDropTarget } = props;
  const view = store.view(location.folder);
  const sort = useMemo(() => sortOf(location.sort, sortableIds(fileColumns)), [location.sort]);
  const rows = useShown(view?.entries ?? noEntries, location.filter, sort);
  const choice = useRowChoice({ rows, location, focusHandle, onGo, onEnterFile });
  const { current, currentIndex, select, enter, leave } = choice;
  const marks = useMarks({ rows, current, folder: location.folder, handle: props.marksHandle });
  /** What F2 and Delete act on. */
  const chosen = marks.rows.length > 0 ? marks.rows : current === undefined ? [] : [current];
  const { disabledReason } = changes;
  const addActions: readonly RowAction[] = [
    { text: 'New file…', icon: 'created', shortcut: 'N', disabledReason, run: changes.newFile },
    { text: 'New folder…', icon: 'folder', disabledReason, run: changes.newFolder },
    { text: 'Upload files…', icon: 'upload', disabledReason, run: upload.choose },
    { text: 'Recently deleted…', icon: 'deleted', run: changes.showDeleted },
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    const isModified = event.ctrlKey || event.metaKey;
    if (event.altKey || (isModified && event.key.toLowerCase() !== 'a')) return;
    if (isModified) {
      // Only with the focus in the list: beside it, the browser selects text.
      marks.all();
      event.preventDefault();
      return;
    }
    const moved = movedIndex(event.key, currentIndex, rows.length, pageRows);
    if (moved !== null) {
      if (event.shiftKey) marks.rangeTo(rows[moved]);
      select(moved);
    } else if (event.key === 'F2' && current !== undefined) changes.move(chosen);
    else if (event.key === 'Delete' && current !== undefined) changes.remove(chosen);
    else if (event.key === 'Enter' || (event.key === 'ArrowRight' && current?.type === 'dir')) enter(current);
    else if ((event.key === 'ArrowLeft' || event.key === 'Backspace') && location.folder !== '/') leave();
    else return;
    event.preventDefault();
  };
  return (
    <section className={isDropTarget ? 'pane list drop-here' : 'pane list'} aria-label="Files">
      <PaneGrip panes={props.panes} id="tree" />
      <div className="pane-head">
        <FolderButton store={store} folder={location.folder} onOpen={(path) => onGo(path, 'dir')} />
        <FilterField
          fieldRef={filterField}
          label="Filter by name"
          placeholder="Filter this folder"
          position="grow"
          value={location.filter}
          onChange={(filter) =>
            onGo(location.file ?? location.folder, location.file === null ? 'dir' : 'file', { filter }, true)
          }
          onLeave={(begin) => focusHandle.current?.(begin)}
        />
        {location.atMs === null ? <MenuButton text="New" icon="add" actions={addActions} /> : null}
      </div>
      {upload.shown}
      {view === undefined || (view.state === 'reading' && rows.length === 0 && location.filter === '') ? (
        <SkeletonRows />
      ) : view.state === 'failed' ? (
        <FolderFailure view={view} folder={location.folder} onAgain={() => store.open(location.folder)} />
      ) : rows.length === 0 ? (
        <EmptyFolder location={location} mirror={mirrors[0] ?? null} inFolder={view.entries.length} />
      ) : (
        <FileRows
          workspaceId={workspaceId}
          folder={location.folder}
          mirrors={mirrors}
          isComplete={view.state === 'ready'}
          sort={sort}
          onSort={(next) =>
            onGo(
              location.file ?? location.folder,
              location.file === null ? 'dir' : 'file',
              { filter: location.filter, sort: sortText(next) },
              true,
            )
          }
          choice={choice}
          marks={marks}
          actionsOf={(entry) => {
            if (entry === undefined) return addActions;
            const mark: RowAction = {
              text: marks.marked.has(entry.path) ? 'Deselect' : 'Select',
              icon: 'fine',
              shortcut: 'X',
              run: () => marks.toggle(entry.path),
            };
            return [...changes.actionsOf(entry), mark];
          }}
          onKeyDown={onKeyDown}
        />
      )}
      <SelectionBar selection={marks} of={rows.length}>
        <Button shortcut="F2" disabledReason={disabledReason} onClick={() => changes.move(marks.rows)}>
          Move…
        </Button>
        <Button shortcut="Del" disabledReason={disabledReason} onClick={() => changes.remove(marks.rows)}>
          Delete
        </Button>
      </SelectionBar>
      {marks.rows.length > 0 ? null : (
        <div className="pane-foot">
          <ListFoot view={view} shown={rows.length} filtered={location.filter !== ''} />
          {foot}
        </div>
      )}
    </section>
  );
}

const noEntries: readonly TreeEntry[] = [];

/** The entries that match, in the order that was chosen. Typing does not sort again. */
function useShown(
  entries: readonly TreeEntry[],
  filter: string,
  sort: Sort<FileColumn> | null,
): readonly TreeEntry[] {
  const sorted = useMemo(() => sortedEntries(entries, sort), [entries, sort]);
  const names = useMemo(() => new NameFilter(sorted), [sorted]);
  return useMemo(() => names.matching(filter), [names, filter]);
}

function FileRows({
  workspaceId,
  folder,
  mirrors,
  isComplete,
  sort,
  onSort,
  choice,
  marks,
  actionsOf,
  onKeyDown,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly mirrors: readonly Mirror[];
  /** All entries are loaded. */
  readonly isComplete: boolean;
  readonly sort: Sort<FileColumn> | null;
  readonly onSort: (sort: Sort<FileColumn>) => void;
  readonly choice: RowChoice;
  readonly marks: Marks;
  /** undefined: beside the rows. */
  readonly actionsOf: (entry: TreeEntry | undefined) => readonly RowAction[];
  readonly onKeyDown: (event: KeyboardEvent) => void;
}): ReactElement {
  const { rows, virtual, currentIndex, select, enter } = choice;
  const layout = useColumns('files', fileColumns);
  const [clicked, setClicked] = useState<number | null>(null);
  const entry = clicked === null ? undefined : rows[clicked];
  const visible = virtual.items.flatMap(({ index }) => rows[index] ?? []);
  const states = usePathStates(
    workspaceId,
    visible.map((each) => each.path),
    mirrors,
  );
  const actors = useFolderActors(
    workspaceId,
    folder,
    visible.map((each) => each.revision),
  );
  return (
    <RowContextMenu actions={actionsOf(entry)} onOpen={setClicked}>
      <RowFrame
        role="grid"
        aria-label={`Files in ${folder}`}
        aria-rowcount={isComplete ? rows.length : -1}
        aria-colcount={layout.shown.length}
        layout={layout}
        heads={<ColumnHeads layout={layout} sort={sort ?? { id: 'name', isDown: false }} onSort={onSort} />}
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
            actor={actors.get(row.revision) ?? null}
            mirrors={mirrors}
            isMarked={marks.rows.length === 0 ? null : marks.marked.has(row.path)}
            onMark={() => marks.toggle(row.path)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey) marks.toggle(row.path);
              else if (event.shiftKey) marks.rangeTo(row);
              else if (row.type === 'dir') enter(row);
              else select(item.index);
            }}
          />
        )}
      </RowFrame>
    </RowContextMenu>
  );
}
