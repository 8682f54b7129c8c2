// The rows of the short feed: what one request did to several files is one row. Pure.
import type { EventFrame } from '../../../server/contract/events.ts';
import { parentOf } from '../files/path.ts';
import { isFileChange } from './event-view.ts';

interface RecentEvent {
  readonly workspaceId: string;
  readonly frame: EventFrame;
}

export interface RecentRow<Event extends RecentEvent> {
  /** The newest. */
  readonly event: Event;
  readonly files: number;
  /** Of the file; of several, of the folder that has all of them. */
  readonly path: string;
}

/** `events`: newest first. At most `max` rows. */
export function recentRows<Event extends RecentEvent>(
  events: readonly Event[],
  max: number,
): readonly RecentRow<Event>[] {
  const rows: RecentRow<Event>[] = [];
  for (const event of events) {
    if (!isFileChange(event.frame)) continue;
    const last = rows.at(-1);
    if (last !== undefined && isSameRequest(last.event, event)) {
      const folder = last.files === 1 ? parentOf(last.path) : last.path;
      rows[rows.length - 1] = {
        ...last,
        files: last.files + 1,
        path: commonFolder(folder, event.frame.path),
      };
    } else if (rows.length === max) break;
    else rows.push({ event, files: 1, path: event.frame.path });
  }
  return rows;
}

function isSameRequest(a: RecentEvent, b: RecentEvent): boolean {
  const id = a.frame.correlationId ?? '';
  return (
    id !== '' &&
    id === b.frame.correlationId &&
    a.workspaceId === b.workspaceId &&
    a.frame.type === b.frame.type &&
    a.frame.path !== b.frame.path
  );
}

function commonFolder(folder: string, path: string): string {
  let common = folder;
  while (common !== '/' && !path.startsWith(`${common}/`)) common = parentOf(common);
  return common;
}
