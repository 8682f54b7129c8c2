// Lists, finds and counts dead letters. Their states change in finish-envelope.ts.
import type { ReadStatements } from '../../database/statements.ts';
import type {
  AttemptRow,
  DeadLetterQuery,
  EnvelopeHead,
  EnvelopeRow,
  ProviderFailures,
} from '../../port/envelopes.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import {
  findEnvelope,
  headOf,
  rowOf,
  type StoredHead,
  type StoredRow,
  selectEnvelope,
  selectHead,
} from './envelopes.ts';

const attemptsShownMax = 1_000;
/** The index is named because the planner would scan every settled envelope instead. */
const selectDead = selectHead.replace('FROM envelopes', 'FROM envelopes INDEXED BY envelopes_dead');

export function findDeadLetters(statements: ReadStatements, envelopeId: string): readonly EnvelopeRow[] {
  return statements
    .all<StoredRow>(
      `${selectEnvelope} WHERE envelope_id = ? AND state = 2 AND deleted_at IS NULL`,
      envelopeId,
    )
    .map(rowOf);
}

export function listDeadLetters(
  statements: ReadStatements,
  query: DeadLetterQuery,
): { items: readonly EnvelopeHead[]; more: boolean } | null {
  const { oldestFirst = false } = query;
  let from = oldestFirst ? 0 : Number.MAX_SAFE_INTEGER;
  if (query.cursor !== null) {
    const cursor = findEnvelope(statements, query.workspaceId, query.cursor);
    if (cursor === null) return null;
    from = cursor.number;
  }
  const text = query.text?.toLowerCase() ?? null;
  const rows = statements.all<StoredHead>(
    `${selectDead} WHERE state = 2 AND workspace = ? AND envelopes.number ${oldestFirst ? '>' : '<'} ?
       AND (CAST(? AS TEXT) IS NULL OR provider = ?) AND (CAST(? AS TEXT) IS NULL OR cause = ?)
       AND (CAST(? AS INTEGER) IS NULL OR failed_at < ?)
       AND (CAST(? AS TEXT) IS NULL OR instr(lower(coalesce(path, '') || ' ' || delivery_id || ' ' || last_error), ?) > 0)
       AND (CAST(? AS TEXT) IS NULL OR envelope_id IN (SELECT value FROM json_each(?)))
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
  return { items: rows.slice(0, query.limit).map(headOf), more: rows.length > query.limit };
}

export function listAttempts(statements: ReadStatements, number: number): readonly AttemptRow[] {
  return statements
    .all<AttemptRow>(
      `SELECT attempt, at AS atMs, cause, message FROM envelope_attempts WHERE envelope = ?
         ORDER BY attempt DESC LIMIT ${attemptsShownMax}`,
      number,
    )
    .toReversed();
}

export function deadLetterCauses(
  statements: ReadStatements,
  workspaceId: string | null,
): readonly ProviderFailures[] {
  const workspace = workspaceId === null ? null : workspaceNumber(statements, workspaceId);
  if (workspaceId !== null && workspace === null) return [];
  const [within, values] = workspace === null ? ['', []] : ['workspace = ? AND', [workspace]];
  return statements.all<ProviderFailures>(
    `SELECT workspace_id AS workspaceId, provider, cause, count(*) AS count FROM envelopes INDEXED BY envelopes_dead
       JOIN workspaces ON workspaces.number = envelopes.workspace AND deleted_at IS NULL
       WHERE ${within} state = 2 GROUP BY workspace_id, provider, cause`,
    ...values,
  );
}

export function lastErrors(statements: ReadStatements, workspaceId: string): ReadonlyMap<string, string> {
  const rows = statements.all<{ provider: string; last_error: string }>(
    `SELECT provider, last_error FROM envelopes WHERE number IN
       (SELECT max(number) FROM envelopes INDEXED BY envelopes_dead WHERE state = 2 AND workspace = ? GROUP BY provider)`,
    workspaceNumber(statements, workspaceId),
  );
  return new Map(rows.map((row) => [row.provider, row.last_error]));
}
