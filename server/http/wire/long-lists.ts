// Writes tree pages and event pages as JSON bytes: intermediate objects and one concatenated text would cost more than the rest of the
// request. The output matches the schemas of contract/.

import { isoTime, jsonString } from '../../platform/json/json-text.ts';
import type { EncodedEvents, EventRow } from '../../workspaces/event-feed.ts';
import { eventText } from '../../workspaces/event-text.ts';
import { revisionName, wireSize } from '../../workspaces/file-record.ts';
import type { PastTreePage, TreeEntry, TreeFile, TreePage } from '../../workspaces/model.ts';
import { JsonBytes } from './json-bytes.ts';

/** Typical size of an entry of either list. */
const entryBytesExpected = 320;

export function treeBytes(path: string, page: TreePage): Buffer {
  const json = new JsonBytes(page.entries.length * entryBytesExpected);
  json.add(`{"path":${jsonString(path)},"entries":[`);
  let separator = '';
  for (const entry of page.entries) {
    json.add(separator + treeEntryText(entry));
    separator = ',';
  }
  const last = page.more ? page.entries.at(-1) : undefined;
  const next = last === undefined ? 'null' : jsonString(last.path);
  const total = page.totalFiles > 0 ? `,"totalFiles":${page.totalFiles}` : '';
  json.add(`],"nextCursor":${next}${total}}`);
  return json.end();
}

/** The same for a tree at a point in time. */
export function treeAtBytes(
  head: { readonly path: string; readonly at: string; readonly completeSince: string | undefined },
  complete: boolean,
  page: PastTreePage,
): Buffer {
  const json = new JsonBytes(page.entries.length * entryBytesExpected);
  json.add(`{"path":${jsonString(head.path)},"at":"${head.at}","entries":[`);
  let separator = '';
  for (const entry of page.entries) {
    json.add(
      separator +
        (entry.type === 'dir'
          ? `{"path":${jsonString(entry.path)},"type":"dir","revision":"dir"}`
          : treeEntryText(entry)),
    );
    separator = ',';
  }
  const since = head.completeSince === undefined ? '' : `,"completeSince":"${head.completeSince}"`;
  const next = page.next === null ? 'null' : jsonString(page.next);
  json.add(`],"nextCursor":${next},"complete":${complete}${since}}`);
  return json.end();
}

function treeEntryText(entry: TreeEntry): string {
  const head = `{"path":${jsonString(entry.path)},"type":"${entry.type}"`;
  if (entry.type === 'dir') return `${head},"revision":"dir","updatedAt":"${isoTime(entry.updatedAtMs)}"}`;
  const size = wireSize(entry);
  const providerObject =
    entry.providerObjectId === null ? '' : `,"providerObjectId":${jsonString(entry.providerObjectId)}`;
  return `${head},"revision":"${revisionName(entry)}","contentHash":"${entry.hash}","provider":${jsonString(
    entry.provider,
  )}${providerObject}${size > 0 ? `,"size":${size}` : ''},"updatedAt":"${isoTime(entry.editedAtMs)}"${countsText(entry)}}`;
}

function countsText({ semantics }: TreeFile): string {
  let text = '';
  if (semantics.properties !== undefined) {
    const count = Object.keys(semantics.properties).length;
    if (count > 0) text += `,"propertyCount":${count}`;
  }
  if (semantics.relations?.length) text += `,"relationCount":${semantics.relations.length}`;
  if (semantics.permissions?.length) text += `,"permissionCount":${semantics.permissions.length}`;
  if (semantics.comments?.length) text += `,"commentCount":${semantics.comments.length}`;
  return text;
}

export function eventPageBytes(rows: readonly EventRow[], next: number | null): Buffer {
  const json = new JsonBytes(rows.length * entryBytesExpected);
  json.add('{"events":[');
  let separator = '';
  for (const row of rows) {
    json.add(separator + eventText(row));
    separator = ',';
  }
  json.add(pageEnd(next));
  return json.end();
}

const pageStart = Buffer.from('{"events":[');

/** The same of events that are JSON already, as the parts of the page. */
export function encodedEventPage({ parts, next }: EncodedEvents): readonly Uint8Array[] {
  const last = parts.at(-1);
  const end = Buffer.from(pageEnd(next));
  if (last === undefined) return [pageStart, end];
  // No comma follows the last event.
  return [pageStart, ...parts.slice(0, -1), last.subarray(0, -1), end];
}

function pageEnd(next: number | null): string {
  return `],"nextCursor":${next === null ? 'null' : `"evt_${next}"`}}`;
}
