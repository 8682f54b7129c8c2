// What a restore would do, before it does it: the numbers, the files by name, and what stays because it changed since.
import type { ReactElement } from 'react';
import type { Restored } from '../../../../server/contract/history.ts';
import { count, plural } from '../../../model/format.ts';
import { PathText } from '../../../parts/feedback/path-text.tsx';

/** Files that are named; the number counts all. */
const namedMax = 20;
const words: Record<Restored['files'][number]['action'], string> = {
  create: 'back',
  update: 'changed back',
  delete: 'deleted',
};

export function RestorePreview({ preview }: { readonly preview: Restored }): ReactElement {
  const { created, updated, deleted, files, kept } = preview;
  const others = created + updated + deleted - Math.min(files.length, namedMax);
  return (
    <>
      <p>
        {count(updated)} changed back, {count(created)} brought back, {count(deleted)} deleted. Nothing is
        lost: this is a new change.
      </p>
      <ul className="revert-files">
        {files.slice(0, namedMax).map((file) => (
          <li key={file.path}>
            <span className="faint">{words[file.action]}</span> <PathText path={file.path} />
          </li>
        ))}
      </ul>
      {others > 0 ? <p className="faint">And {count(others)} more.</p> : null}
      {kept.length > 0 ? (
        <p className="hint">
          {plural(kept.length, 'file')} changed since, and will stay: {kept.slice(0, 3).join(', ')}
        </p>
      ) : null}
    </>
  );
}

/** `3 files` */
export function changedFilesText({ created, updated, deleted }: Restored): string {
  return plural(created + updated + deleted, 'file');
}
