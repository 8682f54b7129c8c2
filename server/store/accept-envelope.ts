// Taking an envelope in: known ones are answered with the first one's id, a waiting one may give way, a full queue refuses.
// Nothing here looks into a body; what may be coalesced is decided in core/coalesce.
import { type CoalesceShape, replaces } from '../core/coalesce.ts';
import { type EnvelopeParts, settleEnvelope } from './envelope-steps.ts';
import { loadEnvelope, type StoredEnvelope } from './envelopes.ts';
import type { AcceptInput, AcceptResult } from './ingest-port.ts';
import type { Statements } from './sqlite.ts';

const kindCodes = { upsert: 1, delete: 2 } as const;
/** Signatures that are forgotten with each accepted one; two of them keep the table from growing. */
const signaturesSweptAtOnce = 2;

/** What one look finds out about all that decides; more looks cost as much as the row that is written then. */
interface Circumstances {
  readonly workspace: number;
  /** AUTOINCREMENT never gives a number twice, so the next one is known before its row is there. */
  readonly last_number: number | null;
  /** The envelope that brought this delivery first. */
  readonly delivered: string | null;
  /** Does anything that could give way wait for the path? Most paths have none. */
  readonly waits: 0 | 1;
}

const look = `SELECT number AS workspace,
    (SELECT seq FROM sqlite_sequence WHERE name = 'envelopes') AS last_number,
    (SELECT envelope_id FROM envelopes
       WHERE workspace = workspaces.number AND provider = ? AND delivery_id = ?) AS delivered,
    EXISTS (SELECT 1 FROM envelopes
       WHERE workspace = workspaces.number AND path = ? AND state = 1 AND kind IS NOT NULL) AS waits
  FROM workspaces WHERE workspace_id = ? AND deleted_at IS NULL`;

export function acceptEnvelope(parts: EnvelopeParts, input: AcceptInput): AcceptResult {
  const { statements, ingress } = parts;
  const { provider, atMs, sizeBytes, shape } = input;
  const found = statements.get<Circumstances>(
    look,
    provider,
    input.deliveryId,
    shape?.path ?? null,
    input.workspaceId,
  );
  if (found === undefined) return { kind: 'workspace_not_found' };
  const { workspace } = found;
  if (input.signature !== null && isKnownSignature(statements, input.signature.value, atMs)) {
    return { kind: 'replayed' };
  }
  const known = found.delivered ?? sameEnvelope(statements, workspace, input);
  if (known !== null) {
    takeSignature(statements, input);
    ingress.count(workspace, provider, { deduped: 1 });
    return { kind: 'duplicate', envelopeId: known };
  }
  const waiting = ingress.queue();
  const older = found.waits === 1 ? replacedBy(statements, workspace, input) : null;
  // A body that alone is over the bound is let into an empty queue.
  const freed = older?.sizeBytes ?? 0;
  const noRoom =
    (older === null && waiting.pending >= input.capacity.envelopes) ||
    (waiting.pending > 0 && waiting.bytes - freed + sizeBytes > input.capacity.bytes);
  if (noRoom) {
    ingress.count(workspace, provider, { dropped: 1 });
    return { kind: 'full' };
  }
  takeSignature(statements, input);
  if (older !== null) settleEnvelope(parts, older, 'coalesced', atMs);
  const { number, envelopeId } = insertEnvelope(statements, found, input);
  ingress.moveQueue(1, sizeBytes);
  ingress.count(
    workspace,
    provider,
    { accepted: 1, pending: 1 },
    { envelopeId, receivedAtMs: input.occurredAtMs ?? atMs },
  );
  return { kind: 'accepted', number, envelopeId, replaced: older?.number ?? null };
}

/** A sender that names its envelopes itself sends one again under the same name. */
function sameEnvelope(statements: Statements, workspace: number, input: AcceptInput): string | null {
  if (input.envelopeId === null) return null;
  const row = statements.get(
    'SELECT 1 FROM envelopes WHERE envelope_id = ? AND workspace = ?',
    input.envelopeId,
    workspace,
  );
  return row === undefined ? null : input.envelopeId;
}

/** The waiting envelope that the new one makes superfluous. */
function replacedBy(statements: Statements, workspace: number, input: AcceptInput): StoredEnvelope | null {
  const { shape, provider } = input;
  if (shape === null) return null;
  const row = statements.get<{
    number: number;
    kind: number;
    accepted_at: number;
    occurred_at: number | null;
    has_content_type: number;
    has_semantics: number;
  }>(
    `SELECT number, kind, accepted_at, occurred_at, has_content_type, has_semantics FROM envelopes
       WHERE workspace = ? AND path = ? AND state = 1 AND kind IS NOT NULL AND provider = ? AND object_id IS ?
       ORDER BY number DESC LIMIT 1`,
    workspace,
    shape.path,
    provider,
    shape.objectId,
  );
  if (row === undefined) return null;
  const older: CoalesceShape = {
    kind: row.kind === kindCodes.upsert ? 'upsert' : 'delete',
    path: shape.path,
    objectId: shape.objectId,
    hasContentType: row.has_content_type === 1,
    hasSemantics: row.has_semantics === 1,
  };
  const gives = replaces(
    { shape, acceptedAtMs: input.atMs, occurredAtMs: input.occurredAtMs },
    { shape: older, acceptedAtMs: row.accepted_at, occurredAtMs: row.occurred_at },
    input.coalesceWindowMs,
  );
  return gives ? loadEnvelope(statements, row.number) : null;
}

function insertEnvelope(
  statements: Statements,
  { workspace, last_number }: Circumstances,
  input: AcceptInput,
): { number: number; envelopeId: string } {
  const number = (last_number ?? 0) + 1;
  const madeId = `${input.atMs}${String(number % 1_000_000).padStart(6, '0')}`;
  const envelopeId = input.envelopeId ?? `env_${madeId}`;
  const { shape } = input;
  statements.run(
    `INSERT INTO envelopes (number, workspace, envelope_id, provider, delivery_id, correlation_id, accepted_at, occurred_at,
       path, object_id, kind, has_content_type, has_semantics, state, attempts, tries, overwrite_newer, size, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, 0, 0, ?, ?)`,
    number,
    workspace,
    envelopeId,
    input.provider,
    input.deliveryId ?? `dlv_${madeId}`,
    input.correlationId,
    input.atMs,
    input.occurredAtMs,
    shape?.path ?? input.path,
    shape?.objectId ?? null,
    shape === null ? null : kindCodes[shape.kind],
    shape?.hasContentType === true ? 1 : 0,
    shape?.hasSemantics === true ? 1 : 0,
    input.sizeBytes,
    input.body,
  );
  return { number, envelopeId };
}

function isKnownSignature(statements: Statements, signature: string, nowMs: number): boolean {
  return (
    statements.get(
      'SELECT 1 FROM internal_signatures WHERE signature = ? AND expires_at > ?',
      signature,
      nowMs,
    ) !== undefined
  );
}

/** Only together with what the request brought: one that was refused for want of room may come again. */
function takeSignature(statements: Statements, { signature, atMs }: AcceptInput): void {
  if (signature === null) return;
  statements.run(
    `DELETE FROM internal_signatures WHERE signature IN
       (SELECT signature FROM internal_signatures WHERE expires_at <= ? LIMIT ${signaturesSweptAtOnce})`,
    atMs,
  );
  statements.run(
    'INSERT OR REPLACE INTO internal_signatures (signature, expires_at) VALUES (?, ?)',
    signature.value,
    signature.expiresAtMs,
  );
}
