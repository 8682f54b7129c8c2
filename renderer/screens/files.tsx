// What is in the workspace? Tree, list, detail; the address holds the place.
import { type ReactElement, type RefObject, useMemo, useRef, useState } from 'react';
import type { Mirror, Workspace } from '../../server/contract/workspaces.ts';
import { useFolders, useOpenFolder, useStatus } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { type FilesLocation, useFilesLocation } from '../location/app-location.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { announce } from '../parts/feedback/announcer.tsx';
import { focusReadingRegion } from '../parts/feedback/reading-region.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { keysIntoList } from '../parts/tables/list-keys.ts';
import { FileDetail } from './files/detail.tsx';
import type { FileActions } from './files/file-foot.tsx';
import { FileList } from './files/list.tsx';
import { type FilesNavigation, useFilesNavigation } from './files/navigation.ts';
import { AsOfControls, type RestoreResult } from './files/point-in-time/as-of-controls.tsx';
import { PointInTimeBanner } from './files/point-in-time/point-in-time-banner.tsx';
import { FolderTree, type FolderTreeProps } from './files/tree.tsx';

export function FilesScreen(): ReactElement {
  return (
    <OneWorkspace title="Files">
      {(workspace) => <WorkspaceFiles key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

const noMirrors: readonly Mirror[] = [];

/** The folders that show this workspace. */
function useMirrors(all: readonly Mirror[] = noMirrors, workspaceId: string): readonly Mirror[] {
  return useMemo(() => all.filter((mirror) => mirror.workspaceId === workspaceId), [all, workspaceId]);
}

/** What the keys of the screen reach. */
interface Handles {
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly listFocus: RefObject<((begin: boolean) => void) | null>;
  readonly actions: RefObject<FileActions | null>;
}

function WorkspaceFiles({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useFilesLocation();
  const { atMs, folder, file } = place;
  const moves = useFilesNavigation(workspaceId, place);
  const { go, closeFile, goToPointInTime, setView } = moves;
  const store = useFolders(workspaceId, atMs);
  const [restored, setRestored] = useState<RestoreResult | null>(null);
  useOpenFolder(store, folder);
  const mirrors = useMirrors(useStatus()?.mirrors, workspaceId);
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const actions = useRef<FileActions | null>(null);
  useFilesKeys(place, moves, { filterField, listFocus, actions });
  const backWith = (done: RestoreResult): void => {
    setRestored(done);
    announce(done.text);
    goToPointInTime(null);
  };
  const past = { workspaceId, folder };
  return (
    <div className={`files${file === null ? '' : ' with-detail'}${atMs === null ? '' : ' past'}`}>
      <h1 className="reader-only">Files in {workspace.name}</h1>
      {atMs === null ? null : (
        <PointInTimeBanner {...past} atMs={atMs} onNow={() => goToPointInTime(null)} onRestored={backWith} />
      )}
      <FolderPane
        store={store}
        current={folder}
        onOpen={(path) => go(path, 'dir')}
        onEnter={() => listFocus.current?.(true)}
      />
      <FileList
        workspaceId={workspaceId}
        store={store}
        place={place}
        mirrors={atMs === null ? mirrors : noMirrors}
        foot={
          <AsOfControls
            {...past}
            atMs={atMs}
            keys={file === null}
            done={restored}
            onDone={setRestored}
            onMoment={goToPointInTime}
          />
        }
        filterField={filterField}
        focusHandle={listFocus}
        onGo={go}
        onEnterFile={focusReadingRegion}
      />
      <FileDetail
        key={`${file} ${atMs}`}
        workspaceId={workspaceId}
        place={place}
        entry={file === null ? undefined : store.find(file)}
        mirrors={mirrors}
        actions={actions}
        onView={setView}
        onRestored={backWith}
        onClose={closeFile}
      />
    </div>
  );
}

function FolderPane(props: FolderTreeProps): ReactElement {
  return (
    <section className="pane tree" aria-labelledby="folders-title">
      <div className="pane-head">
        <h2 id="folders-title">Folders</h2>
      </div>
      <FolderTree {...props} />
    </section>
  );
}

function useFilesKeys(
  { file, folder, view, atMs }: FilesLocation,
  { closeFile, setView }: FilesNavigation,
  { filterField, listFocus, actions }: Handles,
): void {
  /** The same key leads to a view and back to the content. */
  const turnTo = (wanted: FilesLocation['view']): void => setView(view === wanted ? 'content' : wanted);
  useKeys({
    ...keysIntoList(() => listFocus.current?.(true)),
    '/': () => filterField.current?.select(),
    c: () => void copyText(file ?? folder, 'the path'),
    d: () => actions.current?.download(),
    e: () => actions.current?.edit(),
    o: () => actions.current?.show(),
    i: () => setView(view === 'content' ? 'details' : 'content'),
    h: () => turnTo('history'),
    y: () => atMs === null && turnTo('explain'),
    Escape: () => {
      // From the detail back to its row; from the row back to the folder.
      const inList = document.activeElement?.closest('.list') !== null;
      if (file !== null && inList) closeFile();
      listFocus.current?.(false);
    },
  });
}
