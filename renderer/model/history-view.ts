// Words for a revision of a file. Pure.
import type { HistoryEntry } from '../../server/contract/history.ts';

export function entryWords({ action, movedFrom, restoredFrom }: HistoryEntry): string {
  if (restoredFrom !== undefined) return `Restored ${restoredFrom}`;
  if (action === 'move') return movedFrom === undefined ? 'Moved here' : `Moved from ${movedFrom}`;
  return action === 'delete' ? 'Deleted' : 'Written';
}

export function actorWords({ actor }: HistoryEntry): string {
  return actor.kind === 'mirror' ? 'Folder' : actor.name;
}

/** null: it can be restored. */
export function whyNotRestored(entry: HistoryEntry, newest: boolean): string | null {
  if (entry.action === 'delete') return 'A deletion holds nothing to bring back: choose an older revision.';
  return newest ? 'This is what stands there now.' : null;
}
