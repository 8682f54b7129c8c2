// The head of a file's detail pane: path, views, state and revision.
import type { ReactElement } from 'react';
import type { FileRecord } from '../../../server/contract/files.ts';
import type { FilesLocation } from '../../location/app-location.ts';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';

const views = [
  { value: 'content', text: 'Content' },
  { value: 'details', text: 'Details' },
  { value: 'history', text: 'History' },
  { value: 'explain', text: 'Explain' },
] as const;

const readOnlyViews = views.filter(({ value }) => value !== 'explain');

export function FileHead({
  path,
  file,
  view,
  unsaved,
  isReadOnly = false,
  state,
  onView,
  onClose,
}: {
  readonly path: string;
  readonly file: FileRecord | undefined;
  readonly view: FilesLocation['view'];
  readonly unsaved: boolean;
  /** true: a point in time is shown, which has no sync status. */
  readonly isReadOnly?: boolean;
  /** Sync status in the mirrors. */
  readonly state: ReactElement | null;
  readonly onView: (view: FilesLocation['view']) => void;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <DetailHead
      before={<Icon of="file" />}
      title={<PathText path={path} />}
      side={
        <>
          {state}
          {unsaved && view !== 'content' ? <Status kind="warn" word="Not saved" pill /> : null}
          <CopyButton text={path} what="the path" />
        </>
      }
      onClose={onClose}
    >
      <div className="row wrap">
        <Segments label="View" options={isReadOnly ? readOnlyViews : views} value={view} onChange={onView} />
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
    </DetailHead>
  );
}
