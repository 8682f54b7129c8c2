// One file: its content or its details, and what can be done with it. It follows the file while it changes, and says
// so when it is deleted.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import { bytesOf, NotFoundError } from '../../../sdk/index.ts';
import type { FileRecord, TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useBlocked, useServices } from '../../api/services.ts';
import type { FilesPlace } from '../../app-location.ts';
import { size } from '../../model/format.ts';
import { inFolder, nameOf } from '../../model/path.ts';
import { shownSize } from '../../model/stored-size.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton, copyText } from '../../parts/copy.tsx';
import { FailedReading } from '../../parts/failed-reading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PathText } from '../../parts/path-text.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { Time } from '../../parts/time.tsx';
import { ContentView } from './content-view.tsx';
import { DetailsView } from './details-view.tsx';
import { ExplainView } from './explain-view.tsx';
import { HistoryView } from './history.tsx';

/** A larger file is read only when asked for. */
const readAtOnceBytesMax = 5_000_000;

const views = [
  { view: 'content', name: 'Content' },
  { view: 'details', name: 'Details' },
  { view: 'history', name: 'History' },
  { view: 'explain', name: 'Explain' },
] as const;

export interface FileDetailProps {
  readonly workspaceId: string;
  readonly place: FilesPlace;
  readonly entry: TreeEntry | undefined;
  readonly mirror: Mirror | null;
  /** Filled with what the key D does. */
  readonly downloadHandle: RefObject<(() => void) | null>;
  readonly onView: (view: FilesPlace['view']) => void;
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
      ) : (
        <OpenFile {...props} path={place.file} />
      )}
    </section>
  );
}

function OpenFile({
  workspaceId,
  place,
  entry,
  mirror,
  downloadHandle,
  onView,
  onClose,
  path,
}: FileDetailProps & { readonly path: string }): ReactElement {
  const { client } = useServices();
  const blocked = useBlocked();
  const [readLarge, setReadLarge] = useState(false);
  const sizeBytes = entry === undefined ? 0 : shownSize(entry);
  const tooLarge = sizeBytes > readAtOnceBytesMax && !readLarge;
  const query = useQuery({
    queryKey: ['file', workspaceId, path],
    queryFn: async ({ signal }) => await client.readFile(workspaceId, path, { signal }),
    enabled: !tooLarge,
    gcTime: 60_000,
  });
  const file = query.data;
  const gone = query.error instanceof NotFoundError;
  const save = (): void => {
    if (file !== undefined) saveFile(file);
  };
  useEffect(() => {
    downloadHandle.current = save;
    return () => {
      downloadHandle.current = null;
    };
  });
  const onDisk = mirror === null ? null : inFolder(mirror.dir, path);
  return (
    <>
      <div className="detail-head">
        <div className="row">
          <span className="when-covering">
            <Button kind="ghost" icon="back" label="Back to the list" onClick={onClose} />
          </span>
          <Icon of="file" />
          <h2 className="grow path-heading">
            <PathText path={path} />
          </h2>
          <CopyButton text={path} what="the path" />
          <Button kind="ghost" icon="close" label="Close" shortcut="Esc" onClick={onClose} />
        </div>
        <div className="row wrap">
          {/* biome-ignore lint/a11y/useSemanticElements: two views of one file, not a form's fieldset */}
          <span className="segments" role="group" aria-label="View">
            {views.map(({ view, name }) => (
              <button
                key={view}
                type="button"
                aria-pressed={place.view === view}
                onClick={() => onView(view)}
              >
                {name}
              </button>
            ))}
          </span>
          {file === undefined ? null : (
            <span className="faint ellipsis">
              <span className="mono">{file.revision}</span>
              {file.lastEditedAt === undefined ? null : (
                <>
                  {' · '}
                  <Time at={file.lastEditedAt} as="ago" />
                </>
              )}
            </span>
          )}
        </div>
      </div>
      {gone && file !== undefined ? (
        <div className="note-line" role="status">
          <Icon of="warning" small />
          This file was deleted. You see {file.revision}, the last one this page has read.
        </div>
      ) : null}
      <div className="detail-body">
        {place.view === 'history' ? (
          <HistoryView workspaceId={workspaceId} path={path} />
        ) : place.view === 'explain' ? (
          <ExplainView workspaceId={workspaceId} path={path} />
        ) : file !== undefined ? (
          place.view === 'content' ? (
            <ContentView file={file} />
          ) : (
            <DetailsView file={file} />
          )
        ) : gone ? (
          <div className="empty">
            <h2>There is no file at this path</h2>
            <p>It was deleted or renamed, or the link is mistyped.</p>
            <div className="row">
              <Button shortcut="H" onClick={() => onView('history')}>
                See what was here
              </Button>
            </div>
          </div>
        ) : tooLarge ? (
          <div className="empty">
            <h2>This file has {size(sizeBytes)}</h2>
            <p>It is read only when you ask for it.</p>
            <div className="row">
              <Button blocked={blocked} onClick={() => setReadLarge(true)}>
                Read it now
              </Button>
            </div>
          </div>
        ) : query.isError ? (
          <div className="binary">
            <FailedReading
              error={query.error}
              path={path}
              retry="By itself, when the agent answers again or the file changes."
              onAgain={() => void query.refetch()}
            />
          </div>
        ) : null}
      </div>
      {place.view === 'history' ? null : (
        <div className="detail-foot">
          <Button
            icon="download"
            shortcut="D"
            blocked={file === undefined ? (blocked ?? 'The file is not read yet.') : null}
            onClick={save}
          >
            Download
          </Button>
          {onDisk === null ? null : (
            <Button
              icon="copy"
              onClick={() => void copyText(onDisk, 'the path in the folder')}
              label={`Copy ${onDisk}`}
            >
              Copy path in folder
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function saveFile(file: FileRecord): void {
  saveAs(new Blob([bytesOf(file) as BlobPart], { type: 'application/octet-stream' }), nameOf(file.path));
}
