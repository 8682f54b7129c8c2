// Rows of forks and their staged changes. Reads only; they change in changes.ts and commit.ts.
import type { StagedPath } from '../../../core/change/forks.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { ForkRow, StagedCounts } from '../../port/forks.ts';
import { entryAt } from '../files/files.ts';

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

interface Row {
  readonly number: number;
  readonly workspace: number;
  readonly fork_id: string;
  readonly base_revision: number;
  readonly last_revision: number;
  readonly expires_at: number;
  readonly creator_tokens: string;
}

const columns = 'number, workspace, fork_id, base_revision, last_revision, expires_at, creator_tokens';

/** null: unknown, committed or discarded. */
export function openForkById(statements: ReadStatements, forkId: string): OpenFork | null {
  const row = statements.get<Row>(
    `SELECT ${columns} FROM forks WHERE fork_id = ? AND ended_at IS NULL`,
    forkId,
  );
  return row === undefined ? null : openForkOf(row);
}

/** The same, of this workspace alone. */
export function openFork(statements: ReadStatements, workspace: number, forkId: string): OpenFork | null {
  const fork = openForkById(statements, forkId);
  return fork?.workspace === workspace ? fork : null;
}

function openForkOf(row: Row): OpenFork {
  return {
    number: row.number,
    workspace: row.workspace,
    forkId: row.fork_id,
    baseRevision: row.base_revision,
    lastRevision: row.last_revision,
    expiresAtMs: row.expires_at,
    creatorTokens: JSON.parse(row.creator_tokens) as string[],
  };
}

// ---- for clients

interface ListedRow extends Row {
  readonly workspace_id: string;
  readonly proposal: string;
  readonly created_by: string;
  readonly created_at: number;
}

const selectListed = `SELECT forks.*, workspace_id FROM forks JOIN workspaces ON workspaces.number = forks.workspace
  WHERE ended_at IS NULL AND workspace_id = ?`;

export function findFork(statements: ReadStatements, workspaceId: string, forkId: string): ForkRow | null {
  const row = statements.get<ListedRow>(`${selectListed} AND fork_id = ?`, workspaceId, forkId);
  return row === undefined ? null : forkRowOf(row);
}

export function listForks(statements: ReadStatements, workspaceId: string): readonly ForkRow[] {
  return statements.all<ListedRow>(`${selectListed} ORDER BY forks.number`, workspaceId).map(forkRowOf);
}

function forkRowOf(row: ListedRow): ForkRow {
  return {
    forkId: row.fork_id,
    workspaceId: row.workspace_id,
    proposalId: row.proposal,
    baseRevision: row.base_revision,
    createdBy: row.created_by,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    creatorTokens: JSON.parse(row.creator_tokens) as string[],
  };
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

interface StagedRow {
  readonly path: string;
  readonly kind: number;
  readonly made_on: number;
}

export function stagedAt(statements: ReadStatements, fork: OpenFork, path: string): StagedPath | null {
  const row = statements.get<StagedRow>(
    'SELECT path, kind, made_on FROM fork_paths WHERE fork = ? AND path = ?',
    fork.number,
    path,
  );
  return row === undefined ? null : stagedOf(statements, fork, row);
}

/** In the byte order of paths. */
export function stagedPaths(
  statements: ReadStatements,
  fork: OpenFork,
  afterPath = '',
  limit = -1,
): readonly StagedPath[] {
  return statements
    .all<StagedRow>(
      'SELECT path, kind, made_on FROM fork_paths WHERE fork = ? AND path > ? ORDER BY path LIMIT ?',
      fork.number,
      afterPath,
      limit,
    )
    .map((row) => stagedOf(statements, fork, row));
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
