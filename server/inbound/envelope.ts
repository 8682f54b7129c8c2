// Serializes the request of an envelope and reads it back. core/inbound/read-payload.ts interprets the payload.
import { isAclPath } from '../core/access/acl.ts';
import type { Content } from '../core/change/change.ts';
import type { Encoding } from '../core/entry.ts';
import type { CoalesceShape } from '../core/inbound/coalesce.ts';
import { readPayload, type UpsertPayload } from '../core/inbound/read-payload.ts';
import { pathBytesMax } from '../core/paths/path.ts';
import { isLargeValue, jsonTextInSlices, parseJsonInSlices } from '../platform/json/json-slices.ts';
import type { EnvelopeRow, Prepared } from '../store/port/store.ts';
import { decodeContent, longContentCharacters, stageLong } from '../workspaces/decode-content.ts';
import { ContentTooLargeError } from '../workspaces/model.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

/** A longer text is parsed in slices. */
const longTextCharacters = 256 * 1024;

export type Fields = Readonly<Record<string, unknown>>;

/** All that a sender handed over. */
export interface Envelope {
  readonly headers: Fields | null;
  readonly payload: Fields;
}

export function envelopeText({ headers, payload }: Envelope): string {
  return JSON.stringify(headers === null ? { payload } : { headers, payload });
}

/** The same; one that holds much is written in slices. */
export async function longEnvelopeText({ headers, payload }: Envelope): Promise<string> {
  return await jsonTextInSlices(headers === null ? { payload } : { headers, payload });
}

export function isLongEnvelope({ headers, payload }: Envelope): boolean {
  return isLargeValue(payload) || isLargeValue(headers);
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

/** The same, of a pending envelope; a long one is read in slices. */
export async function loadPayload({ body, edited }: Pick<EnvelopeRow, 'body' | 'edited'>): Promise<Fields> {
  if (body === null) throw new Error('a pending envelope has no body');
  const text = edited ?? body;
  if (text.length <= longTextCharacters) return payloadOf({ body, edited });
  const value = await parseJsonInSlices(Buffer.from(text));
  return edited === null ? (value as Envelope).payload : (value as Fields);
}

/** Decodes the content; `stage: false` only looks whether that can be done. */
export async function prepare(
  provider: string,
  payload: unknown,
  contentBytesMax: number,
  workspaces: Pick<WorkspaceService, 'stage' | 'stageStream'>,
): Promise<Prepared> {
  const reading = readPayload(provider, payload);
  if (!reading.ok) return reading;
  const { delivery } = reading;
  if (delivery.kind !== 'upsert') return { ok: true, delivery };
  const staged = await stage(delivery, contentBytesMax, workspaces);
  if (!staged.ok) return staged;
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
      encoding: staged.encoding,
      content: staged.content,
    },
  };
}

type Staged = {
  readonly ok: true;
  readonly encoding: Encoding;
  readonly content: Content;
};

async function stage(
  delivery: UpsertPayload,
  contentBytesMax: number,
  workspaces: Pick<WorkspaceService, 'stage' | 'stageStream'>,
): Promise<Staged | Extract<Prepared, { ok: false }>> {
  if (delivery.content.length > longContentCharacters) {
    const { content, encoding } = delivery;
    try {
      const long = await stageLong(workspaces.stageStream, content, encoding, contentBytesMax);
      if (long.ok) return long;
      return { ok: false, cause: 'content_undecodable', message: long.message };
    } catch (error) {
      if (error instanceof ContentTooLargeError) return tooLarge(contentBytesMax);
      throw error;
    }
  }
  const decoded = decode(delivery, contentBytesMax);
  if (!decoded.ok) return decoded;
  return { ok: true, encoding: decoded.encoding, content: await workspaces.stage(decoded.bytes) };
}

function decode(
  delivery: UpsertPayload,
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
 * because of the contents of the workspace alone (access-rule files).
 */
export function shapeOf(provider: string, payload: unknown, contentBytesMax: number): CoalesceShape | null {
  const reading = readPayload(provider, payload);
  if (!reading.ok || reading.delivery.kind === 'other') return null;
  const { delivery } = reading;
  if (isAclPath(delivery.path) || delivery.claim !== null) return null;
  // Whether a long one can be decoded shows when it is applied.
  if (delivery.kind === 'upsert' && delivery.content.length > longContentCharacters) return null;
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
  const { data } = payload as { readonly data?: { readonly path?: unknown } | null };
  const path = payload.path ?? data?.path;
  return typeof path === 'string' && path.length <= pathBytesMax && path.isWellFormed() ? path : null;
}
