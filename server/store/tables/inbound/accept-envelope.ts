// Accepts an envelope: a known one is answered with the first one's id, a waiting one may be coalesced, a full queue refuses. It
// reads no body; what may be coalesced is decided in core/inbound/coalesce.

import { isHandedInBy, readAuthority } from '../../../core/access/authority.ts';
import { type CoalesceShape, replaces } from '../../../core/inbound/coalesce.ts';
import { systemRandom } from '../../../platform/crypto/hashes.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { AcceptInput, AcceptResult } from '../../port/envelopes.ts';
import { findActiveWorkspace } from '../workspaces/workspaces.ts';
import { storedText } from './envelope-texts.ts';
import { loadEnvelope, type StoredEnvelope } from './envelopes.ts';
import { type EnvelopeDeps, finishEnvelope } from './finish-envelope.ts';
import type { RecentEnvelopes } from './recent-envelopes.ts';

const kindCodes = { upsert: 1, delete: 2 } as const;
/** Expired signatures that are deleted with each accepted one; two of them keep the table from growing. */
const expiredSignaturesMax = 2;

export interface AcceptDeps extends EnvelopeDeps {
  readonly recent: RecentEnvelopes;
}

export function acceptEnvelope(deps: AcceptDeps, input: AcceptInput): AcceptResult {
  const { statements, ingress, recent } = deps;
  const { provider, atMs, sizeBytes, shape } = input;
  const workspace = findActiveWorkspace(statements, input.workspaceId);
  if (workspace === null) return { kind: 'workspace_not_found' };
  if (input.signature !== null && isKnownSignature(statements, input.signature.value, atMs)) {
    return { kind: 'replayed' };
  }
  const waiting = ingress.queue();
  const older = replacedBy(deps, workspace, input);
  // An empty queue accepts a body that alone exceeds the limit.
  const freed = older?.sizeBytes ?? 0;
  const noRoom =
    (older === null && waiting.pending >= input.capacity.envelopes) ||
    (waiting.pending > 0 && waiting.bytes - freed + sizeBytes > input.capacity.bytes);
  // Few are known already, and the insertion reads the indexes in any case.
  const inserted = noRoom ? null : insertOverOthers(deps, workspace, input);
  if (inserted === null) {
    const known = knownEnvelope(statements, workspace, input);
    if (known !== null) {
      takeSignature(statements, input);
      ingress.count(workspace, provider, { deduped: 1 });
      return { kind: 'duplicate', envelopeId: known };
    }
    if (!noRoom) throw new Error('an unknown envelope was refused');
    ingress.count(workspace, provider, { dropped: 1 });
    return { kind: 'full' };
  }
  takeSignature(statements, input);
  if (older !== null) finishEnvelope(deps, older, 'coalesced', atMs);
  ingress.moveQueue(1, sizeBytes);
  const { number, envelopeId } = inserted;
  if (shape !== null) {
    recent.note(workspace, provider, shape, { number, atMs, windowMs: input.coalesceWindowMs });
  }
  ingress.countAccepted(workspace, provider, envelopeId, input.occurredAtMs ?? atMs);
  return { kind: 'accepted', number, envelopeId };
}

/** The first envelope of this delivery, or the one with the same envelope id. */
function knownEnvelope(statements: ReadStatements, workspace: number, input: AcceptInput): string | null {
  const delivered = deliveredBefore(statements, workspace, input);
  if (delivered !== undefined && isRepeat(delivered, input)) return delivered.envelope_id;
  return sameEnvelope(statements, workspace, input);
}

interface DeliveredRow {
  readonly number: number;
  readonly envelope_id: string;
  readonly authority: string | null;
}

function deliveredBefore(
  statements: ReadStatements,
  workspace: number,
  { provider, deliveryId }: Pick<AcceptInput, 'provider' | 'deliveryId'>,
): DeliveredRow | undefined {
  return statements.get<DeliveredRow>(
    'SELECT number, envelope_id, authority FROM envelopes WHERE workspace = ? AND provider = ? AND delivery_id = ?',
    workspace,
    provider,
    deliveryId,
  );
}

/** An applied envelope has no authority any more: every sender may repeat it. */
function isRepeat({ authority }: DeliveredRow, input: AcceptInput): boolean {
  return isHandedInBy(readAuthority(authority), readAuthority(input.authority));
}

/**
 * An unapplied envelope of another sender, which perhaps never may be applied, must not count as this one: it stays in the queue or
 * among the dead letters, and loses its delivery id. Its new one cannot be guessed, so no sender can claim it.
 */
function insertOverOthers(
  deps: EnvelopeDeps,
  workspace: number,
  input: AcceptInput,
): { number: number; envelopeId: string } | null {
  const inserted = insertEnvelope(deps, workspace, input);
  if (inserted !== null) return inserted;
  const known = deliveredBefore(deps.statements, workspace, input);
  if (known === undefined || isRepeat(known, input)) return null;
  deps.statements.run(
    "UPDATE envelopes SET delivery_id = delivery_id || '#' || ? WHERE number = ?",
    Buffer.from(systemRandom(8)).toString('hex'),
    known.number,
  );
  return insertEnvelope(deps, workspace, input);
}

/** A sender that names its envelopes itself sends one again under the same name. */
function sameEnvelope(statements: ReadStatements, workspace: number, input: AcceptInput): string | null {
  if (input.envelopeId === null) return null;
  const row = statements.get(
    'SELECT 1 FROM envelopes WHERE envelope_id = ? AND workspace = ?',
    input.envelopeId,
    workspace,
  );
  return row === undefined ? null : input.envelopeId;
}

interface WaitingRow {
  readonly kind: number;
  readonly accepted_at: number;
  readonly occurred_at: number | null;
  readonly has_content_type: number;
  readonly has_semantics: number;
}

/** The waiting envelope that the new one replaces. */
function replacedBy(
  { statements, recent }: AcceptDeps,
  workspace: number,
  input: AcceptInput,
): StoredEnvelope | null {
  const { shape, provider } = input;
  const number = shape === null ? null : recent.newestOf(workspace, provider, shape);
  if (shape === null || number === null) return null;
  const row = statements.get<WaitingRow>(
    `SELECT kind, accepted_at, occurred_at, has_content_type, has_semantics FROM envelopes
       WHERE number = ? AND workspace = ? AND provider = ? AND path = ? AND object_id IS ?
         AND state = 1 AND kind IS NOT NULL AND authority IS ?`,
    number,
    workspace,
    provider,
    shape.path,
    shape.objectId,
    // A sender that may not write the file must not replace the envelope of one that may.
    input.authority,
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
  return gives ? loadEnvelope(statements, number) : null;
}

/** null: its delivery, or its name, is known. */
function insertEnvelope(
  { statements, ingress }: EnvelopeDeps,
  workspace: number,
  input: AcceptInput,
): { number: number; envelopeId: string } | null {
  const number = ingress.lastNumber() + 1;
  const madeId = `${input.atMs}${String(number % 1_000_000).padStart(6, '0')}`;
  const envelopeId = input.envelopeId ?? `env_${madeId}`;
  const { shape } = input;
  const { changes } = statements.run(
    `INSERT INTO envelopes (number, workspace, envelope_id, provider, delivery_id, correlation_id, accepted_at, occurred_at,
       path, object_id, kind, has_content_type, has_semantics, state, attempts, tries, overwrite_newer, size, body,
       authority)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, 0, 0, ?, ?, ?) ON CONFLICT DO NOTHING`,
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
    storedText(input.body),
    input.authority,
  );
  if (changes === 0) return null;
  ingress.tookNumber(number);
  return { number, envelopeId };
}

function isKnownSignature(statements: ReadStatements, signature: string, nowMs: number): boolean {
  return (
    statements.get(
      'SELECT 1 FROM internal_signatures WHERE signature = ? AND expires_at > ?',
      signature,
      nowMs,
    ) !== undefined
  );
}

/** Only together with its envelope: a request that was refused because the queue is full may be repeated. */
function takeSignature(statements: WriteStatements, { signature, atMs }: AcceptInput): void {
  if (signature === null) return;
  statements.run(
    `DELETE FROM internal_signatures WHERE signature IN
       (SELECT signature FROM internal_signatures WHERE expires_at <= ? LIMIT ${expiredSignaturesMax})`,
    atMs,
  );
  statements.run(
    'INSERT OR REPLACE INTO internal_signatures (signature, expires_at) VALUES (?, ?)',
    signature.value,
    signature.expiresAtMs,
  );
}
