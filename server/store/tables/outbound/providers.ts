// Registered providers of a workspace's top directories, and their settings. Their secrets are elsewhere (delivery/secret-file.ts).
import { authorityText, readAuthority } from '../../../core/access/authority.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { ProviderRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { cancelWaiting } from './operation-commands.ts';

type Row = Omit<
  ProviderRow,
  'kind' | 'plainHttp' | 'privateAddresses' | 'paused' | 'refresh' | 'nextRefreshes'
> & {
  readonly kind: string;
  readonly plainHttp: number;
  readonly privateAddresses: number;
  readonly paused: number;
  readonly refreshId: string | null;
  readonly correlationId: string | null;
  readonly requestedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly error: string | null;
  readonly authority: string | null;
  readonly nextRefreshes: string;
  readonly openStarts: number;
};

const select = `SELECT workspace_id AS workspaceId, providers.name AS name, kind, url, refresh_url AS refreshUrl,
  plain_http AS plainHttp, private_addresses AS privateAddresses, timeout_ms AS timeoutMs, paused,
  last_success_at AS lastSuccessAtMs, last_failure_at AS lastFailureAtMs, last_error AS lastError, refresh_id AS refreshId,
  refresh_correlation_id AS correlationId, refresh_requested_at AS requestedAtMs, refresh_finished_at AS finishedAtMs,
  refresh_error AS error, refresh_authority AS authority, refresh_next AS nextRefreshes, refresh_open_starts AS openStarts,
  providers.created_at AS createdAtMs, updated_at AS updatedAtMs
  FROM providers JOIN workspaces ON workspaces.number = providers.workspace`;

/** Those of deleted workspaces included: they are restored with them. */
export function listProviders(statements: ReadStatements): readonly ProviderRow[] {
  return statements.all<Row>(`${select} ORDER BY workspaces.number, providers.name`).map(providerRowOf);
}

export function hasProvider(statements: ReadStatements, workspace: number, name: string): boolean {
  return statements.memoize(selectProvider, workspace, name) !== undefined;
}

export const selectProvider = 'SELECT 1 FROM providers WHERE workspace = ? AND name = ?';

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

export function providerHandlers(statements: WriteStatements) {
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
  } satisfies Partial<Handlers>;
}

function providerRowOf(stored: Row): ProviderRow {
  const { refreshId, correlationId, requestedAtMs, finishedAtMs, error, authority, openStarts, ...row } =
    stored;
  const refresh = {
    correlationId: correlationId ?? '',
    requestedAtMs: requestedAtMs ?? 0,
    finishedAtMs,
    error,
    authority: readAuthority(authority),
    openStarts,
  };
  return {
    ...row,
    kind: row.kind === 'http' ? 'http' : 'external',
    plainHttp: row.plainHttp === 1,
    privateAddresses: row.privateAddresses === 1,
    paused: row.paused === 1,
    refresh: refreshId === null ? null : { id: refreshId, ...refresh },
    nextRefreshes: JSON.parse(row.nextRefreshes) as ProviderRow['nextRefreshes'],
  };
}
