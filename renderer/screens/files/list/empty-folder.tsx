// A folder without rows: why, and what to do.
import type { ReactElement } from 'react';
import type { Mirror } from '../../../../server/contract/workspaces.ts';
import type { FolderView } from '../../../api/folder-store.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { inFolder } from '../../../model/files/path.ts';
import { plural } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { CopyButton } from '../../../parts/buttons/copy.tsx';
import { EmptyList } from '../../../parts/feedback/empty-list.tsx';
import { ErrorBlock } from '../../../parts/feedback/error-block.tsx';

export function FolderFailure({
  view,
  folder,
  onAgain,
}: {
  readonly view: FolderView;
  readonly folder: string;
  readonly onAgain: () => void;
}): ReactElement {
  return (
    <div className="binary">
      <ErrorBlock
        tone="warn"
        cause={view.failure?.text ?? 'The folder could not be loaded.'}
        path={<span className="mono">{folder}</span>}
        next={<Button onClick={onAgain}>Retry</Button>}
        retry={
          view.failure?.unreachable
            ? 'Retries automatically when the agent responds'
            : 'No automatic retry: the agent returned an error.'
        }
      />
    </div>
  );
}

export function EmptyFolder({
  location,
  mirror,
  inFolder: entries,
}: {
  readonly location: FilesLocation;
  readonly mirror: Mirror | null;
  /** Number of entries that the filter hides. */
  readonly inFolder: number;
}): ReactElement {
  if (entries > 0) {
    return (
      <EmptyList icon="filter" title={<>No files match “{location.filter}”</>}>
        <p>{plural(entries, 'entry', 'entries')} in this folder. Press Esc to clear the filter.</p>
      </EmptyList>
    );
  }
  if (location.atMs !== null) {
    return (
      <EmptyList icon="history" title="No files here at this time">
        <p>Files were added later or already deleted. Choose another time with “As of…”.</p>
      </EmptyList>
    );
  }
  const dir = mirror === null ? null : inFolder(mirror.dir, location.folder === '/' ? '' : location.folder);
  return (
    <EmptyList icon="folder" title="No files in this folder">
      {dir === null ? (
        <p>Create or upload one with “New”, drop files here, or mirror a folder into this workspace.</p>
      ) : (
        <>
          <p>Save a file in the folder, or create one with “New”. Empty folders are not stored.</p>
          <div className="code-line">
            <code className="code">{dir}</code>
            <CopyButton text={dir} what="the folder" />
          </div>
        </>
      )}
    </EmptyList>
  );
}
