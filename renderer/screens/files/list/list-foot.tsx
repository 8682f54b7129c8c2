// Below the rows of a folder: how many entries there are, or how far they are loaded.
import type { ReactElement } from 'react';
import { type FolderView, folderEntriesMax } from '../../../api/folder-store.ts';
import { namesComparedMax } from '../../../model/files/file-columns.ts';
import { count, duration, plural } from '../../../model/format.ts';

/** A longer load shows its progress. */
const progressAfterMs = 1_000;

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
    const tookMs = Date.now() - view.loadBeganMs;
    if (tookMs < progressAfterMs) return null;
    const perSecond = (here * 1000) / tookMs;
    const { totalFiles } = view;
    const leftMs = perSecond > 0 && totalFiles !== null ? ((totalFiles - here) * 1000) / perSecond : 0;
    return (
      <span>
        Loading{totalFiles === null ? '' : ` ${plural(totalFiles, 'file')}`}: {count(here)} loaded,{' '}
        {count(Math.round(perSecond))} per second
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
      {here > namesComparedMax && !filtered ? (
        <span>Too many names for natural order: sorted by character</span>
      ) : null}
      {view.totalFiles === null || view.totalFiles === here ? null : (
        <span>{plural(view.totalFiles, 'file')} including subfolders</span>
      )}
      {view.cut ? <span>First {count(folderEntriesMax)} shown</span> : null}
    </>
  );
}
