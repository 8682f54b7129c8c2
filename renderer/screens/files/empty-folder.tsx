// The empty state of a folder: its reason, and how to add files.
import type { ReactElement } from 'react';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import type { FilesLocation } from '../../location/app-location.ts';
import { inFolder } from '../../model/files/path.ts';
import { plural } from '../../model/format.ts';
import { CopyButton } from '../../parts/buttons/copy.tsx';

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
      <div className="empty">
        <h2>No files match “{location.filter}”</h2>
        <p>{plural(entries, 'entry', 'entries')} in this folder. Press Esc to clear the filter.</p>
      </div>
    );
  }
  if (location.atMs !== null) {
    return (
      <div className="empty">
        <h2>No files here at this time</h2>
        <p>Files were added later or already deleted. Choose another time with “As of…”.</p>
      </div>
    );
  }
  const dir = mirror === null ? null : inFolder(mirror.dir, location.folder === '/' ? '' : location.folder);
  return (
    <div className="empty">
      <h2>No files in this folder</h2>
      {dir === null ? (
        <p>Write a file through the API, or mirror a folder into this workspace.</p>
      ) : (
        <>
          <p>Save a file in the folder, or write one through the API. Empty folders are not stored.</p>
          <div className="code-line">
            <code className="code">{dir}</code>
            <CopyButton text={dir} what="the folder" />
          </div>
        </>
      )}
    </div>
  );
}
