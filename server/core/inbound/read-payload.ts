// Reads the inbound change from a provider's payload, or why the payload cannot be read. Pure and without bytes: the caller decodes
// the content. What the change may do is decided in decide-envelope.ts.

import type { Semantics } from '../../contract/common.ts';
import type { FailureCause } from '../../contract/sync.ts';
import { isRecord } from '../json.ts';
import { LongText } from '../long-text.ts';
import { parseWritePath } from '../paths/path.ts';

/** The payload's claim that one of our writes caused it. */
export interface EchoClaim {
  readonly opId: string | null;
  readonly correlationId: string | null;
}

interface About {
  readonly path: string;
  /** The provider's own id of the file. */
  readonly objectId: string | null;
  readonly claim: EchoClaim | null;
}

export interface UpsertPayload extends About {
  readonly kind: 'upsert';
  readonly content: string | LongText;
  /** As it was sent. */
  readonly encoding: string | undefined;
  readonly contentType: string | undefined;
  readonly semantics: Semantics | undefined;
}

export interface DeletePayload extends About {
  readonly kind: 'delete';
}

export interface OtherPayload {
  readonly kind: 'other';
  /** What the provider calls it. */
  readonly eventType: string;
  /** The path that it names; null: nothing that could be a path. */
  readonly path: string | null;
}

export type ReadPayload = UpsertPayload | DeletePayload | OtherPayload;

export interface Unreadable {
  readonly cause: FailureCause;
  /** A phrase for people. */
  readonly message: string;
}

export type PayloadReading =
  | { readonly ok: true; readonly delivery: ReadPayload }
  | ({ readonly ok: false } & Unreadable);

const eventTypePattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
const objectIdCharactersMax = 512;
const contentTypeCharactersMax = 255;
const semanticsCharactersMax = 256 * 1024;
/** The only folders of Slack. */
const slackPath = /^\/slack\/(?:channels|dms|teams|users)\//;

type Fields = Readonly<Record<string, unknown>>;

/** Thrown inside this file only. */
class Refusal extends Error {
  readonly reading: Unreadable;
  constructor(cause: FailureCause, message: string) {
    super(message);
    this.reading = { cause, message };
  }
}

/** `payload`: `event_type` (or `type`), `path`, and under `data`, or beside them, the file's fields. */
export function readPayload(provider: string, payload: unknown): PayloadReading {
  try {
    return { ok: true, delivery: read(provider, payload) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, ...error.reading };
    throw error;
  }
}

function read(provider: string, payload: unknown): ReadPayload {
  if (!isRecord(payload)) throw new Refusal('payload_malformed', 'the payload is not an object');
  const eventType = payload.event_type ?? payload.type;
  if (typeof eventType !== 'string' || !eventTypePattern.test(eventType)) {
    throw new Refusal('event_type_malformed', 'the event type is not a name such as file.updated');
  }
  const kind = kindOf(eventType);
  if (kind === 'other') return { kind, eventType, path: subjectOf(payload) };
  if (payload.data !== undefined && payload.data !== null && !isRecord(payload.data)) {
    throw new Refusal('payload_malformed', '"data" is not an object');
  }
  const data = isRecord(payload.data) ? payload.data : payload;
  const about = {
    path: pathOf(provider, payload.path ?? data.path),
    objectId: textOrNull(data, 'providerObjectId', 'objectId', objectIdCharactersMax),
    claim: claimOf(data),
  };
  if (kind === 'delete') return { kind, ...about };
  const { content, encoding } = data;
  if (content === undefined)
    throw new Refusal('payload_malformed', '"content" is missing: what the file holds');
  if (typeof content !== 'string' && !(content instanceof LongText))
    throw new Refusal('payload_malformed', '"content" is not a text');
  if (encoding !== undefined && encoding !== null && typeof encoding !== 'string') {
    throw new Refusal('content_undecodable', '"encoding" is neither utf-8 nor base64');
  }
  return {
    kind,
    ...about,
    content,
    encoding: encoding ?? undefined,
    contentType: contentTypeOf(data.contentType),
    semantics: semanticsOf(data),
  };
}

/** The path of an event of an unknown type; such an event changes no file, so any other value is accepted. */
function subjectOf(payload: Fields): string | null {
  const { data } = payload;
  const raw = payload.path ?? (isRecord(data) ? data.path : undefined);
  const parsed = typeof raw === 'string' ? parseWritePath(raw) : null;
  return parsed?.ok === true ? parsed.path : null;
}

function kindOf(eventType: string): ReadPayload['kind'] {
  if (eventType === 'file.created' || eventType === 'file.updated') return 'upsert';
  return eventType === 'file.deleted' ? 'delete' : 'other';
}

function pathOf(provider: string, raw: unknown): string {
  if (typeof raw !== 'string') throw new Refusal('path_invalid', 'the path is missing');
  const parsed = parseWritePath(raw);
  if (!parsed.ok) throw new Refusal('path_invalid', parsed.reason);
  if (provider === 'slack' && !slackPath.test(parsed.path)) {
    throw new Refusal(
      'path_refused_by_provider',
      'files of slack lie below /slack/channels, /slack/dms, /slack/teams or /slack/users',
    );
  }
  return parsed.path;
}

function claimOf(data: Fields): EchoClaim | null {
  if (data.origin !== 'relayfile' && data.origin !== 'mooring') return null;
  const opId = typeof data.opId === 'string' && data.opId !== '' ? data.opId : null;
  const correlationId =
    typeof data.correlationId === 'string' && data.correlationId !== '' ? data.correlationId : null;
  return { opId, correlationId };
}

function contentTypeOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > contentTypeCharactersMax || !value.isWellFormed()) {
    throw new Refusal('payload_malformed', '"contentType" is too long or no text');
  }
  return value;
}

/** `semantics`, or the same parts flat under their names or the other name that each has. Undefined: none at all. */
function semanticsOf(data: Fields): Semantics | undefined {
  if (data.semantics !== undefined && data.semantics !== null && !isRecord(data.semantics)) {
    throw new Refusal('payload_malformed', '"semantics" is not an object');
  }
  const source = isRecord(data.semantics) ? data.semantics : data;
  const properties = propertiesOf(source.properties);
  const relations = listOf('relations', source.relations ?? source.relationIds);
  const permissions = listOf('permissions', source.permissions ?? source.acl);
  const comments = listOf('comments', source.comments ?? source.commentIds);
  const texts = [...Object.entries(properties).flat(), ...relations, ...permissions, ...comments];
  if (texts.length === 0) return undefined;
  if (texts.reduce((sum, text) => sum + text.length, 0) > semanticsCharactersMax) {
    throw new Refusal('payload_malformed', `metadata is longer than ${semanticsCharactersMax} characters`);
  }
  if (!texts.every((text) => text.isWellFormed())) {
    throw new Refusal('payload_malformed', 'metadata holds an unpaired surrogate');
  }
  return { properties, relations, permissions, comments };
}

/** Values that are not text are stored as JSON. */
function propertiesOf(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw new Refusal('payload_malformed', '"properties" is not an object');
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one : jsonText(one)]),
  );
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Deeper than the stack: the parser accepts any depth, the writer does not.
    if (error instanceof RangeError) throw new Refusal('payload_malformed', 'metadata is nested too deeply');
    throw error;
  }
}

function listOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new Refusal('payload_malformed', `"${name}" is not a list of texts`);
}

function textOrNull(data: Fields, name: string, otherName: string, charactersMax: number): string | null {
  const value = data[name] ?? data[otherName];
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > charactersMax || !text.isWellFormed()) {
    throw new Refusal('payload_malformed', `"${name}" is too long or no text`);
  }
  return text;
}
