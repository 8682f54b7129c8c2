// The entries of a folder, virtualized: folders first, then files.
import { type KeyboardEvent, type ReactElement, type RefObject, useMemo } from 'react';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import type { FolderStore, FolderView } from '../../api/folder-store.ts';
import type { FilesLocation } from '../../location/app-location.ts';
import { nameOf } from '../../model/files/path.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { movedIndex } from '../../parts/tables/use-virtual-rows.ts';
import { EmptyFolder } from './empty-folder.tsx';
import { FileRows } from './file-rows.tsx';
import { FolderButton } from './folder-button.tsx';
import { ListFoot } from './list-foot.tsx';
import type { Go } from './navigation.ts';
import { useRowChoice } from './use-row-choice.ts';

const pageRows = 12;

export interface FileListProps {
  readonly workspaceId: string;
  readonly store: FolderStore;
  readonly location: FilesLocation;
  /** The mirrors of the workspace. */
  readonly mirrors: readonly Mirror[];
  /** Controls at the end of the foot. */
  readonly foot: ReactElement;
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** Set to a function that focuses the list; `begin` also selects the first row if none is selected. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onGo: Go;
  readonly onEnterFile: () => void;
}

export function FileList(props: FileListProps): ReactElement {
  const { workspaceId, store, location, mirrors, foot, filterField, focusHandle, onGo, onEnterFile } = props;
  const view = store.view(location.folder);
  const rows = useFiltered(view?.entries ?? [], location.filter);
  const choice = useRowChoice({ rows, location, focusHandle, onGo, onEnterFile });
  const { current, currentIndex, select, enter, leave } = choice;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedIndex(event.key, currentIndex, rows.length, pageRows);
    if (moved !== null) select(moved);
    else if (event.key === 'Enter' || (event.key === 'ArrowRight' && current?.type === 'dir')) enter(current);
    else if ((event.key === 'ArrowLeft' || event.key === 'Backspace') && location.folder !== '/') leave();
    else return;
    event.preventDefault();
  };
  return (
    <section className="pane list" aria-label="Files">
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
      </div>
      <ColumnHeads isMirrored={mirrors.length > 0} />
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
          choice={choice}
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

function useFiltered(entries: readonly TreeEntry[], filter: string): readonly TreeEntry[] {
  return useMemo(() => {
    const text = filter.trim().toLowerCase();
    return text === '' ? entries : entries.filter((entry) => nameOf(entry.path).toLowerCase().includes(text));
  }, [entries, filter]);
}

function ColumnHeads({ isMirrored }: { readonly isMirrored: boolean }): ReactElement {
  return (
    <div className={isMirrored ? 'grid-head list-head mirrored' : 'grid-head list-head'} aria-hidden="true">
      <span>Name</span>
      <span className="number">Size</span>
      <span>Changed</span>
      <span>Revision</span>
      {isMirrored ? <span>Mirror</span> : null}
    </div>
  );
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
