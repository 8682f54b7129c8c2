// How many rows the store has, for metrics.
import { readCounter } from '../database/counters.ts';
import type { ReadStatements } from '../database/statements.ts';

export function rowCounts(statements: ReadStatements) {
  const count = (sql: string) => statements.get<{ value: number | null }>(sql)?.value ?? 0;
  return statements.consistently(() => ({
    workspaces: count('SELECT count(*) AS value FROM workspaces WHERE deleted_at IS NULL'),
    files: count(
      `SELECT sum(files) AS value FROM entries JOIN workspaces ON number = workspace AND deleted_at IS NULL WHERE path = '/'`,
    ),
    lastRevision: readCounter(statements, 'revision'),
    lastEvent: readCounter(statements, 'event'),
    lastOperation: readCounter(statements, 'operation'),
    unsettledOperations: count('SELECT count(*) AS value FROM operations WHERE status <> 3'),
  }));
}
