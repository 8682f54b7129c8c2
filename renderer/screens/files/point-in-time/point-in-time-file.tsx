// The detail pane of a file at a point in time: content, details and history, read-only, with restore and download.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import { NotFoundError } from '../../../../sdk/index.ts';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import { type FileQuery, useFile } from '../../../api/use-file.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { shownSize } from '../../../model/files/stored-size.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { FileContent } from '../../../parts/feedback/file-content.tsx';
import { UnloadedFile } from '../../../parts/feedback/unloaded-file.tsx';
import { DetailsView } from '../details-view.tsx';
import { DownloadButton, saveFile } from '../download-button.tsx';
import type { FileActions } from '../file-foot.tsx';
import { FileHead } from '../file-head.tsx';
import { HistoryView } from '../history/history.tsx';
import type { RestoreResult } from './as-of-controls.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

const readOnly = 'Read-only. Choose “Back to now” first.';

interface PointInTimeFileProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly atMs: number;
  readonly view: FilesLocation['view'];
  readonly entry: TreeEntry | undefined;
  readonly actions: RefObject<FileActions | null>;
  readonly onView: (view: FilesLocation['view']) => void;
  readonly onRestored: (result: RestoreResult) => void;
  readonly onClose: () => void;
}

export function PointInTimeFile(props: PointInTimeFileProps): ReactElement {
  const { workspaceId, path, atMs, entry, actions, onView, onRestored, onClose } = props;
  const view = props.view === 'explain' ? 'content' : props.view;
  const disabledReason = useRoleReason(workspaceId, 'editor');
  const [restoring, setRestoring] = useState(false);
  const query = useFile({ workspaceId, path, atMs, sizeBytes: entry === undefined ? 0 : shownSize(entry) });
  const { file } = query;
  useEffect(() => {
    actions.current = {
      download: () => saveFile(file),
      show: () => announce(readOnly),
      edit: () => announce(readOnly),
    };
    return () => {
      actions.current = null;
    };
  });
  return (
    <>
      <FileHead
        path={path}
        file={file}
        view={view}
        isReadOnly
        unsaved={false}
        state={null}
        onView={onView}
        onClose={onClose}
      />
      <div className="detail-body">
        {view === 'history' ? (
          <HistoryView workspaceId={workspaceId} path={path} isReadOnly />
        ) : (
          <PointInTimeBody workspaceId={workspaceId} path={path} atMs={atMs} view={view} query={query} />
        )}
      </div>
      <div className="detail-foot">
        <Button icon="undo" disabledReason={disabledReason} onClick={() => setRestoring(true)}>
          Restore file…
        </Button>
        <DownloadButton file={file} />
      </div>
      {restoring ? (
        <RestoreDialog
          workspaceId={workspaceId}
          path={path}
          atMs={atMs}
          onClose={() => setRestoring(false)}
          onRestored={onRestored}
        />
      ) : null}
    </>
  );
}

function PointInTimeBody({
  workspaceId,
  path,
  atMs,
  view,
  query,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly atMs: number;
  readonly view: 'content' | 'details';
  readonly query: FileQuery;
}): ReactElement {
  const { file, error } = query;
  if (file !== undefined)
    return view === 'content' ? (
      <FileContent workspaceId={workspaceId} file={file} atMs={atMs} />
    ) : (
      <DetailsView workspaceId={workspaceId} file={file} state={undefined} mirrors={[]} />
    );
  if (error instanceof NotFoundError) {
    return (
      <div className="empty">
        <h2>No file at this path at this time</h2>
        <p>The file was added later or already deleted, or its history is no longer retained.</p>
      </div>
    );
  }
  return <UnloadedFile path={path} query={query} isPast />;
}
