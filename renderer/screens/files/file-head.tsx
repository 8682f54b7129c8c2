// Which file, at which revision, and in which view.
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

const pastViews = views.filter(({ value }) => value !== 'explain');

export function FileHead({
  path,
  file,
  view,
  unsaved,
  past = false,
  state,
  onView,
  onClose,
}: {
  readonly path: string;
  readonly file: FileRecord | undefined;
  readonly view: FilesLocation['view'];
  readonly unsaved: boolean;
  /** true: of a past moment, of which nothing is to be explained. */
  readonly past?: boolean;
  /** Of the file in its mirrors. */
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
          {unsaved && view !== 'content' ? <Status kind="warn" word="Not saved" pill /> : null}
          <CopyButton text={path} what="the path" />
        </>
      }
      onClose={onClose}
    >
      <div className="row wrap">
        <Segments label="View" options={past ? pastViews : views} value={view} onChange={onView} />
        {state}
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
