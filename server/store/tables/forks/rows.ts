// Rows of forks and their staged changes. Reads only; they change in changes.ts and commit.ts.
import type { StagedPath } from '../../../core/change/forks.ts';
import { readInParts } from '../../database/read-in-parts.ts';
import type { Asked, ReadStatements } from '../../database/statements.ts';
import type { ForkRow, StagedCounts } from '../../port/forks.ts';
import { entryAt, fileRead } from '../files/files.ts';

export interface OpenFork {
  readonly number: number;
  /** The number of its workspace. */
  readonly workspace: number;
  readonly forkId: string;
  readonly baseRevision: number;
  readonly lastRevision: number;
  readonly expiresAtMs: number;
  /** The token that created it and its issuers; none: the owner. */
  readonly creatorTokens: readonly string[];
}

export const stagedKinds = { write: 1, delete: 2 } as const;

/** The number under which the files of a fork are stored beside those of workspaces, whose numbers are positive. */
export function holdingOf(fork: number): number {
  return -fork;
}

/** A list of tokens is stored as JSON. */
type Stored<Row extends { readonly creatorTokens: readonly string[] }> = Omit<Row, 'creatorTokens'> & {
  readonly creatorTokens: string;
};

function withTokens<Row extends { readonly creatorTokens: string }>(row: Row) {
  return { ...row, creatorTokens: JSON.parse(row.creatorTokens) as string[] };
}

/** null: unknown, committed or discarded. */
export function openForkById(statements: ReadStatements, forkId: string): OpenFork | null {
  const row = statements.get<Stored<OpenFork>>(
    `SELECT number, workspace, fork_id AS forkId, base_revision AS baseRevision, last_revision AS lastRevision,
       expires_at AS expiresAtMs, creator_tokens AS creatorTokens FROM forks WHERE fork_id = ? AND ended_at IS NULL`,
    forkId,
  );
  return row === undefined ? null : withTokens(row);
}

/** The same, of this workspace alone. */
export function openFork(statements: ReadStatements, workspace: number, forkId: string): OpenFork | null {
  const fork = openForkById(statements, forkId);
  return fork?.workspace === workspace ? fork : null;
}

// ---- for clients

const selectListed = `SELECT fork_id AS forkId, workspace_id AS workspaceId, proposal AS proposalId, base_revision AS baseRevision,
  last_revision AS stagedRevision, created_by AS createdBy, forks.created_at AS createdAtMs, expires_at AS expiresAtMs,
  creator_tokens AS creatorTokens
  FROM forks JOIN workspaces ON workspaces.number = forks.workspace WHERE ended_at IS NULL AND workspace_id = ?`;

export function findFork(statements: ReadStatements, workspaceId: string, forkId: string): ForkRow | null {
  const row = statements.get<Stored<ForkRow>>(`${selectListed} AND fork_id = ?`, workspaceId, forkId);
  return row === undefined ? null : withTokens(row);
}

export function listForks(statements: ReadStatements, workspaceId: string): readonly ForkRow[] {
  return statements
    .all<Stored<ForkRow>>(`${selectListed} ORDER BY forks.number`, workspaceId)
    .map(withTokens);
}

/** Of all its staged changes, without visibility. */
export function allStagedCounts(statements: ReadStatements, { number }: OpenFork): StagedCounts {
  const row = statements.get<{ writes: number; deletes: number; bytes: number | null }>(
    `SELECT (SELECT count(*) FROM fork_paths WHERE fork = ? AND kind = ${stagedKinds.write}) AS writes,
       (SELECT count(*) FROM fork_paths WHERE fork = ? AND kind = ${stagedKinds.delete}) AS deletes,
       (SELECT sum(size) FROM history WHERE workspace = ?) AS bytes`,
    number,
    number,
    holdingOf(number),
  );
  return { writes: row?.writes ?? 0, deletes: row?.deletes ?? 0, bytes: row?.bytes ?? 0 };
}

/** The time of the oldest base of an open fork; Infinity: none. */
export function forksNeedSinceMs(statements: ReadStatements, nowMs: number): number {
  const row = statements.get<{ oldest: number | null }>(
    'SELECT min(base_at) AS oldest FROM forks WHERE ended_at IS NULL AND expires_at > ?',
    nowMs,
  );
  return row?.oldest ?? Number.POSITIVE_INFINITY;
}

// ---- staged paths

export interface StagedRow {
  readonly path: string;
  readonly kind: number;
  readonly made_on: number;
}

/** The engine of a hub knows by these which row is there after them (postgres/known-rows.ts). */
export const selectStaged = 'SELECT path, kind, made_on FROM fork_paths WHERE fork = ? AND path = ?';
export const storeStaged =
  'INSERT OR REPLACE INTO fork_paths (fork, path, kind, made_on) VALUES (?, ?, ?, ?)';
export const deleteStaged = 'DELETE FROM fork_paths WHERE fork = ? AND path = ?';

/** What the view of a fork reads of a path, for `together`. */
export function viewReads(fork: OpenFork, path: string): readonly Asked[] {
  return [
    { sql: selectStaged, values: [fork.number, path] },
    fileRead(holdingOf(fork.number), path),
    fileRead(fork.workspace, path),
  ];
}

export function stagedAt(statements: ReadStatements, fork: OpenFork, path: string): StagedPath | null {
  const row = statements.get<StagedRow>(selectStaged, fork.number, path);
  return row === undefined ? null : stagedOf(statements, fork, row);
}

/** In the byte order of paths. */
export function stagedPaths(
  statements: ReadStatements,
  fork: OpenFork,
  afterPath = '',
  limit = Number.MAX_SAFE_INTEGER,
): readonly StagedPath[] {
  const rows = statements.all<StagedRow>(
    'SELECT path, kind, made_on FROM fork_paths WHERE fork = ? AND path > ? ORDER BY path LIMIT ?',
    fork.number,
    afterPath,
    limit,
  );
  const written = ({ path, kind }: StagedRow) =>
    kind === stagedKinds.delete ? [] : [fileRead(holdingOf(fork.number), path)];
  return readInParts(statements, rows, written, (row) => stagedOf(statements, fork, row));
}

function stagedOf(
  statements: ReadStatements,
  fork: OpenFork,
  { path, kind, made_on }: StagedRow,
): StagedPath {
  if (kind === stagedKinds.delete) return { path, file: null, baseRevision: made_on };
  const entry = entryAt(statements, holdingOf(fork.number), path);
  if (entry?.type !== 'file') throw new Error('a staged file is not there');
  return { path, file: { ...entry, forkId: fork.forkId }, baseRevision: made_on };
}
