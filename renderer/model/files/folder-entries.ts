// The entries of a folder: how an event changes them, and their order. Pure.
import type { EventFrame } from '../../../server/contract/events.ts';
import type { TreeEntry } from '../../../server/contract/files.ts';

export function revisionNumber(revision: string): number {
  const digits = /^rev_(\d+)$/.exec(revision)?.[1];
  return digits === undefined ? 0 : Number(digits);
}

/** The entry after an event; fields that the event omits keep their values. */
export function entryOf(event: EventFrame, old: TreeEntry | undefined): TreeEntry {
  const sizeBytes = event.content === undefined ? old?.size : storedLength(event);
  return {
    ...(old?.type === 'file' ? old : {}),
    path: event.path,
    type: 'file',
    revision: event.revision,
    updatedAt: event.timestamp,
    ...(event.contentHash === undefined ? {} : { contentHash: event.contentHash }),
    ...(event.provider === undefined ? {} : { provider: event.provider }),
    ...(sizeBytes === undefined ? {} : { size: sizeBytes }),
  };
}

const encoder = new TextEncoder();

/** Sizes in the tree are those of the content as the API returns it: base64 text for binary files, UTF-8 otherwise. */
function storedLength(event: EventFrame): number {
  const content = event.content ?? '';
  return event.encoding === 'base64' ? content.length : encoder.encode(content).byteLength;
}

/** Folders first, then files, each by name. */
export function sorted(byName: ReadonlyMap<string, TreeEntry>): readonly TreeEntry[] {
  const folders: TreeEntry[] = [];
  const files: TreeEntry[] = [];
  for (const entry of byName.values()) (entry.type === 'dir' ? folders : files).push(entry);
  const byPath = (a: TreeEntry, b: TreeEntry): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return [...folders.sort(byPath), ...files.sort(byPath)];
}
