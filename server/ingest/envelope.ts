// An envelope as text: what is kept of a request, and what is read back from it. It decides nothing; how a payload is
// understood stands in core/delivery.
import { isMarkerPath } from '../core/acl.ts';
import type { CoalesceShape } from '../core/coalesce.ts';
import { readDelivery, type UpsertText } from '../core/delivery.ts';
import { pathBytesMax } from '../core/path.ts';
import type { Prepared } from '../store/port.ts';
import { decodeContent } from '../workspaces/decode-content.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** All that a sender handed over. */
export interface Envelope {
  readonly headers: Fields | null;
  readonly payload: Fields;
}

export function envelopeText({ headers, payload }: Envelope): string {
  return JSON.stringify(headers === null ? { payload } : { headers, payload });
}

/** The text is ours: what is kept was written by `envelopeText`. */
export function readEnvelope(text: string): Envelope {
  const { headers, payload } = JSON.parse(text) as { headers?: Fields; payload: Fields };
  return { headers: headers ?? null, payload };
}

/** The corrected payload where there is one. */
export function payloadOf(row: { readonly body: string; readonly edited: string | null }): Fields {
  return row.edited === null ? readEnvelope(row.body).payload : (JSON.parse(row.edited) as Fields);
}

/** Decodes the content; `stage: false` only looks whether that can be done. */
export async function prepare(
  provider: string,
  payload: unknown,
  contentBytesMax: number,
  workspaces: Pick<WorkspaceService, 'stage'>,
): Promise<Prepared> {
  const reading = readDelivery(provider, payload);
  if (!reading.ok) return reading;
  const { delivery } = reading;
  if (delivery.kind !== 'upsert') return { ok: true, delivery };
  const decoded = decode(delivery, contentBytesMax);
  if (!decoded.ok) return decoded;
  const { path, objectId, claim, contentType, semantics } = delivery;
  return {
    ok: true,
    delivery: {
      kind: 'upsert',
      path,
      objectId,
      claim,
      contentType,
      semantics,
      encoding: decoded.encoding,
      content: await workspaces.stage(decoded.bytes),
      aclText: isMarkerPath(path) ? decoded.bytes.toString('utf8') : undefined,
    },
  };
}

function decode(
  delivery: UpsertText,
  contentBytesMax: number,
): Exclude<ReturnType<typeof decodeContent>, { ok: false }> | Extract<Prepared, { ok: false }> {
  // Four characters of base64 are three bytes; a text has at least as many bytes as characters.
  if ((delivery.content.length / 4) * 3 > contentBytesMax + 2) return tooLarge(contentBytesMax);
  const decoded = decodeContent(delivery.content, delivery.encoding);
  if (!decoded.ok) return { ok: false, cause: 'content_undecodable', message: decoded.message };
  return decoded.bytes.length > contentBytesMax ? tooLarge(contentBytesMax) : decoded;
}

function tooLarge(contentBytesMax: number): Extract<Prepared, { ok: false }> {
  return { ok: false, cause: 'content_too_large', message: `the content is over ${contentBytesMax} bytes` };
}

/**
 * What decides whether a waiting envelope may give way. null for what is not about a file, cannot be read, or could be refused
 * by what stands in the workspace alone (access-rule files).
 */
export function shapeOf(provider: string, payload: unknown, contentBytesMax: number): CoalesceShape | null {
  const reading = readDelivery(provider, payload);
  if (!reading.ok || reading.delivery.kind === 'other') return null;
  const { delivery } = reading;
  if (isMarkerPath(delivery.path) || delivery.claim !== null) return null;
  if (delivery.kind === 'upsert' && !decode(delivery, contentBytesMax).ok) return null;
  return {
    kind: delivery.kind,
    path: delivery.path,
    objectId: delivery.objectId,
    hasContentType: delivery.kind === 'upsert' && delivery.contentType !== undefined,
    hasSemantics: delivery.kind === 'upsert' && delivery.semantics !== undefined,
  };
}

/** What the payload names as its path, to find the envelope by. */
export function pathIn(payload: Fields): string | null {
  const { path } = payload;
  return typeof path === 'string' && path.length <= pathBytesMax && path.isWellFormed() ? path : null;
}
