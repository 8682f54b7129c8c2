// Nothing to list: what would be here, and how to put it here.
import type { ReactElement } from 'react';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import type { FilesLocation } from '../../location/app-location.ts';
import { inFolder } from '../../model/files/path.ts';
import { plural } from '../../model/format.ts';
import { CopyButton } from '../../parts/buttons/copy.tsx';

export function EmptyFolder({
  place,
  mirror,
  inFolder: entries,
}: {
  readonly place: FilesLocation;
  readonly mirror: Mirror | null;
  /** Entries that the filter hides. */
  readonly inFolder: number;
}): ReactElement {
  if (entries > 0) {
    return (
      <div className="empty">
        <h2>No name holds “{place.filter}”</h2>
        <p>{plural(entries, 'entry', 'entries')} in this folder. Esc clears the filter.</p>
      </div>
    );
  }
  if (place.atMs !== null) {
    return (
      <div className="empty">
        <h2>No files under this path then</h2>
        <p>They came later, or had been deleted. “As of…” takes another moment.</p>
      </div>
    );
  }
  const dir = mirror === null ? null : inFolder(mirror.dir, place.folder === '/' ? '' : place.folder);
  return (
    <div className="empty">
      <h2>No files under this path</h2>
      {dir === null ? (
        <p>Write one through the API, or mirror a folder into this workspace.</p>
      ) : (
        <>
          <p>Save a file in the folder, or write one through the API. Folders without files are not kept.</p>
          <div className="code-line">
            <code className="code">{dir}</code>
            <CopyButton text={dir} what="the folder" />
          </div>
        </>
      )}
    </div>
  );
}
