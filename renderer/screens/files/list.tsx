// What one folder holds: folders first, then files. Only the rows in sight exist, however many there are.
import { Popover } from '@base-ui/react/popover';
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { type FolderStore, type FolderView, folderEntriesMax } from '../../api/folder-store.ts';
import { usePathStates } from '../../api/path-states.ts';
import type { FilesPlace } from '../../app-location.ts';
import { count, counted, duration } from '../../model/format.ts';
import { nameOf, parentOf } from '../../model/path.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorBlock } from '../../parts/error-block.tsx';
import { Icon } from '../../parts/icon.tsx';
import { movedIndex, useVirtualRows, type VirtualRows } from '../../parts/use-virtual-rows.ts';
import { EmptyFolder } from './empty-folder.tsx';
import { ListRow } from './list-row.tsx';
import { FolderTree } from './tree.tsx';

const rowPx = 32;
const pageRows = 12;
/** A reading that takes longer says how far it is. */
const quietMs = 1_000;

export interface FileListProps {
  readonly workspaceId: string;
  readonly store: FolderStore;
  readonly place: FilesPlace;
  /** The folders that show the workspace. */
  readonly mirrors: readonly Mirror[];
  /** What else stands in its foot. */
  readonly foot: ReactElement;
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** Filled with a function that puts the focus into the list; `begin` also selects the first row when none is. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onGo: (
    path: string,
    kind: 'file' | 'dir',
    extra?: Partial<Pick<FilesPlace, 'view' | 'filter'>>,
    replace?: boolean,
  ) => void;
  readonly onEnterFile: () => void;
}

export function FileList(props: FileListProps): ReactElement {
  const { workspaceId, store, place, mirrors, foot, filterField, focusHandle, onGo, onEnterFile } = props;
  const mirrored = mirrors.length > 0;
  const view = store.view(place.folder);
  const rows = useFiltered(view?.entries ?? [], place.filter);
  // A folder's row can be current without being open; a file that is current is open.
  const [currentFolder, setCurrentFolder] = useState<string | null>(null);
  const current = place.file ?? currentFolder;
  const currentIndex = useMemo(() => rows.findIndex((row) => row.path === current), [rows, current]);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current: currentIndex });
  const { scrollTo } = virtual;
  // A link to a file deep in a large folder: its row comes into sight once, when it is known.
  const [shownFor, setShownFor] = useState<string | null>(null);
  useEffect(() => {
    if (place.file === null || currentIndex < 0 || shownFor === place.file) return;
    setShownFor(place.file);
    scrollTo(currentIndex);
  }, [place.file, currentIndex, shownFor, scrollTo]);

  const select = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    setShownFor(row.path);
    if (row.type === 'dir') {
      setCurrentFolder(row.path);
      if (place.file !== null) onGo(place.folder, 'dir', { filter: place.filter }, true);
    } else {
      onGo(row.path, 'file', { filter: place.filter }, place.file !== null);
    }
    virtual.focus(index);
  };
  const setFilter = (filter: string): void =>
    onGo(place.file ?? place.folder, place.file === null ? 'dir' : 'file', { filter }, true);
  const enter = (row: TreeEntry | undefined): void => {
    if (row === undefined) return;
    if (row.type === 'file') {
      select(rows.indexOf(row));
      onEnterFile();
      return;
    }
    setCurrentFolder(null);
    onGo(row.path, 'dir');
  };
  useLayoutEffect(() => {
    focusHandle.current = (begin) => {
      if (currentIndex >= 0) virtual.focus(currentIndex);
      else if (begin) select(0);
      else if (rows.length > 0) virtual.focus(0);
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedIndex(event.key, currentIndex, rows.length, pageRows);
    const row = rows[currentIndex];
    if (moved !== null) select(moved);
    else if (event.key === 'Enter') enter(row);
    else if (event.key === 'ArrowRight' && row?.type === 'dir') enter(row);
    else if ((event.key === 'ArrowLeft' || event.key === 'Backspace') && place.folder !== '/') {
      setCurrentFolder(place.folder);
      onGo(parentOf(place.folder), 'dir');
    } else return;
    event.preventDefault();
  };
  return (
    <section className="pane list" aria-label="Files">
      <div className="pane-head">
        <FolderButton store={store} folder={place.folder} onOpen={(path) => onGo(path, 'dir')} />
        <div className="search grow">
          <Icon of="search" small />
          <input
            ref={filterField}
            className="input"
            type="text"
            aria-label="Filter this folder by name"
            placeholder="Filter this folder"
            autoComplete="off"
            spellCheck={false}
            value={place.filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                event.preventDefault();
                setFilter('');
                // The rows that the filter hid are there with the next rendering.
                requestAnimationFrame(() => focusHandle.current?.(false));
              } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
                event.preventDefault();
                if (rows.length > 0) select(Math.max(0, currentIndex));
              }
            }}
          />
        </div>
      </div>
      <div className={mirrored ? 'list-head mirrored' : 'list-head'} aria-hidden="true">
        <span>Name</span>
        <span className="number">Size</span>
        <span>Changed</span>
        <span>Revision</span>
        {mirrored ? <span>Mirror</span> : null}
      </div>
      {view === undefined || (view.state === 'reading' && rows.length === 0 && place.filter === '') ? (
        <SkeletonRows />
      ) : view.state === 'failed' ? (
        <div className="binary">
          <ErrorBlock
            tone="warn"
            cause={view.failure?.text ?? 'The folder could not be read.'}
            path={<span className="mono">{place.folder}</span>}
            next={<Button onClick={() => store.open(place.folder)}>Read it again</Button>}
            retry={
              view.failure?.unreachable
                ? 'By itself, when the agent answers again.'
                : 'None by itself: the agent answered with an error.'
            }
          />
        </div>
      ) : rows.length === 0 ? (
        <EmptyFolder place={place} mirror={mirrors[0] ?? null} inFolder={view.entries.length} />
      ) : (
        <FileRows
          workspaceId={workspaceId}
          folder={place.folder}
          mirrors={mirrors}
          rows={rows}
          known={view.state === 'ready'}
          current={current}
          currentIndex={currentIndex}
          virtual={virtual}
          onKeyDown={onKeyDown}
          onSelect={select}
          onEnter={enter}
        />
      )}
      <div className="pane-foot">
        <Footing view={view} shown={rows.length} filtered={place.filter !== ''} />
        {foot}
      </div>
    </section>
  );
}

/** The rows in sight, each with its state in the mirrors. */
function FileRows({
  workspaceId,
  folder,
  mirrors,
  rows,
  known,
  current,
  currentIndex,
  virtual,
  onKeyDown,
  onSelect,
  onEnter,
}: Pick<FileListProps, 'workspaceId' | 'mirrors'> & {
  readonly folder: string;
  readonly rows: readonly TreeEntry[];
  /** All of them are read. */
  readonly known: boolean;
  readonly current: string | null;
  readonly currentIndex: number;
  readonly virtual: VirtualRows;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onSelect: (index: number) => void;
  readonly onEnter: (row: TreeEntry) => void;
}): ReactElement {
  const inSight = virtual.items.flatMap(({ index }) => rows[index]?.path ?? []);
  const states = usePathStates(workspaceId, inSight, mirrors);
  return (
    <div ref={virtual.scroller} className="scroller">
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot leave out the rows that are out of sight */}
      <div
        role="grid"
        aria-label={`Files in ${folder}`}
        aria-rowcount={known ? rows.length : -1}
        aria-colcount={mirrors.length > 0 ? 5 : 4}
        className="rail"
        style={{ height: virtual.totalPx }}
        onKeyDown={onKeyDown}
      >
        {virtual.items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <ListRow
              key={row.path}
              entry={row}
              index={item.index}
              startPx={item.start}
              selected={row.path === current}
              tabStop={item.index === Math.max(0, currentIndex)}
              state={states.get(row.path)}
              mirrors={mirrors}
              onSelect={() => onSelect(item.index)}
              onEnter={() => onEnter(row)}
            />
          );
        })}
      </div>
    </div>
  );
}

function useFiltered(entries: readonly TreeEntry[], filter: string): readonly TreeEntry[] {
  return useMemo(() => {
    const text = filter.trim().toLowerCase();
    return text === '' ? entries : entries.filter((entry) => nameOf(entry.path).toLowerCase().includes(text));
  }, [entries, filter]);
}

function Footing({
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
    const tookMs = Date.now() - view.sinceMs;
    if (tookMs < quietMs) return null;
    const perSecond = (here * 1000) / tookMs;
    const { totalFiles } = view;
    const leftMs = perSecond > 0 && totalFiles !== null ? ((totalFiles - here) * 1000) / perSecond : 0;
    return (
      <span>
        Reading{totalFiles === null ? '' : ` ${counted(totalFiles, 'file')}`}: {count(here)} so far,{' '}
        {count(Math.round(perSecond))}/s
        {leftMs > 0 ? `, ${duration(leftMs)} left` : ''}
      </span>
    );
  }
  return (
    <>
      <span>
        {filtered
          ? `${count(shown)} of ${counted(here, 'entry', 'entries')} match`
          : counted(here, 'entry', 'entries')}
      </span>
      {view.totalFiles === null || view.totalFiles === here ? null : (
        <span>{counted(view.totalFiles, 'file')} in all below</span>
      )}
      {view.cut ? <span>Only the first {count(folderEntriesMax)} are shown.</span> : null}
    </>
  );
}

function FolderButton({
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
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="button when-narrow" title={folder}>
        <Icon of="folder" small />
        {folder === '/' ? 'All folders' : nameOf(folder)}
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
  );
}

function SkeletonRows(): ReactElement {
  return (
    <div className="skeleton-rows" aria-hidden="true">
      {Array.from({ length: 14 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all the same and never move
        <div key={index}>
          <span className={`skeleton w${(index % 4) + 1}`} />
          <span className="skeleton short" />
        </div>
      ))}
    </div>
  );
}
