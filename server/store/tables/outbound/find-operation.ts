// Finds an operation for a command: its row together with its internal numbers.

import { operationNumber } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { OperationRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { operationByNumber } from './operations.ts';

/** An operation with the numbers that the database knows it by. */
export interface FoundOperation {
  readonly workspace: number;
  readonly number: number;
  readonly row: OperationRow;
}

export function findOperation(
  statements: ReadStatements,
  { workspaceId, opId }: { readonly workspaceId: string; readonly opId: string },
): FoundOperation | null {
  const number = operationNumber(opId);
  const workspace = workspaceNumber(statements, workspaceId);
  if (number === null || workspace === null) return null;
  const row = operationByNumber(statements, workspace, number);
  return row === null ? null : { workspace, number, row };
}

export function operationAfter(statements: ReadStatements, workspace: number, number: number): OperationRow {
  const row = operationByNumber(statements, workspace, number);
  if (row === null) throw new Error(`operation ${number} is gone in the transaction that changes it`);
  return row;
}
