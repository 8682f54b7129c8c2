// Rows of runs and of their commits. The state of a run follows from the end of its fork, in the same transaction. Content never
// changes here.
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { CreateRunInput, RunCommit, RunRow } from '../../port/store.ts';

type StoredRun = Omit<RunRow, 'command' | 'creatorTokens' | 'commits'> & {
  readonly command: string;
  readonly creatorTokens: string;
};

const selectRuns = `SELECT number, run_id AS runId, workspace_id AS workspaceId, fork_id AS forkId, name, root_path AS rootPath,
  command, state, created_by AS createdBy, creator_tokens AS creatorTokens, created_at AS createdAtMs, ended_at AS endedAtMs
  FROM runs`;

export function findRun(statements: ReadStatements, workspaceId: string, runId: string): RunRow | null {
  const row = statements.get<StoredRun>(
    `${selectRuns} WHERE workspace_id = ? AND run_id = ?`,
    workspaceId,
    runId,
  );
  return row === undefined ? null : withCommits(statements, row);
}

export function findRunOfFork(
  statements: ReadStatements,
  workspaceId: string,
  forkId: string,
): RunRow | null {
  const row = statements.get<StoredRun>(
    `${selectRuns} WHERE workspace_id = ? AND fork_id = ?`,
    workspaceId,
    forkId,
  );
  return row === undefined ? null : withCommits(statements, row);
}

/** Newest first, older than a number. */
export function listRuns(
  statements: ReadStatements,
  workspaceId: string,
  before: number | null,
  limit: number,
): readonly RunRow[] {
  return statements
    .all<StoredRun>(
      `${selectRuns} WHERE workspace_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
      workspaceId,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    .map((row) => withCommits(statements, row));
}

function withCommits(statements: ReadStatements, row: StoredRun): RunRow {
  return {
    ...row,
    command: JSON.parse(row.command) as string[],
    creatorTokens: JSON.parse(row.creatorTokens) as string[],
    commits: statements.all<RunCommit>(
      'SELECT batch, at AS atMs, writes, deletes FROM run_commits WHERE run = ? ORDER BY batch',
      row.number,
    ),
  };
}

export function insertRun(statements: WriteStatements, input: CreateRunInput): RunRow {
  const { fork, workspaceId, runId, name, rootPath, command } = input;
  statements.run(
    `INSERT INTO runs (workspace_id, run_id, fork_id, name, root_path, command, state, created_by, creator_tokens, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?, ?)`,
    workspaceId,
    runId,
    fork.forkId,
    name,
    rootPath,
    JSON.stringify(command),
    fork.createdBy,
    JSON.stringify(fork.creatorTokens),
    fork.atMs,
  );
  const run = findRun(statements, workspaceId, runId);
  if (run === null) throw new Error('a run that was just stored is not there');
  return run;
}

/** The fork of a run was committed, wholly or in part. Does nothing for a fork without a run. */
export function recordRunCommit(
  statements: WriteStatements,
  forkId: string,
  { batch, atMs, writes, deletes, isWhole }: RunCommit & { readonly isWhole: boolean },
): void {
  if (writes + deletes > 0) {
    statements.run(
      'INSERT INTO run_commits (run, batch, at, writes, deletes) SELECT number, ?, ?, ?, ? FROM runs WHERE fork_id = ?',
      batch,
      atMs,
      writes,
      deletes,
      forkId,
    );
  }
  if (isWhole) endRun(statements, forkId, 'committed', atMs);
}

/** A run that was committed in part and then discarded is committed: what it committed can be undone. */
export function recordRunDiscard(statements: WriteStatements, forkId: string, atMs: number): void {
  const partly = statements.get(
    'SELECT 1 FROM run_commits WHERE run = (SELECT number FROM runs WHERE fork_id = ?) LIMIT 1',
    forkId,
  );
  endRun(statements, forkId, partly === undefined ? 'discarded' : 'committed', atMs);
}

function endRun(
  statements: WriteStatements,
  forkId: string,
  state: 'committed' | 'discarded',
  atMs: number,
): void {
  statements.run(
    "UPDATE runs SET state = ?, ended_at = ? WHERE fork_id = ? AND state = 'open'",
    state,
    atMs,
    forkId,
  );
}

/** Its commits were reverted in the same transaction. */
export function recordRunUndone(statements: WriteStatements, runId: string): void {
  statements.run("UPDATE runs SET state = 'undone' WHERE run_id = ?", runId);
}
