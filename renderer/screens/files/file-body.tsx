// The body of a file's detail pane: the selected view, or a missing or unloaded file.
import type { ReactElement } from 'react';
import type { PathState } from '../../../sdk/index.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import type { FilesLocation } from '../../location/app-location.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ContentView } from './content-view.tsx';
import { DetailsView } from './details-view.tsx';
import { ExplainView } from './explain-view.tsx';
import { HistoryView } from './history.tsx';
import { UnloadedFile } from './unloaded-file.tsx';
import type { FileQuery } from './use-file.ts';

export function FileBody({
  workspaceId,
  path,
  view,
  query,
  state,
  mirrors,
  isDeleted,
  onView,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly view: FilesLocation['view'];
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
      <ContentView file={file} />
    ) : (
      <DetailsView file={file} state={state} mirrors={mirrors} />
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
  return <UnloadedFile path={path} query={query} />;
}
