// What a view of a file shows, and what it says while there is nothing to show.
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
  reading,
  state,
  mirrors,
  gone,
  onView,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly view: FilesLocation['view'];
  readonly reading: FileQuery;
  readonly state: PathState | undefined;
  readonly mirrors: readonly Mirror[];
  readonly gone: boolean;
  readonly onView: (view: FilesLocation['view']) => void;
}): ReactElement | null {
  const { file } = reading;
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
  return <UnloadedFile path={path} reading={reading} />;
}
