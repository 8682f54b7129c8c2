// Envelopes: taken in, found again, given up, put back. What a delivery does to files is in deliveries.ts; the rules are in core.
import type { EnvelopeOutcome, FailureCause } from '../contract/sync.ts';
import { type CoalesceShape, replaces } from '../core/coalesce.ts';
import { liveWorkspace } from './change-files.ts';
import type { Handlers } from './commands.ts';
import type {
  AcceptInput,
  AcceptResult,
  AttemptRow,
  DeadLetterQuery,
  EnvelopeRow,
  PendingEnvelope,
  ProviderFailures,
  ReplayInput,
} from './ingest-port.ts';
import type { IngressCounts } from './ingress.ts';
import { codeOf, wordOf } from './rows.ts';
import type { Statements } from './sqlite.ts';
import { appendEvent, type EventParts } from './system-events.ts';
import { workspaceNumber } from './workspaces.ts';

/** Stored numbers are positions in this list, from 1; the partial indexes of the schema name them. */
const stateWords = ['pending', 'dead_letter', 'settled'] as const;
/** Stored numbers are positions in this list. It only ever grows at the end. */
const outcomeWords: readonly EnvelopeOutcome[] = [
  'applied',
  'ignored',
  'suppressed',
  'stale',
  'coalesced',
  'acknowledged',
];
const kindCodes = { upsert: 1, delete: 2 } as const;
const attemptsShownMax = 1_000;
/** Signatures that are forgotten with each accepted one; two of them keep the table from growing. */
const signaturesSweptAtOnce = 2;

interface Row {
  readonly number: number;
  readonly workspace: number;
  readonly workspace_id: string;
  readonly envelope_id: string;
  readonly provider: string;
  readonly delivery_id: string;
  readonly correlation_id: string;
  readonly accepted_at: number;
  readonly occurred_at: number | null;
  readonly path: string | null;
  readonly state: number;
  readonly outcome: number | null;
  readonly settled_at: number | null;
  readonly attempts: number;
  readonly tries: number;
  readonly next_attempt_at: number | null;
  readonly failed_at: number | null;
  readonly cause: string | null;
  readonly last_error: string | null;
  readonly overwrite_newer: number;
  readonly size: number;
  readonly body: string | null;
  readonly edited: string | null;
}

const select = `SELECT envelopes.number AS number, workspace, workspace_id, envelope_id, provider, delivery_id, correlation_id,
  accepted_at, occurred_at, path, state, outcome, settled_at, attempts, tries, next_attempt_at, failed_at, cause,
  last_error, overwrite_newer, size, body, edited FROM envelopes
  JOIN workspaces ON workspaces.number = envelopes.workspace`;
/** The same over dead letters: named, because the planner would walk through every settled envelope instead. */
const selectDead = select.replace('FROM envelopes', 'FROM envelopes INDEXED BY envelopes_dead');

export interface EnvelopeParts extends EventParts {
  readonly ingress: IngressCounts;
}

/** What the writer needs of an envelope to carry it on. */
export interface StoredEnvelope
  extends Pick<
    EnvelopeRow,
    | 'number'
    | 'workspaceId'
    | 'provider'
    | 'correlationId'
    | 'acceptedAtMs'
    | 'occurredAtMs'
    | 'state'
    | 'attempts'
  > {
  readonly workspace: number;
  readonly sizeBytes: number;
  readonly overwriteNewer: boolean;
}

/** Read for each delivery: two looks take a quarter of the time that their join does. */
export function loadEnvelope(statements: Statements, number: number): StoredEnvelope | null {
  const row = statements.get<Row>(
    `SELECT number, workspace, provider, correlation_id, accepted_at, occurred_at, state, attempts, overwrite_newer, size
       FROM envelopes WHERE number = ?`,
    number,
  );
  if (row === undefined) return null;
  const workspace = statements.get<{ workspace_id: string }>(
    'SELECT workspace_id FROM workspaces WHERE number = ?',
    row.workspace,
  );
  if (workspace === undefined) throw new Error('an envelope belongs to no workspace');
  return {
    number,
    workspace: row.workspace,
    workspaceId: workspace.workspace_id,
    provider: row.provider,
    correlationId: row.correlation_id,
    acceptedAtMs: row.accepted_at,
    occurredAtMs: row.occurred_at,
    state: wordOf(stateWords, row.state - 1),
    attempts: row.attempts,
    sizeBytes: row.size,
    overwriteNewer: row.overwrite_newer === 1,
  };
}

// ---- reads

/** In the order of the numbers. */
export function readWaiting(statements: Statements, numbers: readonly number[]): readonly EnvelopeRow[] {
  return statements
    .all<Row>(
      `${select} WHERE envelopes.number IN (SELECT value FROM json_each(?)) AND state = 1 ORDER BY envelopes.number`,
      JSON.stringify(numbers),
    )
    .map(envelopeOf);
}

export function findEnvelope(
  statements: Statements,
  workspaceId: string,
  envelopeId: string,
): EnvelopeRow | null {
  const row = statements.get<Row>(
    `${select} WHERE envelope_id = ? AND workspace = ?`,
    envelopeId,
    workspaceNumber(statements, workspaceId),
  );
  return row === undefined ? null : envelopeOf(row);
}

export function findDeadLetters(statements: Statements, envelopeId: string): readonly EnvelopeRow[] {
  return statements
    .all<Row>(`${select} WHERE envelope_id = ? AND state = 2 AND deleted_at IS NULL`, envelopeId)
    .map(envelopeOf);
}

/** By workspace and provider, in each in the order of arrival; `after` is exclusive. */
export function pendingEnvelopes(
  statements: Statements,
  after: PendingEnvelope | null,
  limit: number,
): readonly PendingEnvelope[] {
  const workspace = after === null ? 0 : (workspaceNumber(statements, after.workspaceId) ?? 0);
  return statements
    .all<Row>(
      `SELECT envelopes.number AS number, provider, size, next_attempt_at, workspace_id
         FROM envelopes INDEXED BY envelopes_pending
         JOIN workspaces ON workspaces.number = envelopes.workspace
         WHERE state = 1 AND (workspace, provider, envelopes.number) > (?, ?, ?)
         ORDER BY workspace, provider, envelopes.number LIMIT ?`,
      workspace,
      after?.provider ?? '',
      after?.number ?? 0,
      limit,
    )
    .map(pendingOf);
}

export function listDeadLetters(
  statements: Statements,
  query: DeadLetterQuery,
): { items: readonly EnvelopeRow[]; more: boolean } | null {
  const { oldestFirst = false } = query;
  let from = oldestFirst ? 0 : Number.MAX_SAFE_INTEGER;
  if (query.cursor !== null) {
    const cursor = findEnvelope(statements, query.workspaceId, query.cursor);
    if (cursor === null) return null;
    from = cursor.number;
  }
  const text = query.text?.toLowerCase() ?? null;
  const rows = statements.all<Row>(
    `${selectDead} WHERE state = 2 AND workspace = ? AND envelopes.number ${oldestFirst ? '>' : '<'} ?
       AND (? IS NULL OR provider = ?) AND (? IS NULL OR cause = ?)
       AND (? IS NULL OR failed_at < ?)
       AND (? IS NULL OR instr(lower(coalesce(path, '') || ' ' || delivery_id || ' ' || last_error), ?) > 0)
       AND (? IS NULL OR envelope_id IN (SELECT value FROM json_each(?)))
       ORDER BY envelopes.number ${oldestFirst ? 'ASC' : 'DESC'} LIMIT ?`,
    workspaceNumber(statements, query.workspaceId),
    from,
    query.provider,
    query.provider,
    query.cause,
    query.cause,
    query.failedBeforeMs,
    query.failedBeforeMs,
    text,
    text,
    query.envelopeIds === null ? null : 1,
    query.envelopeIds === null ? '[]' : JSON.stringify(query.envelopeIds),
    query.limit + 1,
  );
  return { items: rows.slice(0, query.limit).map(envelopeOf), more: rows.length > query.limit };
}

export function listAttempts(statements: Statements, number: number): readonly AttemptRow[] {
  return statements
    .all<{ attempt: number; at: number; cause: string; message: string }>(
      `SELECT attempt, at, cause, message FROM envelope_attempts WHERE envelope = ?
         ORDER BY attempt DESC LIMIT ${attemptsShownMax}`,
      number,
    )
    .toReversed()
    .map(({ attempt, at, cause, message }) => ({ attempt, atMs: at, cause: cause as FailureCause, message }));
}

export function deadLetterCauses(
  statements: Statements,
  workspaceId: string | null,
): readonly ProviderFailures[] {
  return statements
    .all<{ workspace_id: string; provider: string; cause: string; count: number }>(
      `SELECT workspace_id, provider, cause, count(*) AS count FROM envelopes INDEXED BY envelopes_dead
         JOIN workspaces ON workspaces.number = envelopes.workspace AND deleted_at IS NULL
         WHERE state = 2 AND (? IS NULL OR workspace_id = ?) GROUP BY workspace_id, provider, cause`,
      workspaceId,
      workspaceId,
    )
    .map((row) => ({
      workspaceId: row.workspace_id,
      provider: row.provider,
      cause: row.cause as FailureCause,
      count: row.count,
    }));
}

export function lastErrors(statements: Statements, workspaceId: string): ReadonlyMap<string, string> {
  const rows = statements.all<{ provider: string; last_error: string }>(
    // https://sqlite.org/lang_select.html#bareagg: with max() the bare column comes from the row that holds it.
    `SELECT provider, last_error, max(envelopes.number) FROM envelopes INDEXED BY envelopes_dead
       WHERE state = 2 AND workspace = ? GROUP BY provider`,
    workspaceNumber(statements, workspaceId),
  );
  return new Map(rows.map((row) => [row.provider, row.last_error]));
}

/** Skips from one top to the next along the index, however many files lie below each. */
export function fileProviders(statements: Statements, workspaceId: string): readonly string[] {
  const workspace = workspaceNumber(statements, workspaceId);
  const found: string[] = [];
  for (let after = ''; ; ) {
    const row = statements.get<{ top: string }>(
      'SELECT top FROM entries WHERE workspace = ? AND top > ? ORDER BY top LIMIT 1',
      workspace,
      after,
    );
    if (row === undefined) return found;
    found.push(row.top);
    after = row.top;
  }
}

// ---- commands

export function envelopeHandlers(
  parts: EnvelopeParts,
): Handlers<'accept_envelope' | 'fail_envelope' | 'replay_envelopes' | 'acknowledge_envelopes'> {
  const { statements } = parts;
  return {
    accept_envelope: (input) => accept(parts, input),
    fail_envelope({ number, cause, message, atMs, retryAtMs }) {
      const envelope = loadEnvelope(statements, number);
      if (envelope?.state !== 'pending') return false;
      if (retryAtMs === null) {
        buryEnvelope(parts, envelope, cause, message, atMs);
        return true;
      }
      addAttempt(statements, envelope, cause, message, atMs);
      statements.run('UPDATE envelopes SET next_attempt_at = ? WHERE number = ?', retryAtMs, number);
      parts.ingress.count(envelope.workspace, envelope.provider, { retried: 1 });
      return true;
    },
    replay_envelopes: ({ rows, atMs }) => rows.flatMap((row) => replay(parts, row, atMs)),
    acknowledge_envelopes({ numbers, atMs }) {
      let acknowledged = 0;
      for (const number of numbers) {
        const envelope = loadEnvelope(statements, number);
        if (envelope?.state !== 'dead_letter') continue;
        settleEnvelope(parts, envelope, 'acknowledged', atMs);
        acknowledged += 1;
      }
      return acknowledged;
    },
  };
}

function accept(parts: EnvelopeParts, input: AcceptInput): AcceptResult {
  const { statements, ingress } = parts;
  const { provider, atMs, sizeBytes } = input;
  const workspace = liveWorkspace(statements, input.workspaceId);
  if (workspace === null) return { kind: 'workspace_not_found' };
  if (input.signature !== null && isKnownSignature(statements, input.signature.value, atMs)) {
    return { kind: 'replayed' };
  }
  const known = knownEnvelope(statements, workspace, input);
  if (known !== null) {
    takeSignature(statements, input);
    ingress.count(workspace, provider, { deduped: 1 });
    return { kind: 'duplicate', envelopeId: known };
  }
  const waiting = ingress.queue();
  const older = replacedBy(statements, workspace, input);
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
  const { number, envelopeId } = insertEnvelope(statements, workspace, input);
  ingress.moveQueue(1, sizeBytes);
  ingress.count(
    workspace,
    provider,
    { accepted: 1, pending: 1 },
    { envelopeId, receivedAtMs: input.occurredAtMs ?? atMs },
  );
  return { kind: 'accepted', number, envelopeId, replaced: older?.number ?? null };
}

function knownEnvelope(statements: Statements, workspace: number, input: AcceptInput): string | null {
  const byDelivery =
    input.deliveryId === null
      ? undefined
      : statements.get<{ envelope_id: string }>(
          'SELECT envelope_id FROM envelopes WHERE workspace = ? AND provider = ? AND delivery_id = ?',
          workspace,
          input.provider,
          input.deliveryId,
        );
  if (byDelivery !== undefined) return byDelivery.envelope_id;
  if (input.envelopeId === null) return null;
  const byId = statements.get(
    'SELECT 1 FROM envelopes WHERE envelope_id = ? AND workspace = ?',
    input.envelopeId,
    workspace,
  );
  return byId === undefined ? null : input.envelopeId;
}

/** The waiting envelope that the new one makes superfluous. */
function replacedBy(statements: Statements, workspace: number, input: AcceptInput): StoredEnvelope | null {
  const { shape, provider } = input;
  if (shape === null || !hasWaiting(statements, workspace, shape.path)) return null;
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

/** Most paths have none, and this is asked for each envelope: without ORDER BY it takes a quarter of the time. */
function hasWaiting(statements: Statements, workspace: number, path: string): boolean {
  const row = statements.get(
    'SELECT 1 FROM envelopes WHERE workspace = ? AND path = ? AND state = 1 AND kind IS NOT NULL LIMIT 1',
    workspace,
    path,
  );
  return row !== undefined;
}

function insertEnvelope(
  statements: Statements,
  workspace: number,
  input: AcceptInput,
): { number: number; envelopeId: string } {
  // The next number is known before the row is there: AUTOINCREMENT never gives one twice.
  const last = statements.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'envelopes'");
  const number = (last?.seq ?? 0) + 1;
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

// ---- steps between states, with their counters

/** To its end. What had failed keeps its body, so that it can still be looked at; of the rest the delivery id is enough. */
export function settleEnvelope(
  { statements, ingress }: EnvelopeParts,
  envelope: StoredEnvelope,
  outcome: EnvelopeOutcome,
  atMs: number,
): void {
  const keepsBody = envelope.attempts > 0;
  statements.run(
    `UPDATE envelopes SET state = 3, outcome = ?, settled_at = ?, next_attempt_at = NULL,
       body = CASE WHEN ? THEN body END, edited = CASE WHEN ? THEN edited END WHERE number = ?`,
    codeOf(outcomeWords, outcome),
    atMs,
    keepsBody ? 1 : 0,
    keepsBody ? 1 : 0,
    envelope.number,
  );
  const wasPending = envelope.state === 'pending';
  if (wasPending) ingress.moveQueue(-1, -envelope.sizeBytes);
  ingress.count(envelope.workspace, envelope.provider, {
    [outcome]: 1,
    ...(wasPending ? { pending: -1 } : { dead: -1 }),
  });
}

/** A pending envelope becomes a dead letter; the feed says so. */
export function buryEnvelope(
  parts: EnvelopeParts,
  envelope: StoredEnvelope,
  cause: FailureCause,
  message: string,
  atMs: number,
): void {
  const { statements, ingress } = parts;
  addAttempt(statements, envelope, cause, message, atMs);
  statements.run(
    `UPDATE envelopes SET state = 2, failed_at = ?, next_attempt_at = NULL, cause = ?, last_error = ? WHERE number = ?`,
    atMs,
    cause,
    message,
    envelope.number,
  );
  ingress.moveQueue(-1, -envelope.sizeBytes);
  ingress.count(envelope.workspace, envelope.provider, { pending: -1, dead: 1, dead_lettered: 1 });
  tellSync(parts, envelope, 'sync.error', atMs);
}

/** An event about the sync itself (contract 2, events: path "/", no revision). */
export function tellSync(
  parts: EventParts,
  envelope: StoredEnvelope,
  type: 'sync.error' | 'sync.ignored' | 'sync.suppressed' | 'sync.stale',
  atMs: number,
): void {
  appendEvent(
    parts,
    { number: envelope.workspace, workspaceId: envelope.workspaceId },
    {
      type,
      path: '/',
      revision: null,
      origin: 'provider_sync',
      provider: envelope.provider,
      correlationId: envelope.correlationId,
      atMs,
      rules: null,
    },
  );
}

function addAttempt(
  statements: Statements,
  envelope: StoredEnvelope,
  cause: FailureCause,
  message: string,
  atMs: number,
): void {
  statements.run(
    'INSERT INTO envelope_attempts (envelope, attempt, at, cause, message) VALUES (?, ?, ?, ?, ?)',
    envelope.number,
    envelope.attempts + 1,
    atMs,
    cause,
    message,
  );
  statements.run(
    'UPDATE envelopes SET attempts = attempts + 1, tries = tries + 1, cause = ?, last_error = ? WHERE number = ?',
    cause,
    message,
    envelope.number,
  );
}

/** The queue's bound is for what comes in; what somebody puts back is let in. It keeps its place in the order of arrival. */
function replay(
  { statements, ingress }: EnvelopeParts,
  input: ReplayInput,
  atMs: number,
): readonly PendingEnvelope[] {
  const envelope = loadEnvelope(statements, input.number);
  if (envelope?.state !== 'dead_letter') return [];
  statements.run(
    `UPDATE envelopes SET state = 1, tries = 0, kind = NULL, next_attempt_at = ?, overwrite_newer = ?,
       edited = coalesce(?, edited) WHERE number = ?`,
    atMs,
    input.overwriteNewer ? 1 : 0,
    input.edited,
    input.number,
  );
  ingress.moveQueue(1, envelope.sizeBytes);
  ingress.count(envelope.workspace, envelope.provider, { pending: 1, dead: -1, replayed: 1 });
  const { number, workspaceId, provider, sizeBytes } = envelope;
  return [{ number, workspaceId, provider, sizeBytes, nextAttemptAtMs: atMs }];
}

/** After envelopes went otherwise than through these steps. */
export function recountQueue(statements: Statements): void {
  statements.run(
    `UPDATE envelope_queue SET (pending, bytes) =
       (SELECT count(*), coalesce(sum(size), 0) FROM envelopes INDEXED BY envelopes_pending WHERE state = 1)`,
  );
}

// ---- rows

function pendingOf(row: Row): PendingEnvelope {
  return {
    number: row.number,
    workspaceId: row.workspace_id,
    provider: row.provider,
    sizeBytes: row.size,
    nextAttemptAtMs: row.next_attempt_at,
  };
}

function envelopeOf(row: Row): EnvelopeRow {
  return {
    number: row.number,
    envelopeId: row.envelope_id,
    workspaceId: row.workspace_id,
    provider: row.provider,
    deliveryId: row.delivery_id,
    correlationId: row.correlation_id,
    acceptedAtMs: row.accepted_at,
    occurredAtMs: row.occurred_at,
    path: row.path,
    state: wordOf(stateWords, row.state - 1),
    outcome: row.outcome === null ? null : wordOf(outcomeWords, row.outcome),
    settledAtMs: row.settled_at,
    attempts: row.attempts,
    tries: row.tries,
    nextAttemptAtMs: row.next_attempt_at,
    failedAtMs: row.failed_at,
    cause: row.cause as FailureCause | null,
    lastError: row.last_error,
    body: row.body,
    edited: row.edited,
  };
}
