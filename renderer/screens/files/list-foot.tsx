// What stands under a folder's rows: how many there are, or how far a long reading is.
import type { ReactElement } from 'react';
import { type FolderView, folderEntriesMax } from '../../api/folder-store.ts';
import { count, duration, plural } from '../../model/format.ts';

/** A reading that takes longer says how far it is. */
const quietMs = 1_000;

export function ListFoot({
  view,
  shown,
  filtered,
}: {
  readonly view: FolderView | undefined;
  readonly shown: number;
  readonly filtered: boolean;
}): ReactElement | null {
  if (view === undefined || view.state === 'failed') return null;
  const here = view.entries.length;
  if (view.state === 'reading') {
    const tookMs = Date.now() - view.sinceMs;
    if (tookMs < quietMs) return null;
    const perSecond = (here * 1000) / tookMs;
    const { totalFiles } = view;
    const leftMs = perSecond > 0 && totalFiles !== null ? ((totalFiles - here) * 1000) / perSecond : 0;
    return (
      <span>
        Reading{totalFiles === null ? '' : ` ${plural(totalFiles, 'file')}`}: {count(here)} so far,{' '}
        {count(Math.round(perSecond))}/s
        {leftMs > 0 ? `, ${duration(leftMs)} left` : ''}
      </span>
    );
  }
  return (
    <>
      <span>
        {filtered
          ? `${count(shown)} of ${plural(here, 'entry', 'entries')} match`
          : plural(here, 'entry', 'entries')}
      </span>
      {view.totalFiles === null || view.totalFiles === here ? null : (
        <span>{plural(view.totalFiles, 'file')} in all below</span>
      )}
      {view.cut ? <span>Only the first {count(folderEntriesMax)} are shown.</span> : null}
    </>
  );
}
