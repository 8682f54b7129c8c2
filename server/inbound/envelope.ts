// Serializes the request of an envelope and reads it back. core/inbound/read-payload.ts interprets the payload.
import { isAclPath } from '../core/access/acl.ts';
import type { Content } from '../core/change/change.ts';
import type { Encoding } from '../core/entry.ts';
import type { CoalesceShape } from '../core/inbound/coalesce.ts';
import { readPayload, type UpsertPayload } from '../core/inbound/read-payload.ts';
import { pathBytesMax } from '../core/paths/path.ts';
import { parseJsonWithLongTexts } from '../platform/json/parse-in-slices.ts';
import { isLargeValue } from '../platform/json/slice-sizes.ts';
import { sharedJsonInSlices } from '../platform/json/write-in-slices.ts';
import type { EnvelopeText, EnvelopeTexts, IngestStore, Prepared } from '../store/port/store.ts';
import { decodeContent, isShortContent, stageLong } from '../workspaces/decode-content.ts';
import { ContentTooLargeError } from '../workspaces/model.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

/** The member of a payload that is a LongText when it has many characters. */
const longMember = 'content';

export type Fields = Readonly<Record<string, unknown>>;

/** All that a sender handed over. */
export interface Envelope {
  readonly headers: Fields | null;
  readonly payload: Fields;
}

/** A long one is written in slices. */
export async function envelopeText({ headers, payload }: Envelope): Promise<EnvelopeText> {
  const stored = headers === null ? { payload } : { headers, payload };
  return await jsonOf(stored, isLargeValue(payload) || isLargeValue(headers));
}

export async function payloadText(payload: unknown): Promise<EnvelopeText> {
  return await jsonOf(payload, isLargeValue(payload));
}

async function jsonOf(value: unknown, isLarge: boolean): Promise<EnvelopeText> {
  return isLarge ? await sharedJsonInSlices(value) : JSON.stringify(value);
}

/** The text is ours: what is kept was written by `envelopeText`. */
export async function readEnvelope(text: EnvelopeText): Promise<Envelope> {
  const { headers, payload } = (await parsed(text)) as { headers?: Fields; payload: Fields };
  return { headers: headers ?? null, payload };
}

/** The corrected payload where there is one. */
export async function payloadOf({ body, edited }: EnvelopeTexts): Promise<Fields> {
  if (edited !== null) return await readPayloadText(edited);
  if (body === null) throw new Error('a waiting envelope or a dead letter has no body');
  return (await readEnvelope(body)).payload;
}

export async function readPayloadText(text: EnvelopeText): Promise<Fields> {
  return (await parsed(text)) as Fields;
}

async function parsed(text: EnvelopeText): Promise<unknown> {
  return typeof text === 'string' ? JSON.parse(text) : (await parseJsonWithLongTexts(text, longMember)).value;
}

/** Of a row: a long one is read for it. */
export async function textsOf(
  store: Pick<IngestStore, 'texts'>,
  row: EnvelopeTexts & { readonly number: number; readonly isLong: boolean },
): Promise<EnvelopeTexts> {
  if (!row.isLong) return row;
  return (await store.texts({ number: row.number })) ?? { body: null, edited: null };
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
  const { content, encoding } = delivery;
  if (!isShortContent(content)) {
    try {
      const long = await stageLong(workspaces.stageStream, content, encoding, contentBytesMax);
      if (long.ok) return long;
      return { ok: false, cause: 'content_undecodable', message: long.message };
    } catch (error) {
      if (error instanceof ContentTooLargeError) return tooLarge(contentBytesMax);
      throw error;
    }
  }
  const decoded = decode(content, encoding, contentBytesMax);
  if (!decoded.ok) return decoded;
  return { ok: true, encoding: decoded.encoding, content: await workspaces.stage(decoded.bytes) };
}

function decode(
  content: string,
  encoding: string | undefined,
  contentBytesMax: number,
): Exclude<ReturnType<typeof decodeContent>, { ok: false }> | Extract<Prepared, { ok: false }> {
  // Four characters of base64 are three bytes; a text has at least as many bytes as characters.
  if ((content.length / 4) * 3 > contentBytesMax + 2) return tooLarge(contentBytesMax);
  const decoded = decodeContent(content, encoding);
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
  if (delivery.kind === 'upsert') {
    const { content, encoding } = delivery;
    // Whether a long one can be decoded shows when it is applied.
    if (!isShortContent(content) || !decode(content, encoding, contentBytesMax).ok) return null;
  }
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
