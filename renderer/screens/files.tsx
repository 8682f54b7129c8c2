// What is in the workspace? Tree, list, detail; the address holds the place.
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Mirror, Workspace } from '../../server/contract/workspaces.ts';
import { useFolders, useOpenFolder, useStatus } from '../api/services.ts';
import { type FilesPlace, filesHref, useFilesPlace } from '../app-location.ts';
import { useKeys } from '../keys.ts';
import { announce } from '../parts/announcer.tsx';
import { copyText } from '../parts/copy.tsx';
import { enterReading } from '../parts/reading-region.tsx';
import { rememberWorkspace, useChosenWorkspace } from '../workspace-choice.ts';
import { FileDetail } from './files/detail.tsx';
import type { FileActions } from './files/file-foot.tsx';
import { FileList } from './files/list.tsx';
import { type Done, FolderPast } from './files/past/folder-past.tsx';
import { PastBanner } from './files/past/past-banner.tsx';
import { FolderTree } from './files/tree.tsx';

export function FilesScreen(): ReactElement {
  const status = useStatus();
  const { workspace, missing } = useChosenWorkspace(status?.workspaces ?? []);
  const workspaceId = workspace?.workspaceId ?? null;
  useEffect(() => {
    if (workspaceId !== null) rememberWorkspace(workspaceId);
  }, [workspaceId]);
  if (workspace !== null) return <WorkspaceFiles key={workspace.workspaceId} workspace={workspace} />;
  return (
    <div className="empty">
      <h1 className="reader-only">Files</h1>
      {status === null ? (
        <p>Waiting for the agent.</p>
      ) : missing !== null ? (
        <>
          <h2>No workspace has this id</h2>
          <p>
            <span className="mono">{missing}</span> was deleted, or belongs to another agent.
          </p>
          <Link href="/overview">Go to the overview</Link>
        </>
      ) : (
        <>
          <h2>There is no workspace yet</h2>
          <p>A workspace holds the files of a mirrored folder, and what programs write through the API.</p>
          <Link href="/overview?new=mirror">Mirror a folder…</Link>
        </>
      )}
    </div>
  );
}

const noMirrors: readonly Mirror[] = [];

/** The folders that show this workspace. */
function useMirrors(all: readonly Mirror[] = noMirrors, workspaceId: string): readonly Mirror[] {
  return useMemo(() => all.filter((mirror) => mirror.workspaceId === workspaceId), [all, workspaceId]);
}

function WorkspaceFiles({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useFilesPlace();
  const [, navigate] = useLocation();
  const { atMs } = place;
  const store = useFolders(workspaceId, atMs);
  const [restored, setRestored] = useState<Done | null>(null);
  useOpenFolder(store, place.folder);
  const status = useStatus();
  const mirrors = useMirrors(status?.mirrors, workspaceId);
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const actions = useRef<FileActions | null>(null);

  const go = useCallback(
    (
      path: string,
      kind: 'file' | 'dir',
      extra: Partial<Pick<FilesPlace, 'view' | 'filter' | 'atMs'>> = {},
      replace = false,
    ) => navigate(filesHref(workspaceId, path, kind, { view: place.view, atMs, ...extra }), { replace }),
    [navigate, workspaceId, place.view, atMs],
  );
  const closeFile = (): void => go(place.folder, 'dir', { filter: place.filter });
  const goTo = (moment: number | null): void =>
    go(place.file ?? place.folder, place.file === null ? 'dir' : 'file', { atMs: moment });
  const backWith = (done: Done): void => {
    setRestored(done);
    announce(done.text);
    goTo(null);
  };
  const setView = (view: FilesPlace['view']): void => {
    if (place.file !== null) go(place.file, 'file', { view, filter: place.filter }, true);
  };
  useKeys({
    '/': () => filterField.current?.select(),
    j: () => listFocus.current?.(true),
    k: () => listFocus.current?.(true),
    ArrowDown: () => listFocus.current?.(true),
    ArrowUp: () => listFocus.current?.(true),
    c: () => void copyText(place.file ?? place.folder, 'the path'),
    d: () => actions.current?.download(),
    e: () => actions.current?.edit(),
    o: () => actions.current?.show(),
    i: () => setView(place.view === 'content' ? 'details' : 'content'),
    h: () => setView(place.view === 'history' ? 'content' : 'history'),
    y: () => atMs === null && setView(place.view === 'explain' ? 'content' : 'explain'),
    Escape: () => {
      // From the detail back to its row; from the row back to the folder.
      const inList = document.activeElement?.closest('.list') !== null;
      if (place.file !== null && inList) closeFile();
      listFocus.current?.(false);
    },
  });
  return (
    <div className={`files${place.file === null ? '' : ' with-detail'}${atMs === null ? '' : ' past'}`}>
      <h1 className="reader-only">Files in {workspace.name}</h1>
      {atMs === null ? null : (
        <PastBanner
          workspaceId={workspaceId}
          folder={place.folder}
          atMs={atMs}
          onNow={() => goTo(null)}
          onRestored={backWith}
        />
      )}
      <section className="pane tree" aria-labelledby="folders-title">
        <div className="pane-head">
          <h2 id="folders-title">Folders</h2>
        </div>
        <FolderTree
          store={store}
          current={place.folder}
          onOpen={(path) => go(path, 'dir')}
          onEnter={() => listFocus.current?.(true)}
        />
      </section>
      <FileList
        workspaceId={workspaceId}
        store={store}
        place={place}
        mirrors={atMs === null ? mirrors : noMirrors}
        foot={
          <FolderPast
            workspaceId={workspaceId}
            folder={place.folder}
            atMs={atMs}
            keys={place.file === null}
            done={restored}
            onDone={setRestored}
            onMoment={goTo}
          />
        }
        filterField={filterField}
        focusHandle={listFocus}
        onGo={go}
        onEnterFile={enterReading}
      />
      <FileDetail
        key={`${place.file} ${atMs}`}
        workspaceId={workspaceId}
        place={place}
        entry={place.file === null ? undefined : store.find(place.file)}
        mirrors={mirrors}
        actions={actions}
        onView={setView}
        onRestored={backWith}
        onClose={closeFile}
      />
    </div>
  );
}
