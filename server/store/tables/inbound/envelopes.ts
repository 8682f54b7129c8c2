// Rows of envelopes, and the waiting ones. Accepting is in accept-envelope.ts, the end of one in finish-envelope.ts, applying in
// apply-envelopes.ts; the rules are in core/inbound.
import type { EnvelopeOutcome, FailureCause } from '../../../contract/sync.ts';
import { type Authority, readAuthority } from '../../../core/access/authority.ts';
import { wordOf } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { EnvelopeHead, EnvelopeRow, EnvelopeToLoad, PendingEnvelope } from '../../port/envelopes.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

/** Stored numbers are positions in this list, from 1; the partial indexes of the schema name them. */
const stateWords = ['pending', 'dead_letter', 'settled'] as const;
/** Stored numbers are positions in this list. It only ever grows at the end. */
export const outcomeWords: readonly EnvelopeOutcome[] = [
  'applied',
  'ignored',
  'suppressed',
  'stale',
  'coalesced',
  'acknowledged',
];

export interface StoredEnvelopeRow {
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
  readonly authority: string | null;
}

export type HeadRecord = Omit<StoredEnvelopeRow, 'overwrite_newer' | 'size' | 'body' | 'edited'>;

const headColumns = `envelopes.number AS number, workspace, workspace_id, envelope_id, provider, delivery_id, correlation_id,
  accepted_at, occurred_at, path, state, outcome, settled_at, attempts, tries, next_attempt_at, failed_at, cause, last_error, authority`;
const fromEnvelopes = 'FROM envelopes JOIN workspaces ON workspaces.number = envelopes.workspace';
/** Columns that are not named are not read: a body is on pages of its own. */
export const selectHead = `SELECT ${headColumns} ${fromEnvelopes}`;
export const selectEnvelope = `SELECT ${headColumns}, overwrite_newer, size, body, edited ${fromEnvelopes}`;

/** The columns of an envelope that the writer needs. */
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
  readonly authority: Authority | null;
}

/** Read for each envelope: two lookups take a quarter of the time of their join. */
export function loadEnvelope(statements: ReadStatements, number: number): StoredEnvelope | null {
  const row = statements.get<StoredEnvelopeRow>(
    `SELECT number, workspace, provider, correlation_id, accepted_at, occurred_at, state, attempts, overwrite_newer, size,
       authority FROM envelopes WHERE number = ?`,
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
    authority: readAuthority(row.authority),
  };
}

/** In the order of the numbers. */
export function readWaiting(
  statements: ReadStatements,
  envelopes: readonly EnvelopeToLoad[],
): readonly EnvelopeRow[] {
  // SQLite reads the pages of a body only where the CASE names it.
  return statements
    .all<StoredEnvelopeRow>(
      `SELECT ${headColumns}, edited, CASE WHEN with_body THEN body END AS body
         FROM (SELECT value ->> 'number' AS wanted, value ->> 'withBody' AS with_body FROM json_each(?))
         CROSS JOIN envelopes ON envelopes.number = wanted
         JOIN workspaces ON workspaces.number = envelopes.workspace
         WHERE state = 1 ORDER BY envelopes.number`,
      JSON.stringify(envelopes),
    )
    .map(envelopeOf);
}

export function findEnvelope(
  statements: ReadStatements,
  workspaceId: string,
  envelopeId: string,
): EnvelopeRow | null {
  const row = statements.get<StoredEnvelopeRow>(
    `${selectEnvelope} WHERE envelope_id = ? AND workspace = ?`,
    envelopeId,
    workspaceNumber(statements, workspaceId),
  );
  return row === undefined ? null : envelopeOf(row);
}

/** By workspace and provider, in each in the order of arrival; `after` is exclusive. */
export function pendingEnvelopes(
  statements: ReadStatements,
  after: PendingEnvelope | null,
  limit: number,
): readonly PendingEnvelope[] {
  const workspace = after === null ? 0 : (workspaceNumber(statements, after.workspaceId) ?? 0);
  return statements
    .all<StoredEnvelopeRow>(
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

function pendingOf(row: StoredEnvelopeRow): PendingEnvelope {
  return {
    number: row.number,
    workspaceId: row.workspace_id,
    provider: row.provider,
    sizeBytes: row.size,
    nextAttemptAtMs: row.next_attempt_at,
  };
}

export function envelopeOf(row: StoredEnvelopeRow): EnvelopeRow {
  return { ...headOf(row), body: row.body, edited: row.edited };
}

export function headOf(row: HeadRecord): EnvelopeHead {
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
    authority: readAuthority(row.authority),
  };
}
