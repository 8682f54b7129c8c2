// One file as it stood at a moment: its content, its details, its history. It can be saved to disk and brought back, and
// nothing of it changes while it is looked at.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import { NotFoundError } from '../../../../sdk/index.ts';
import type { FileRecord, TreeEntry } from '../../../../server/contract/files.ts';
import { useBlocked, useServices } from '../../../api/services.ts';
import type { FilesPlace } from '../../../app-location.ts';
import { size } from '../../../model/format.ts';
import { shownSize } from '../../../model/stored-size.ts';
import { announce } from '../../../parts/announcer.tsx';
import { Button } from '../../../parts/button.tsx';
import { FailedReading } from '../../../parts/failed-reading.tsx';
import { ContentView } from '../content-view.tsx';
import { DetailsView } from '../details-view.tsx';
import { type FileActions, saveFile } from '../file-foot.tsx';
import { FileHead } from '../file-head.tsx';
import { HistoryView } from '../history.tsx';
import type { Done } from './folder-past.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

const nothingChanges = 'You see the past: go back to now first.';

interface PastFileProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly atMs: number;
  readonly view: FilesPlace['view'];
  readonly entry: TreeEntry | undefined;
  readonly actions: RefObject<FileActions | null>;
  /** A larger file is read only when asked for. */
  readonly readAtOnceBytesMax: number;
  readonly onView: (view: FilesPlace['view']) => void;
  readonly onRestored: (done: Done) => void;
  readonly onClose: () => void;
}

export function PastFile(props: PastFileProps): ReactElement {
  const { workspaceId, path, atMs, entry, readAtOnceBytesMax, actions, onView, onRestored, onClose } = props;
  const view = props.view === 'explain' ? 'content' : props.view;
  const { client } = useServices();
  const blocked = useBlocked();
  const [readLarge, setReadLarge] = useState(false);
  const [restoring, setRestoring] = useState(false);
  const sizeBytes = entry === undefined ? 0 : shownSize(entry);
  const tooLarge = sizeBytes > readAtOnceBytesMax && !readLarge;
  const query = useQuery({
    queryKey: ['file-at', workspaceId, path, atMs],
    queryFn: async ({ signal }) => await client.readFile(workspaceId, path, { at: new Date(atMs), signal }),
    enabled: !tooLarge,
    gcTime: 60_000,
  });
  const file = query.data;
  const download = (): void => {
    if (file !== undefined) saveFile(file);
  };
  useEffect(() => {
    actions.current = {
      download,
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
          <PastBody
            path={path}
            view={view}
            file={file}
            unreadBytes={tooLarge ? sizeBytes : null}
            error={query.error}
            onRead={() => (tooLarge ? setReadLarge(true) : void query.refetch())}
          />
        )}
      </div>
      <div className="detail-foot">
        <Button icon="undo" blocked={blocked} onClick={() => setRestoring(true)}>
          Restore this file…
        </Button>
        <Button
          icon="download"
          shortcut="D"
          blocked={file === undefined ? (blocked ?? 'The file is not read yet.') : null}
          onClick={download}
        >
          Download
        </Button>
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

function PastBody({
  path,
  view,
  file,
  unreadBytes,
  error,
  onRead,
}: {
  readonly path: string;
  readonly view: 'content' | 'details';
  readonly file: FileRecord | undefined;
  readonly unreadBytes: number | null;
  readonly error: unknown;
  readonly onRead: () => void;
}): ReactElement | null {
  const blocked = useBlocked();
  if (file !== undefined)
    return view === 'content' ? (
      <ContentView file={file} />
    ) : (
      <DetailsView file={file} state={undefined} mirrors={[]} />
    );
  if (unreadBytes !== null) {
    return (
      <div className="empty">
        <h2>This file had {size(unreadBytes)}</h2>
        <p>It is read only when you ask for it.</p>
        <div className="row">
          <Button blocked={blocked} onClick={onRead}>
            Read it now
          </Button>
        </div>
      </div>
    );
  }
  if (error === null) return null;
  if (error instanceof NotFoundError) {
    return (
      <div className="empty">
        <h2>There was no file at this path then</h2>
        <p>It came later, had been deleted, or what is known of it is no longer kept.</p>
      </div>
    );
  }
  return (
    <div className="binary">
      <FailedReading
        error={error}
        path={path}
        retry="None by itself: the past does not change."
        onAgain={onRead}
      />
    </div>
  );
}
