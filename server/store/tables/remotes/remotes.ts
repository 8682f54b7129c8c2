// Rows of remotes: their settings and conflicts. Their base: base.ts. Content of workspaces never changes here.
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { RemoteConflictRow, RemoteRow } from '../../port/store.ts';
import { recordSent, saveRemoteBase } from './base.ts';

type StoredRemote = Omit<RemoteRow, 'paused' | 'established' | 'insecureHttp'> & {
  readonly paused: number;
  readonly established: number;
  readonly insecureHttp: number;
};

const selectRemotes = `SELECT remote_id AS remoteId, workspace_id AS workspaceId, url, remote_workspace_id AS remoteWorkspaceId,
  token_file AS tokenFile, insecure_http AS insecureHttp, root_path AS rootPath, ignore_rules AS ignoreRules,
  up_bytes_per_second AS upBytesPerSecond, down_bytes_per_second AS downBytesPerSecond, paused, halted_cause AS haltedCause, epoch,
  server_epoch AS serverEpoch, established, cursor, listed_at AS listedAtMs, last_sync_at AS lastSyncAtMs, created_at AS createdAtMs FROM remotes`;

/** Oldest first. */
export function listRemotes(statements: ReadStatements): readonly RemoteRow[] {
  return statements.all<StoredRemote>(`${selectRemotes} ORDER BY created_at, remote_id`).map(remoteOf);
}

/** Oldest first. */
export function listRemoteConflicts(
  statements: ReadStatements,
  remoteId: string,
): readonly RemoteConflictRow[] {
  return statements.all<RemoteConflictRow>(
    `SELECT conflict_id AS conflictId, path, copy_path AS copyPath, local_hash AS localHash, remote_hash AS remoteHash,
       base_hash AS baseHash, at AS atMs FROM remote_conflicts WHERE remote_id = ? ORDER BY at, conflict_id`,
    remoteId,
  );
}

export function remoteHandlers(statements: WriteStatements) {
  return {
    insert_remote(row) {
      const known = statements.get('SELECT 1 FROM remotes WHERE workspace_id = ?', row.workspaceId);
      if (known === undefined) storeRemote(statements, row);
      return known === undefined;
    },
    update_remote({ remoteId, patch }) {
      const row = statements.get<StoredRemote>(`${selectRemotes} WHERE remote_id = ?`, remoteId);
      // Removed while its last update was waiting: no row is left.
      if (row !== undefined) storeRemote(statements, { ...remoteOf(row), ...patch });
      return null;
    },
    remove_remote({ remoteId }) {
      statements.run('DELETE FROM remotes WHERE remote_id = ?', remoteId);
      return null;
    },
    save_remote_base(input) {
      if (isKnown(statements, input.remoteId)) saveRemoteBase(statements, input);
      return null;
    },
    clear_remote_base({ remoteId }) {
      statements.run('DELETE FROM remote_base WHERE remote_id = ?', remoteId);
      statements.run('DELETE FROM remote_sent WHERE remote_id = ?', remoteId);
      return null;
    },
    record_remote_sent({ remoteId, rows }) {
      if (isKnown(statements, remoteId)) recordSent(statements, remoteId, rows);
      return null;
    },
    remove_remote_conflict({ remoteId, conflictId }) {
      statements.run(
        'DELETE FROM remote_conflicts WHERE remote_id = ? AND conflict_id = ?',
        remoteId,
        conflictId,
      );
      return null;
    },
  } satisfies Partial<Handlers>;
}

function isKnown(statements: ReadStatements, remoteId: string): boolean {
  return statements.get('SELECT 1 FROM remotes WHERE remote_id = ?', remoteId) !== undefined;
}

function storeRemote(statements: WriteStatements, row: RemoteRow): void {
  // Not REPLACE, which would delete the row and, with it, its base.
  statements.run(
    `INSERT INTO remotes (remote_id, workspace_id, url, remote_workspace_id, token_file, insecure_http, root_path, ignore_rules,
       up_bytes_per_second, down_bytes_per_second, paused, halted_cause, epoch, server_epoch, established, cursor, listed_at,
       last_sync_at, created_at)
       VALUES (@remoteId, @workspaceId, @url, @remoteWorkspaceId, @tokenFile, @insecureHttp, @rootPath, @ignoreRules,
         @upBytesPerSecond, @downBytesPerSecond, @paused, @haltedCause, @epoch, @serverEpoch, @established, @cursor, @listedAtMs, @lastSyncAtMs,
         @createdAtMs)
     ON CONFLICT (remote_id) DO UPDATE SET token_file = excluded.token_file, ignore_rules = excluded.ignore_rules,
       up_bytes_per_second = excluded.up_bytes_per_second, down_bytes_per_second = excluded.down_bytes_per_second,
       paused = excluded.paused, halted_cause = excluded.halted_cause, epoch = excluded.epoch, server_epoch = excluded.server_epoch, established = excluded.established,
       cursor = excluded.cursor, listed_at = excluded.listed_at, last_sync_at = excluded.last_sync_at`,
    {
      ...row,
      paused: Number(row.paused),
      established: Number(row.established),
      insecureHttp: Number(row.insecureHttp),
    },
  );
}

function remoteOf(row: StoredRemote): RemoteRow {
  return {
    ...row,
    paused: row.paused === 1,
    established: row.established === 1,
    insecureHttp: row.insecureHttp === 1,
  };
}
