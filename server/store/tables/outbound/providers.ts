// Registered providers of a workspace's top directories, and their settings. Their secrets are elsewhere (delivery/secret-file.ts).
import { authorityText, readAuthority } from '../../../core/access/authority.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { ProviderRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { cancelWaiting } from './operation-commands.ts';

interface Row {
  readonly workspace_id: string;
  readonly name: string;
  readonly kind: string;
  readonly url: string | null;
  readonly refresh_url: string | null;
  readonly plain_http: number;
  readonly private_addresses: number;
  readonly timeout_ms: number;
  readonly paused: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_error: string | null;
  readonly refresh_id: string | null;
  readonly refresh_correlation_id: string | null;
  readonly refresh_requested_at: number | null;
  readonly refresh_finished_at: number | null;
  readonly refresh_error: string | null;
  readonly refresh_authority: string | null;
  readonly refresh_next: string;
  readonly refresh_open_starts: number;
  readonly created_at: number;
  readonly updated_at: number;
}

const select = `SELECT workspace_id, providers.name AS name, kind, url, refresh_url, plain_http, private_addresses,
  timeout_ms, paused, last_success_at, last_failure_at, last_error, refresh_id, refresh_correlation_id,
  refresh_requested_at, refresh_finished_at, refresh_error, refresh_authority, refresh_next, refresh_open_starts, providers.created_at AS created_at, updated_at
  FROM providers JOIN workspaces ON workspaces.number = providers.workspace`;

/** Those of deleted workspaces included: they are restored with them. */
export function listProviders(statements: ReadStatements): readonly ProviderRow[] {
  return statements.all<Row>(`${select} ORDER BY workspaces.number, providers.name`).map(providerRowOf);
}

export function hasProvider(statements: ReadStatements, workspace: number, name: string): boolean {
  return (
    statements.memoize('SELECT 1 FROM providers WHERE workspace = ? AND name = ?', workspace, name) !==
    undefined
  );
}

type Values = Omit<ProviderRow, 'workspaceId' | 'name' | 'kind' | 'createdAtMs'>;

const columns = [
  'url',
  'refresh_url',
  'plain_http',
  'private_addresses',
  'timeout_ms',
  'paused',
  'last_success_at',
  'last_failure_at',
  'last_error',
  'refresh_id',
  'refresh_correlation_id',
  'refresh_requested_at',
  'refresh_finished_at',
  'refresh_error',
  'refresh_authority',
  'refresh_next',
  'refresh_open_starts',
  'updated_at',
] as const;

/** In the order of `columns`. */
function valuesOf(row: Values): readonly (string | number | null)[] {
  return [
    row.url,
    row.refreshUrl,
    row.plainHttp ? 1 : 0,
    row.privateAddresses ? 1 : 0,
    row.timeoutMs,
    row.paused ? 1 : 0,
    row.lastSuccessAtMs,
    row.lastFailureAtMs,
    row.lastError,
    row.refresh?.id ?? null,
    row.refresh?.correlationId ?? null,
    row.refresh?.requestedAtMs ?? null,
    row.refresh?.finishedAtMs ?? null,
    row.refresh?.error ?? null,
    authorityText(row.refresh?.authority ?? null),
    JSON.stringify(row.nextRefreshes),
    row.refresh?.openStarts ?? 0,
    row.updatedAtMs,
  ];
}

export function providerHandlers(
  statements: WriteStatements,
): Handlers<'insert_provider' | 'update_provider' | 'remove_provider'> {
  return {
    insert_provider(row) {
      const workspace = workspaceNumber(statements, row.workspaceId);
      if (workspace === null || hasProvider(statements, workspace, row.name)) return false;
      statements.run(
        `INSERT INTO providers (workspace, name, kind, created_at, ${columns.join(', ')})
           VALUES (?, ?, ?, ?, ${columns.map(() => '?').join(', ')})`,
        workspace,
        row.name,
        row.kind,
        row.createdAtMs,
        ...valuesOf(row),
      );
      return true;
    },
    update_provider({ workspaceId, name, patch }) {
      const found = statements.get<Row>(
        `${select} WHERE workspace_id = ? AND providers.name = ?`,
        workspaceId,
        name,
      );
      if (found === undefined) return null;
      const row: ProviderRow = { ...providerRowOf(found), ...patch };
      statements.run(
        `UPDATE providers SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE workspace = ? AND name = ?`,
        ...valuesOf(row),
        workspaceNumber(statements, workspaceId),
        name,
      );
      return row;
    },
    remove_provider({ workspaceId, name, atMs, correlationId }) {
      const workspace = workspaceNumber(statements, workspaceId);
      if (workspace === null || !hasProvider(statements, workspace, name)) return null;
      statements.run('DELETE FROM providers WHERE workspace = ? AND name = ?', workspace, name);
      return { canceled: cancelWaiting(statements, workspace, name, { atMs, correlationId }) };
    },
  };
}

function providerRowOf(row: Row): ProviderRow {
  return {
    workspaceId: row.workspace_id,
    name: row.name,
    kind: row.kind === 'http' ? 'http' : 'external',
    url: row.url,
    refreshUrl: row.refresh_url,
    plainHttp: row.plain_http === 1,
    privateAddresses: row.private_addresses === 1,
    timeoutMs: row.timeout_ms,
    paused: row.paused === 1,
    lastSuccessAtMs: row.last_success_at,
    lastFailureAtMs: row.last_failure_at,
    lastError: row.last_error,
    refresh:
      row.refresh_id === null
        ? null
        : {
            id: row.refresh_id,
            correlationId: row.refresh_correlation_id ?? '',
            requestedAtMs: row.refresh_requested_at ?? 0,
            finishedAtMs: row.refresh_finished_at,
            error: row.refresh_error,
            authority: readAuthority(row.refresh_authority),
            openStarts: row.refresh_open_starts,
          },
    nextRefreshes: JSON.parse(row.refresh_next) as ProviderRow['nextRefreshes'],
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
