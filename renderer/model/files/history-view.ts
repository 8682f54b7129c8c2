// Words for a revision of a file. Pure.
import type { HistoryEntry } from '../../../server/contract/history.ts';
import { plural } from '../format.ts';
import { nameOf } from './path.ts';

export function entryLabel({ action, movedFrom, restoredFrom }: HistoryEntry): string {
  if (restoredFrom !== undefined) return `Restored ${restoredFrom}`;
  if (action === 'move') return movedFrom === undefined ? 'Moved here' : `Moved from ${movedFrom}`;
  return action === 'delete' ? 'Deleted' : 'Written';
}

export function actorName({ actor }: HistoryEntry): string {
  return actor.kind === 'mirror' ? 'Folder' : actor.name;
}

/** null: it can be restored. */
export function restoreDisabledReason(entry: HistoryEntry, newest: boolean): string | null {
  if (entry.action === 'delete') return 'A deletion holds nothing to bring back: choose an older revision.';
  return newest ? 'This is what stands there now.' : null;
}

export interface Change {
  /** Of the newest revision of the batch. */
  readonly entry: HistoryEntry;
  /** `a.md`, or `3 files`: as far as they are among the entries. */
  readonly files: string;
}

/** What was changed together, newest first: the last `max` of them. */
export function lastChanges(entries: readonly HistoryEntry[], max: number): readonly Change[] {
  const batches = Map.groupBy(entries, ({ batch }) => batch);
  return [...batches.values()].slice(0, max).flatMap((batch) => {
    const [entry] = batch;
    const paths = new Set(batch.map(({ path }) => path));
    if (entry === undefined) return [];
    return [{ entry, files: paths.size === 1 ? nameOf(entry.path) : plural(paths.size, 'file') }];
  });
}
