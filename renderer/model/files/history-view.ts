// Labels of a revision of a file. Pure.
import { actorLabel } from '../../../sdk/actor-label.ts';
import type { HistoryEntry } from '../../../server/contract/history.ts';
import { plural } from '../format.ts';
import { nameOf } from './path.ts';

const writes: Readonly<Record<HistoryEntry['actor']['kind'], string>> = {
  token: 'Changed through the API',
  mirror: 'Saved in the folder',
  provider: 'Received from the provider',
  remote: 'Received from the remote',
  system: 'Written by Mooring',
};

type Labelled = Pick<HistoryEntry, 'action' | 'actor' | 'movedFrom' | 'restoredFrom'>;

/** What happened, and where. */
export function entryLabel({ action, actor, movedFrom, restoredFrom }: Labelled): string {
  if (restoredFrom !== undefined) return `Restored ${restoredFrom}`;
  if (action === 'move') return movedFrom === undefined ? 'Moved here' : `Moved from ${movedFrom}`;
  return action === 'delete' ? 'Deleted' : writes[actor.kind];
}

/** The agent of a token, with the MCP client that used it, or the user of a folder. */
export function actorName({ actor }: Pick<HistoryEntry, 'actor'>): string {
  return actorLabel(actor);
}

/** null: the revision can be restored. */
export function restoreDisabledReason(entry: HistoryEntry, isNewest: boolean): string | null {
  if (entry.action === 'delete') return 'This revision is a deletion. Choose an older one.';
  return isNewest ? 'This is the current revision.' : null;
}

export interface Change {
  /** The newest entry of the batch. */
  readonly entry: HistoryEntry;
  /** `a.md`, or `3 files`, counted in the given entries. */
  readonly files: string;
}

/** The last `max` batches, newest first. */
export function lastChanges(entries: readonly HistoryEntry[], max: number): readonly Change[] {
  const batches = Map.groupBy(entries, ({ batch }) => batch);
  return [...batches.values()].slice(0, max).flatMap((batch) => {
    const [entry] = batch;
    const paths = new Set(batch.map(({ path }) => path));
    if (entry === undefined) return [];
    return [{ entry, files: paths.size === 1 ? nameOf(entry.path) : plural(paths.size, 'file') }];
  });
}
