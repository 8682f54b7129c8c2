// One file as it stood at a moment: its content, its details, its history. It can be saved to disk and brought back, and
// nothing of it changes while it is looked at.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import { NotFoundError } from '../../../../sdk/index.ts';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import { useDisabledReason } from '../../../api/services.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { announce } from '../../../parts/feedback/announcer.tsx';
import { ContentView } from '../content-view.tsx';
import { DetailsView } from '../details-view.tsx';
import { DownloadButton, saveFile } from '../download-button.tsx';
import type { FileActions } from '../file-foot.tsx';
import { FileHead } from '../file-head.tsx';
import { HistoryView } from '../history.tsx';
import { UnloadedFile } from '../unloaded-file.tsx';
import { type FileQuery, useFile } from '../use-file.ts';
import type { RestoreResult } from './as-of-controls.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

const nothingChanges = 'You see the past: go back to now first.';

interface PointInTimeFileProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly atMs: number;
  readonly view: FilesLocation['view'];
  readonly entry: TreeEntry | undefined;
  readonly actions: RefObject<FileActions | null>;
  readonly onView: (view: FilesLocation['view']) => void;
  readonly onRestored: (done: RestoreResult) => void;
  readonly onClose: () => void;
}

export function PointInTimeFile(props: PointInTimeFileProps): ReactElement {
  const { workspaceId, path, atMs, entry, actions, onView, onRestored, onClose } = props;
  const view = props.view === 'explain' ? 'content' : props.view;
  const disabledReason = useDisabledReason();
  const [restoring, setRestoring] = useState(false);
  const reading = useFile({ workspaceId, path, atMs, entry });
  const { file } = reading;
  useEffect(() => {
    actions.current = {
      download: () => saveFile(file),
      show: () => announce(nothingChanges),
      edit: () => announce(nothingChanges),
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
        past
        unsaved={false}
        state={null}
        onView={onView}
        onClose={onClose}
      />
      <div className="detail-body">
        {view === 'history' ? (
          <HistoryView workspaceId={workspaceId} path={path} readOnly />
        ) : (
          <PointInTimeBody path={path} view={view} reading={reading} />
        )}
      </div>
      <div className="detail-foot">
        <Button icon="undo" disabledReason={disabledReason} onClick={() => setRestoring(true)}>
          Restore this file…
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
  path,
  view,
  reading,
}: {
  readonly path: string;
  readonly view: 'content' | 'details';
  readonly reading: FileQuery;
}): ReactElement {
  const { file, error } = reading;
  if (file !== undefined)
    return view === 'content' ? (
      <ContentView file={file} />
    ) : (
      <DetailsView file={file} state={undefined} mirrors={[]} />
    );
  if (error instanceof NotFoundError) {
    return (
      <div className="empty">
        <h2>There was no file at this path then</h2>
        <p>It came later, had been deleted, or what is known of it is no longer kept.</p>
      </div>
    );
  }
  return <UnloadedFile path={path} reading={reading} past />;
}
