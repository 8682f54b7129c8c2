// One file: its content or its details, and what can be done with it. It follows the file while it changes, and says
// so when it is deleted.
import type { ReactElement, RefObject } from 'react';
import { NotFoundError } from '../../../sdk/index.ts';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useProviders } from '../../api/outbound.ts';
import { usePathStates } from '../../api/path-states.ts';
import { type FilesLocation, filesHref } from '../../location/app-location.ts';
import { savingNotes } from '../../model/files/edit-view.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathStatus } from '../../parts/feedback/path-status.tsx';
import { readingRegionId } from '../../parts/feedback/reading-region.tsx';
import { Editor } from './edit/editor.tsx';
import { LeaveDialog, useUnsavedChangesPrompt } from './edit/leave-dialog.tsx';
import { useEdit } from './edit/use-edit.ts';
import { FileBody } from './file-body.tsx';
import { type FileActions, FileFoot } from './file-foot.tsx';
import { FileHead } from './file-head.tsx';
import type { RestoreResult } from './point-in-time/as-of-controls.tsx';
import { PointInTimeFile } from './point-in-time/point-in-time-file.tsx';
import { useFile } from './use-file.ts';

export interface FileDetailProps {
  readonly workspaceId: string;
  readonly place: FilesLocation;
  readonly entry: TreeEntry | undefined;
  readonly mirrors: readonly Mirror[];
  /** Filled with what keys do. */
  readonly actions: RefObject<FileActions | null>;
  readonly onView: (view: FilesLocation['view']) => void;
  /** Something of the past was brought back. */
  readonly onRestored: (done: RestoreResult) => void;
  readonly onClose: () => void;
}

export function FileDetail(props: FileDetailProps): ReactElement {
  const { place } = props;
  return (
    <section className="pane detail" aria-label="File">
      {place.file === null ? (
        <div className="empty">
          <p>No file is selected. J and K, or the arrows, move through the list; Enter opens.</p>
        </div>
      ) : place.atMs === null ? (
        <OpenFile {...props} path={place.file} />
      ) : (
        <PointInTimeFile {...props} path={place.file} atMs={place.atMs} view={place.view} />
      )}
    </section>
  );
}

type OpenFileProps = FileDetailProps & { readonly path: string };

function OpenFile(props: OpenFileProps): ReactElement {
  const { workspaceId, place, entry, mirrors, actions, onView, onClose, path } = props;
  const mirror = mirrors[0] ?? null;
  const state = usePathStates(workspaceId, [path], mirrors).get(path);
  const reading = useFile({ workspaceId, path, atMs: null, entry });
  const { file } = reading;
  const gone = reading.error instanceof NotFoundError;
  const edit = useEdit({ workspaceId, path, file, isDeleted: gone });
  const [leaving, setLeaving] = useUnsavedChangesPrompt(
    edit.unsaved !== null,
    filesHref(workspaceId, path, 'file'),
  );
  const providers = useProviders(workspaceId).data?.providers ?? [];
  const notes = savingNotes(
    path,
    mirror,
    providers.map(({ provider }) => provider),
  );
  const stop = (): void => {
    edit.stop();
    requestAnimationFrame(() => document.getElementById(readingRegionId)?.focus());
  };
  const editing = place.view === 'content' && edit.open && file !== undefined;
  return (
    <>
      <FileHead
        path={path}
        file={file}
        view={place.view}
        unsaved={edit.unsaved !== null}
        state={<PathStatus state={state} mirrors={mirrors} pill />}
        onView={onView}
        onClose={onClose}
      />
      {/* Unsaved text speaks for itself there. */}
      {gone && file !== undefined && !(editing && edit.unsaved !== null) ? (
        <DeletedNote revision={file.revision} />
      ) : null}
      {editing ? (
        <Editor
          workspaceId={workspaceId}
          path={path}
          edit={edit}
          notes={notes}
          onStop={() => (edit.unsaved === null ? stop() : setLeaving({ leave: stop }))}
        />
      ) : (
        <>
          <div className="detail-body">
            <FileBody
              workspaceId={workspaceId}
              path={path}
              view={place.view}
              reading={reading}
              state={state}
              mirrors={mirrors}
              gone={gone}
              onView={onView}
            />
          </div>
          {place.view === 'history' ? null : (
            <FileFoot
              workspaceId={workspaceId}
              path={path}
              file={file}
              mirror={mirror}
              notEdited={edit.disabledReason}
              actions={actions}
              onEdit={() => {
                edit.begin();
                onView('content');
              }}
            />
          )}
        </>
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
      This file was deleted. You see {revision}, the last one this page has read.
    </div>
  );
}
