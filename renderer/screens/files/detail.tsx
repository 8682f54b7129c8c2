// The detail pane of a file: its views, its editor and its actions. It follows changes of the file, and keeps a deleted one visible.
import { type ReactElement, type ReactNode, type RefObject, useEffect } from 'react';
import { NotFoundError, type PathState } from '../../../sdk/index.ts';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useProviders } from '../../api/outbound.ts';
import { usePathStates } from '../../api/path-states.ts';
import { type FileQuery, useFile } from '../../api/use-file.ts';
import { type FilesLocation, filesHref } from '../../location/app-location.ts';
import { savingNotes } from '../../model/files/edit-view.ts';
import { shownSize } from '../../model/files/stored-size.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { FileContent, preloadView } from '../../parts/feedback/file-content.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathStatus } from '../../parts/feedback/path-status.tsx';
import { readingRegionId } from '../../parts/feedback/reading-region.tsx';
import { UnloadedFile } from '../../parts/feedback/unloaded-file.tsx';
import { PaneGrip, type Panes } from '../../parts/tables/use-panes.tsx';
import { DetailsView } from './details-view.tsx';
import { Editor } from './edit/editor.tsx';
import { LeaveDialog, useUnsavedChangesPrompt } from './edit/leave-dialog.tsx';
import { type Edit, useEdit } from './edit/use-edit.ts';
import { ExplainView } from './explain-view.tsx';
import { type FileActions, FileFoot } from './file-foot.tsx';
import { FileHead } from './file-head.tsx';
import { HistoryView } from './history/history.tsx';
import type { RestoreResult } from './point-in-time/as-of-controls.tsx';
import { PointInTimeFile } from './point-in-time/point-in-time-file.tsx';

export interface FileDetailProps {
  readonly panes: Panes;
  readonly workspaceId: string;
  readonly location: FilesLocation;
  readonly entry: TreeEntry | undefined;
  readonly mirrors: readonly Mirror[];
  /** Set to the actions of the open file, for the keys of the screen. */
  readonly actions: RefObject<FileActions | null>;
  readonly onView: (view: FilesLocation['view']) => void;
  readonly onRestored: (result: RestoreResult) => void;
  readonly onClose: () => void;
}

export function FileDetail(props: FileDetailProps): ReactElement {
  const { location } = props;
  return (
    <section className="pane detail" aria-label="File">
      <PaneGrip panes={props.panes} id="list" />
      {location.file === null ? (
        <div className="empty">
          <p>No file selected. Use J/K or the arrow keys; press Enter to open.</p>
        </div>
      ) : location.atMs === null ? (
        <OpenFile {...props} path={location.file} />
      ) : (
        <PointInTimeFile {...props} path={location.file} atMs={location.atMs} view={location.view} />
      )}
    </section>
  );
}

type OpenFileProps = FileDetailProps & { readonly path: string };

function OpenFile(props: OpenFileProps): ReactElement {
  const { workspaceId, location, entry, mirrors, onView, onClose, path } = props;
  const state = usePathStates(workspaceId, [path], mirrors).get(path);
  useEffect(() => preloadView(path), [path]);
  const query = useFile({ workspaceId, path, sizeBytes: entry === undefined ? 0 : shownSize(entry) });
  const { file } = query;
  const isDeleted = query.error instanceof NotFoundError;
  const edit = useEdit({ workspaceId, path, file, isDeleted });
  const hasUnsaved = edit.unsaved !== null;
  const isEditing = location.view === 'content' && edit.open && file !== undefined;
  return (
    <>
      <FileHead
        path={path}
        file={file}
        view={location.view}
        unsaved={hasUnsaved}
        state={<PathStatus state={state} mirrors={mirrors} pill />}
        onView={onView}
        onClose={onClose}
      />
      {/* The editor has its own note if there are unsaved changes. */}
      {isDeleted && file !== undefined && !(isEditing && hasUnsaved) ? (
        <DeletedNote revision={file.revision} />
      ) : null}
      <EditedFile {...props} edit={edit} isEditing={isEditing}>
        <div className="detail-body">
          <FileBody
            workspaceId={workspaceId}
            path={path}
            view={location.view}
            line={location.line}
            revision={entry?.revision ?? null}
            query={query}
            state={state}
            mirrors={mirrors}
            isDeleted={isDeleted}
            onView={onView}
          />
        </div>
        {location.view === 'history' ? null : (
          <FileFoot
            workspaceId={workspaceId}
            path={path}
            file={file}
            mirror={mirrors[0] ?? null}
            editDisabledReason={edit.disabledReason}
            actions={props.actions}
            onEdit={() => {
              edit.begin();
              onView('content');
            }}
          />
        )}
      </EditedFile>
    </>
  );
}

/** The editor while the file is edited, `children` otherwise; prompts before unsaved changes are left. */
function EditedFile({
  workspaceId,
  path,
  mirrors,
  edit,
  isEditing,
  children,
}: Pick<OpenFileProps, 'workspaceId' | 'path' | 'mirrors'> & {
  readonly edit: Edit;
  readonly isEditing: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const hasUnsaved = edit.unsaved !== null;
  const [leaving, setLeaving] = useUnsavedChangesPrompt(hasUnsaved, filesHref(workspaceId, path, 'file'));
  const providers = useProviders(workspaceId).data?.providers ?? [];
  const notes = savingNotes(
    path,
    mirrors[0] ?? null,
    providers.map(({ provider }) => provider),
  );
  const stop = (): void => {
    edit.stop();
    requestAnimationFrame(() => document.getElementById(readingRegionId)?.focus());
  };
  return (
    <>
      {isEditing ? (
        <Editor
          workspaceId={workspaceId}
          path={path}
          edit={edit}
          notes={notes}
          onStop={() => (hasUnsaved ? setLeaving({ leave: stop }) : stop())}
        />
      ) : (
        children
      )}
      {leaving === null ? null : (
        <LeaveDialog path={path} edit={edit} leaving={leaving} onClose={() => setLeaving(null)} />
      )}
    </>
  );
}

function DeletedNote({ revision }: { readonly revision: string }): ReactElement {
  return (
    <div className="note-line" role="status">
      <Icon of="warning" small />
      This file was deleted. Showing {revision}, the last loaded revision.
    </div>
  );
}

function FileBody({
  workspaceId,
  path,
  view,
  line,
  revision,
  query,
  state,
  mirrors,
  isDeleted,
  onView,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly view: FilesLocation['view'];
  readonly line: number | null;
  /** null: not known. */
  readonly revision: string | null;
  readonly query: FileQuery;
  readonly state: PathState | undefined;
  readonly mirrors: readonly Mirror[];
  readonly isDeleted: boolean;
  readonly onView: (view: FilesLocation['view']) => void;
}): ReactElement | null {
  const { file } = query;
  if (view === 'history') return <HistoryView workspaceId={workspaceId} path={path} />;
  if (view === 'explain') return <ExplainView workspaceId={workspaceId} path={path} />;
  if (file !== undefined)
    return view === 'content' ? (
      <FileContent workspaceId={workspaceId} file={file} shown={{ line }} />
    ) : (
      <DetailsView workspaceId={workspaceId} file={file} state={state} mirrors={mirrors} />
    );
  if (isDeleted) {
    return (
      <div className="empty">
        <h2>No file at this path</h2>
        <p>The file was deleted or moved, or the link is wrong.</p>
        <div className="row">
          <Button shortcut="H" onClick={() => onView('history')}>
            Show history
          </Button>
        </div>
      </div>
    );
  }
  return <UnloadedFile key={path} path={path} query={query} bytesOf={{ workspaceId, revision }} />;
}
