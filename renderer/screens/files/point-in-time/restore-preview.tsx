// The preview of a restore: the counts, the files, and the files that stay because they changed since.
import type { ReactElement } from 'react';
import type { Restored } from '../../../../server/contract/history.ts';
import { count, plural } from '../../../model/format.ts';
import { PathText } from '../../../parts/feedback/path-text.tsx';

/** Files listed by path. */
const namedMax = 20;
const actions: Record<Restored['files'][number]['action'], string> = {
  create: 'restored',
  update: 'reverted',
  delete: 'deleted',
};

/** `2 reverted, 5 deleted`; null: nothing would change. */
export function restoreCounts({ created, updated, deleted }: Restored): string | null {
  const counts = [
    [updated, actions.update],
    [created, actions.create],
    [deleted, actions.delete],
  ] as const;
  const texts = counts
    .filter(([number]) => number > 0)
    .map(([number, action]) => `${count(number)} ${action}`);
  return texts.length === 0 ? null : texts.join(', ');
}

export function RestorePreview({ preview }: { readonly preview: Restored }): ReactElement {
  const { created, updated, deleted, files, kept } = preview;
  const others = created + updated + deleted - Math.min(files.length, namedMax);
  return (
    <>
      <p>{restoreCounts(preview)}. This is a new change; the current content stays in history.</p>
      <ul className="revert-files">
        {files.slice(0, namedMax).map((file) => (
          <li key={file.path}>
            <span className="faint">{actions[file.action]}</span> <PathText path={file.path} />
          </li>
        ))}
      </ul>
      {others > 0 ? <p className="faint">and {count(others)} more</p> : null}
      {kept.length > 0 ? (
        <p className="hint">
          {plural(kept.length, 'file')} changed since then and will not be reverted:{' '}
          {kept.slice(0, 3).join(', ')}
        </p>
      ) : null}
    </>
  );
}

/** `3 files` */
export function changedFilesText({ created, updated, deleted }: Restored): string {
  return plural(created + updated + deleted, 'file');
}
