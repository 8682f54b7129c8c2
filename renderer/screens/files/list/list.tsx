// The list of a folder: its entries, virtualized, folders first; its empty state, and the number of entries below it.
import { type KeyboardEvent, type ReactElement, type RefObject, useMemo, useState } from 'react';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';
import { type FolderStore, type FolderView, folderEntriesMax } from '../../../api/folder-store.ts';
import { usePathStates } from '../../../api/path-states.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import {
  type FileColumn,
  fileColumns,
  namesComparedMax,
  sortedEntries,
} from '../../../model/files/file-columns.ts';
import { inFolder, nameOf } from '../../../model/files/path.ts';
import { count, duration, plural } from '../../../model/format.ts';
import { sortableIds } from '../../../model/tables/column-layout.ts';
import { type Sort, sortOf, sortText } from '../../../model/tables/sorting.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { CopyButton } from '../../../parts/buttons/copy.tsx';
import { MenuButton, type RowAction, RowContextMenu } from '../../../parts/buttons/row-menu.tsx';
import { ErrorBlock } from '../../../parts/feedback/error-block.tsx';
import { FilterField } from '../../../parts/fields/filter-field.tsx';
import { ColumnHeads } from '../../../parts/tables/column-heads.tsx';
import { RowFrame, rowPosition } from '../../../parts/tables/grid.tsx';
import { SkeletonRows } from '../../../parts/tables/skeleton-rows.tsx';
import { useColumns } from '../../../parts/tables/use-columns.ts';
import { PaneGrip, type Panes } from '../../../parts/tables/use-panes.tsx';
import { movedIndex } from '../../../parts/tables/use-virtual-rows.ts';
import type { FileChanges } from '../change/use-changes.tsx';
import type { UploadControls } from '../change/use-upload.tsx';
import type { Go } from '../navigation.ts';
import { ListRow } from './list-row.tsx';
import { FolderButton } from './tree.tsx';
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
  const { disabledReason } = changes;
  const addActions: readonly RowAction[] = [
    { text: 'New file…', icon: 'created', shortcut: 'N', disabledReason, run: changes.newFile },
    { text: 'New folder…', icon: 'folder', disabledReason, run: changes.newFolder },
    { text: 'Upload files…', icon: 'upload', disabledReason, run: upload.choose },
    { text: 'Recently deleted…', icon: 'deleted', run: changes.showDeleted },
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedIndex(event.key, currentIndex, rows.length, pageRows);
    if (moved !== null) select(moved);
    else if (event.key === 'F2' && current !== undefined) changes.move(current);
    else if (event.key === 'Delete' && current !== undefined) changes.remove(current);
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
          actionsOf={(entry) => (entry === undefined ? addActions : changes.actionsOf(entry))}
          onKeyDown={onKeyDown}
        />
      )}
      <div className="pane-foot">
        <ListFoot view={view} shown={rows.length} filtered={location.filter !== ''} />
        {foot}
      </div>
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
  return useMemo(() => {
    const text = filter.trim().toLowerCase();
    return text === '' ? sorted : sorted.filter((entry) => nameOf(entry.path).toLowerCase().includes(text));
  }, [sorted, filter]);
}

function FolderFailure({
  view,
  folder,
  onAgain,
}: {
  readonly view: FolderView;
  readonly folder: string;
  readonly onAgain: () => void;
}): ReactElement {
  return (
    <div className="binary">
      <ErrorBlock
        tone="warn"
        cause={view.failure?.text ?? 'The folder could not be loaded.'}
        path={<span className="mono">{folder}</span>}
        next={<Button onClick={onAgain}>Retry</Button>}
        retry={
          view.failure?.unreachable
            ? 'Retries automatically when the agent responds'
            : 'No automatic retry: the agent returned an error.'
        }
      />
    </div>
  );
}

function EmptyFolder({
  location,
  mirror,
  inFolder: entries,
}: {
  readonly location: FilesLocation;
  readonly mirror: Mirror | null;
  /** Number of entries that the filter hides. */
  readonly inFolder: number;
}): ReactElement {
  if (entries > 0) {
    return (
      <div className="empty">
        <h2>No files match “{location.filter}”</h2>
        <p>{plural(entries, 'entry', 'entries')} in this folder. Press Esc to clear the filter.</p>
      </div>
    );
  }
  if (location.atMs !== null) {
    return (
      <div className="empty">
        <h2>No files here at this time</h2>
        <p>Files were added later or already deleted. Choose another time with “As of…”.</p>
      </div>
    );
  }
  const dir = mirror === null ? null : inFolder(mirror.dir, location.folder === '/' ? '' : location.folder);
  return (
    <div className="empty">
      <h2>No files in this folder</h2>
      {dir === null ? (
        <p>Create or upload one with “New”, drop files here, or mirror a folder into this workspace.</p>
      ) : (
        <>
          <p>Save a file in the folder, or create one with “New”. Empty folders are not stored.</p>
          <div className="code-line">
            <code className="code">{dir}</code>
            <CopyButton text={dir} what="the folder" />
          </div>
        </>
      )}
    </div>
  );
}

/** A longer load shows its progress. */
const progressAfterMs = 1_000;

function ListFoot({
  view,
  shown,
  filtered,
}: {
  readonly view: FolderView | undefined;
  readonly shown: number;
  readonly filtered: boolean;
}): ReactElement | null {
  if (view === undefined || view.state === 'failed') return null;
  const here = view.entries.length;
  if (view.state === 'reading') {
    const tookMs = Date.now() - view.loadBeganMs;
    if (tookMs < progressAfterMs) return null;
    const perSecond = (here * 1000) / tookMs;
    const { totalFiles } = view;
    const leftMs = perSecond > 0 && totalFiles !== null ? ((totalFiles - here) * 1000) / perSecond : 0;
    return (
      <span>
        Loading{totalFiles === null ? '' : ` ${plural(totalFiles, 'file')}`}: {count(here)} loaded,{' '}
        {count(Math.round(perSecond))} per second
        {leftMs > 0 ? `, ${duration(leftMs)} left` : ''}
      </span>
    );
  }
  return (
    <>
      <span>
        {filtered
          ? `${count(shown)} of ${plural(here, 'entry', 'entries')} match`
          : plural(here, 'entry', 'entries')}
      </span>
      {here > namesComparedMax && !filtered ? <span>Names in the order of their characters</span> : null}
      {view.totalFiles === null || view.totalFiles === here ? null : (
        <span>{plural(view.totalFiles, 'file')} including subfolders</span>
      )}
      {view.cut ? <span>First {count(folderEntriesMax)} shown</span> : null}
    </>
  );
}

function FileRows({
  workspaceId,
  folder,
  mirrors,
  isComplete,
  sort,
  onSort,
  choice,
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
  /** undefined: beside the rows. */
  readonly actionsOf: (entry: TreeEntry | undefined) => readonly RowAction[];
  readonly onKeyDown: (event: KeyboardEvent) => void;
}): ReactElement {
  const { rows, virtual, currentIndex, select, enter } = choice;
  const layout = useColumns('files', fileColumns);
  const [clicked, setClicked] = useState<number | null>(null);
  const entry = clicked === null ? undefined : rows[clicked];
  const visible = virtual.items.flatMap(({ index }) => rows[index]?.path ?? []);
  const states = usePathStates(workspaceId, visible, mirrors);
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
            mirrors={mirrors}
            onSelect={() => select(item.index)}
            onEnter={() => enter(row)}
          />
        )}
      </RowFrame>
    </RowContextMenu>
  );
}
