// Rows of envelopes, and the waiting ones. Accepting is in accept-envelope.ts, the end of one in finish-envelope.ts, applying in
// apply-envelopes.ts; the rules are in core/inbound.
import type { EnvelopeOutcome } from '../../../contract/sync.ts';
import { type Authority, readAuthority } from '../../../core/access/authority.ts';
import { wordOf } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import {
  type EnvelopeHead,
  type EnvelopeRow,
  type EnvelopeToLoad,
  longEnvelopeBytes,
  type PendingEnvelope,
} from '../../port/envelopes.ts';
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

/** As stored: numbers of words, and the authority as text. */
export type StoredHead = Omit<EnvelopeHead, 'state' | 'outcome' | 'authority'> & {
  readonly state: number;
  readonly outcome: number | null;
  readonly authority: string | null;
};
export type StoredRow = StoredHead & Pick<EnvelopeRow, 'body' | 'edited'> & { readonly isLong: number };

const headColumns = `envelopes.number AS number, envelope_id AS envelopeId, workspace_id AS workspaceId, provider,
  delivery_id AS deliveryId, correlation_id AS correlationId, accepted_at AS acceptedAtMs, occurred_at AS occurredAtMs, path, state,
  outcome, settled_at AS settledAtMs, attempts, tries, next_attempt_at AS nextAttemptAtMs, failed_at AS failedAtMs, cause,
  last_error AS lastError, authority`;
const fromEnvelopes = 'FROM envelopes JOIN workspaces ON workspaces.number = envelopes.workspace';
/** Columns that are not named are not read: a body is on pages of its own. */
export const selectHead = `SELECT ${headColumns} ${fromEnvelopes}`;
const isLong = `(coalesce(octet_length(body), 0) > ${longEnvelopeBytes} OR coalesce(octet_length(edited), 0) > ${longEnvelopeBytes})`;
const editedColumns = `CASE WHEN NOT ${isLong} THEN edited END AS edited, CASE WHEN ${isLong} THEN 1 ELSE 0 END AS isLong`;
export const selectEnvelope = `SELECT ${headColumns}, CASE WHEN NOT ${isLong} THEN body END AS body, ${editedColumns} ${fromEnvelopes}`;

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
  const row = statements.get<
    Omit<StoredEnvelope, 'workspaceId' | 'state' | 'overwriteNewer' | 'authority'> & {
      readonly state: number;
      readonly overwriteNewer: number;
      readonly authority: string | null;
    }
  >(
    `SELECT number, workspace, provider, correlation_id AS correlationId, accepted_at AS acceptedAtMs,
       occurred_at AS occurredAtMs, state, attempts, overwrite_newer AS overwriteNewer, size AS sizeBytes, authority
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
    ...row,
    workspaceId: workspace.workspace_id,
    state: wordOf(stateWords, row.state - 1),
    overwriteNewer: row.overwriteNewer === 1,
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
    .all<StoredRow>(
      `SELECT ${headColumns}, ${editedColumns},
         CASE WHEN NOT ${isLong} AND envelopes.number IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) THEN body END AS body
         FROM (SELECT CAST(value AS INTEGER) AS wanted FROM json_each(?)) AS listed
         CROSS JOIN envelopes
         JOIN workspaces ON workspaces.number = envelopes.workspace
         WHERE envelopes.number = wanted AND state = 1 ORDER BY envelopes.number`,
      JSON.stringify(envelopes.filter(({ withBody }) => withBody).map(({ number }) => number)),
      JSON.stringify(envelopes.map(({ number }) => number)),
    )
    .map(rowOf);
}

export function findEnvelope(
  statements: ReadStatements,
  workspaceId: string,
  envelopeId: string,
): EnvelopeRow | null {
  const row = statements.get<StoredRow>(
    `${selectEnvelope} WHERE envelope_id = ? AND workspace = ?`,
    envelopeId,
    workspaceNumber(statements, workspaceId),
  );
  return row === undefined ? null : rowOf(row);
}

/** By workspace and provider, in each in the order of arrival; `after` is exclusive. */
export function pendingEnvelopes(
  statements: ReadStatements,
  after: PendingEnvelope | null,
  limit: number,
): readonly PendingEnvelope[] {
  const workspace = after === null ? 0 : (workspaceNumber(statements, after.workspaceId) ?? 0);
  return statements.all<PendingEnvelope>(
    `SELECT envelopes.number AS number, workspace_id AS workspaceId, provider, size AS sizeBytes,
       next_attempt_at AS nextAttemptAtMs FROM envelopes INDEXED BY envelopes_pending
       JOIN workspaces ON workspaces.number = envelopes.workspace
       WHERE state = 1 AND (workspace, provider, envelopes.number) > (?, ?, ?)
       ORDER BY workspace, provider, envelopes.number LIMIT ?`,
    workspace,
    after?.provider ?? '',
    after?.number ?? 0,
    limit,
  );
}

export function rowOf(row: StoredRow): EnvelopeRow {
  const { body, edited, isLong, ...head } = row;
  return { ...headOf(head), body, edited, isLong: isLong === 1 };
}

export function headOf(row: StoredHead): EnvelopeHead {
  return {
    ...row,
    state: wordOf(stateWords, row.state - 1),
    outcome: row.outcome === null ? null : wordOf(outcomeWords, row.outcome),
    authority: readAuthority(row.authority),
  };
}
