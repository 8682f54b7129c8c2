// What a view of a file shows, and what it says while there is nothing to show.
import type { ReactElement } from 'react';
import type { PathState } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useBlocked } from '../../api/services.ts';
import type { FilesPlace } from '../../app-location.ts';
import { size } from '../../model/format.ts';
import { Button } from '../../parts/button.tsx';
import { FailedReading } from '../../parts/failed-reading.tsx';
import { ContentView } from './content-view.tsx';
import { DetailsView } from './details-view.tsx';
import { ExplainView } from './explain-view.tsx';
import { HistoryView } from './history.tsx';

export function FileBody({
  workspaceId,
  path,
  view,
  file,
  state,
  mirrors,
  gone,
  unreadBytes,
  error,
  onView,
  onRead,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly view: FilesPlace['view'];
  readonly file: FileRecord | undefined;
  readonly state: PathState | undefined;
  readonly mirrors: readonly Mirror[];
  readonly gone: boolean;
  /** Of a file that is read only when asked for; null: it is read. */
  readonly unreadBytes: number | null;
  readonly error: unknown;
  readonly onView: (view: FilesPlace['view']) => void;
  /** Reads it, or reads it again. */
  readonly onRead: () => void;
}): ReactElement | null {
  const blocked = useBlocked();
  if (view === 'history') return <HistoryView workspaceId={workspaceId} path={path} />;
  if (view === 'explain') return <ExplainView workspaceId={workspaceId} path={path} />;
  if (file !== undefined)
    return view === 'content' ? (
      <ContentView file={file} />
    ) : (
      <DetailsView file={file} state={state} mirrors={mirrors} />
    );
  if (gone) {
    return (
      <div className="empty">
        <h2>There is no file at this path</h2>
        <p>It was deleted or renamed, or the link is mistyped.</p>
        <div className="row">
          <Button shortcut="H" onClick={() => onView('history')}>
            See what was here
          </Button>
        </div>
      </div>
    );
  }
  if (unreadBytes !== null) {
    return (
      <div className="empty">
        <h2>This file has {size(unreadBytes)}</h2>
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
  return (
    <div className="binary">
      <FailedReading
        error={error}
        path={path}
        retry="By itself, when the agent answers again or the file changes."
        onAgain={onRead}
      />
    </div>
  );
}
