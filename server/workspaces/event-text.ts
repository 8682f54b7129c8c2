// An event as the API returns it, as JSON text: intermediate objects would cost more than the rest of a page. The output matches the
// schemas of contract/events.ts.
import { isoTime, jsonString } from '../platform/json/json-text.ts';
import type { EventRow } from '../store/port/store.ts';

/** A member of a page of events (`WorkspaceEvent`). */
export function eventText(row: EventRow): string {
  return `${withoutCorrelationId(row)},"correlationId":${jsonString(row.correlationId)}}`;
}

/** The members of a frame of the stream (`EventFrame`) without the closing brace: an empty correlation id is absent. */
export function openFrameText(row: EventRow): string {
  const text = withoutCorrelationId(row);
  return row.correlationId === '' ? text : `${text},"correlationId":${jsonString(row.correlationId)}`;
}

function withoutCorrelationId(row: EventRow): string {
  const revision = row.revision === null ? '' : `rev_${row.revision}`;
  const hash = row.hash === null ? '' : `,"contentHash":"${row.hash}"`;
  const provider = row.provider === null ? '' : `,"provider":${jsonString(row.provider)}`;
  return `{"eventId":"evt_${row.seq}","type":"${row.type}","path":${jsonString(row.path)},"revision":"${revision}"${hash},"origin":"${row.origin}"${provider},"timestamp":"${isoTime(row.atMs)}"`;
}
