// The Files screen: folder tree, list and detail of a workspace. The URL holds the location.
import { type ReactElement, type RefObject, useMemo, useRef, useState } from 'react';
import type { Mirror, Workspace } from '../../server/contract/workspaces.ts';
import type { ChangedEntry } from '../api/change-files.ts';
import { useFolders, useOpenFolder, useStatus } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { type FilesLocation, useFilesLocation } from '../location/app-location.ts';
import { Button } from '../parts/buttons/button.tsx';
import { copyText } from '../parts/buttons/copy.tsx';
import { announce } from '../parts/feedback/answers.ts';
import { focusReadingRegion } from '../parts/feedback/reading-region.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { detailMinPx, listPane, type Pane, usePanes } from '../parts/tables/use-panes.tsx';
import { useDragEntries } from './files/change/drag-entries.ts';
import { type FileChanges, useFileChanges } from './files/change/use-changes.tsx';
import { useUpload } from './files/change/use-upload.tsx';
import { FileDetail } from './files/detail.tsx';
import type { FileActions } from './files/file-foot.tsx';
import { FileList } from './files/list/list.tsx';
import { FolderTree, type FolderTreeProps } from './files/list/tree.tsx';
import type { MarkedRows } from './files/list/use-marks.ts';
import { type FilesNavigation, useFilesNavigation } from './files/navigation.ts';
import { AsOfControls, type RestoreResult } from './files/point-in-time/as-of-controls.tsx';
import { PointInTimeBanner } from './files/point-in-time/point-in-time-banner.tsx';

export function FilesScreen(): ReactElement {
  return (
    <OneWorkspace title="Files">
      {(workspace) => <WorkspaceFiles key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

const filePanes: readonly Pane[] = [{ id: 'tree', label: 'Width of the folders', minPx: 140 }, ...listPane];
const noMirrors: readonly Mirror[] = [];

/** The mirrors of this workspace. */
function useMirrors(all: readonly Mirror[] = noMirrors, workspaceId: string): readonly Mirror[] {
  return useMemo(() => all.filter((mirror) => mirror.workspaceId === workspaceId), [all, workspaceId]);
}

/** The targets of the keys of the screen. */
interface Handles {
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly listFocus: RefObject<((begin: boolean) => void) | null>;
  readonly actions: RefObject<FileActions | null>;
}

function WorkspaceFiles({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const location = useFilesLocation();
  const { atMs, folder, file } = location;
  const navigation = useFilesNavigation(workspaceId, location);
  const { go, closeFile, goToPointInTime, setView } = navigation;
  const store = useFolders(workspaceId, atMs);
  const [restoreResult, setRestoreResult] = useState<RestoreResult | null>(null);
  useOpenFolder(store, folder);
  const mirrors = useMirrors(useStatus()?.mirrors, workspaceId);
  const marks = useRef<MarkedRows | null>(null);
  const changes = useFileChanges(workspaceId, location, navigation, () => marks.current?.clear());
  const upload = useUpload(workspaceId, folder, changes.disabledReason);
  const handles = useFilesKeys(location, navigation, changes, marks);
  // A marked row takes all others along.
  const moveInto = (entry: ChangedEntry, target: string): void => {
    const marked = marks.current?.entries ?? [];
    const isMarked = marked.some(({ path }) => path === entry.path);
    changes.moveInto(isMarked ? marked.filter(({ path }) => path !== target) : [entry], target);
  };
  const drag = useDragEntries({ folder, onMove: moveInto, onFiles: upload.drop });
  const panes = usePanes('files', filePanes, detailMinPx);
  const onRestored = (result: RestoreResult): void => {
    setRestoreResult(result);
    announce(result.text);
    goToPointInTime(null);
  };
  return (
    <div
      ref={panes.frame}
      style={panes.style}
      {...drag.handlers}
      className={`files${file === null ? '' : ' with-detail'}${atMs === null ? '' : ' point-in-time'}`}
    >
      <h1 className="reader-only">Files in {workspace.name}</h1>
      {atMs === null ? null : (
        <PointInTimeBanner
          workspaceId={workspaceId}
          folder={folder}
          atMs={atMs}
          onNow={() => goToPointInTime(null)}
          onRestored={onRestored}
        />
      )}
      <FolderPane
        store={store}
        current={folder}
        onOpen={(path) => go(path, 'dir')}
        onEnter={() => handles.listFocus.current?.(true)}
        dropTarget={drag.over}
        onShowDeleted={changes.showDeleted}
      />
      <FileList
        panes={panes}
        workspaceId={workspaceId}
        store={store}
        location={location}
        mirrors={atMs === null ? mirrors : noMirrors}
        foot={
          <AsOfControls
            workspaceId={workspaceId}
            folder={folder}
            atMs={atMs}
            hasKeys={file === null}
            result={restoreResult}
            onResult={setRestoreResult}
            onChoose={goToPointInTime}
          />
        }
        changes={changes}
        upload={upload}
        isDropTarget={drag.over === folder}
        filterField={handles.filterField}
        focusHandle={handles.listFocus}
        marksHandle={marks}
        onGo={go}
        onEnterFile={focusReadingRegion}
      />
      <FileDetail
        panes={panes}
        key={`${file} ${atMs}`}
        workspaceId={workspaceId}
        location={location}
        entry={file === null ? undefined : store.find(file)}
        mirrors={mirrors}
        actions={handles.actions}
        onView={setView}
        onRestored={onRestored}
        onClose={closeFile}
      />
      {changes.dialog}
    </div>
  );
}

function FolderPane({
  dropTarget,
  onShowDeleted,
  ...props
}: FolderTreeProps & {
  /** The folder that a drop would go to. */
  readonly dropTarget: string | null;
  readonly onShowDeleted: () => void;
}): ReactElement {
  return (
    <section className="pane tree" aria-labelledby="folders-title">
      <div className="pane-head">
        <h2 id="folders-title">Folders</h2>
      </div>
      <FolderTree {...props} />
      <div className="pane-foot">
        {dropTarget === null ? (
          <Button kind="ghost" icon="deleted" onClick={onShowDeleted}>
            Recently deleted
          </Button>
        ) : (
          <span className="ellipsis" role="status">
            To {dropTarget}
          </span>
        )}
      </div>
    </section>
  );
}

function useFilesKeys(
  { file, folder, view, atMs }: FilesLocation,
  { closeFile, setView }: FilesNavigation,
  changes: FileChanges,
  marks: RefObject<MarkedRows | null>,
): Handles {
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const actions = useRef<FileActions | null>(null);
  /** The marked rows; without marks the open file. None: nothing happens. */
  const chosen = (): readonly ChangedEntry[] => {
    const marked = marks.current?.entries ?? [];
    return marked.length > 0 || file === null ? marked : [{ path: file, type: 'file' }];
  };
  /** The same key opens a view and returns to the content. */
  const toggleView = (wanted: FilesLocation['view']): void => setView(view === wanted ? 'content' : wanted);
  useKeys({
    ...keysIntoList(() => listFocus.current?.(true)),
    '/': () => filterField.current?.select(),
    c: () => void copyText(file ?? folder, 'the path'),
    d: () => actions.current?.download(),
    e: () => actions.current?.edit(),
    n: changes.newFile,
    F2: () => changes.move(chosen()),
    Delete: () => changes.remove(chosen()),
    x: () => marks.current?.markCurrent(),
    o: () => actions.current?.show(),
    i: () => setView(view === 'content' ? 'details' : 'content'),
    h: () => toggleView('history'),
    y: () => atMs === null && toggleView('explain'),
    Escape: () => {
      // From the detail to its row, from the row to the folder.
      if ((marks.current?.entries.length ?? 0) > 0) marks.current?.clear();
      else if (file !== null && closesDetail()) closeFile();
      listFocus.current?.(false);
    },
  });
  return { filterField, listFocus, actions };
}
