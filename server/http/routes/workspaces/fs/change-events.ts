// Events that are changes of files, as W/fs/changes returns them.
import type { WireChange } from '../../../../contract/changes.ts';
import type { EventRow } from '../../../../workspaces/event-feed.ts';
import { wireTime } from '../../../wire/records.ts';

export type FileEvent = EventRow & { readonly type: WireChange['action']; readonly revision: number };

export function isFileEvent(event: EventRow): event is FileEvent {
  return event.revision !== null && ['file.created', 'file.updated', 'file.deleted'].includes(event.type);
}

export function digestOf({ hash, type, atMs }: FileEvent): string {
  return type === 'file.deleted' || hash === null ? `deleted:${wireTime(atMs)}` : `sha256:${hash}`;
}
