// Rows of mirrors: their settings, intents, conflicts and last proof. Their base: base.ts. Content of workspaces never changes
// here.
import { type MirrorMode, mirrorModes } from '../../../contract/words.ts';
import { bytesOf, hexOf } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { ConflictRow, JournalRow, MirrorRow, ProofRow } from '../../port/store.ts';
import { clearBase, saveBase } from './base.ts';

interface MirrorColumns {
  readonly mirror_id: string;
  readonly workspace_id: string;
  readonly dir: string;
  readonly mode: string;
  readonly root_path: string;
  readonly marker_id: string;
  readonly root_device: string;
  readonly root_inode: string;
  readonly paused: number;
  readonly halted_cause: string | null;
  readonly epoch: string;
  readonly established: number;
  readonly last_sync_at: number | null;
  readonly created_at: number;
  readonly deletes_per_minute_max: number | null;
}

/** Oldest first. */
export function listMirrors(statements: ReadStatements): readonly MirrorRow[] {
  return statements.all<MirrorColumns>('SELECT * FROM mirrors ORDER BY created_at, mirror_id').map(mirrorOf);
}

export function openIntents(statements: ReadStatements, mirrorId: string): readonly JournalRow[] {
  return statements
    .all<{
      id: number;
      action: string;
      path: string;
      from_path: string | null;
      temp_name: string | null;
      hash: Buffer | null;
    }>('SELECT * FROM mirror_intents WHERE mirror_id = ? ORDER BY id', mirrorId)
    .map((row) => ({
      id: row.id,
      action: row.action as JournalRow['action'],
      path: row.path,
      fromPath: row.from_path,
      tempName: row.temp_name,
      hash: row.hash === null ? null : hexOf(row.hash),
    }));
}

/** Oldest first. */
export function listConflicts(statements: ReadStatements, mirrorId: string): readonly ConflictRow[] {
  return statements
    .all<{
      conflict_id: string;
      path: string;
      copy_path: string;
      local_hash: string;
      workspace_hash: string | null;
      base_hash: string | null;
      at: number;
    }>('SELECT * FROM mirror_conflicts WHERE mirror_id = ? ORDER BY at, conflict_id', mirrorId)
    .map((row) => ({
      conflictId: row.conflict_id,
      path: row.path,
      copyPath: row.copy_path,
      localHash: row.local_hash,
      workspaceHash: row.workspace_hash,
      baseHash: row.base_hash,
      atMs: row.at,
    }));
}

export function lastProof(statements: ReadStatements, mirrorId: string): ProofRow | null {
  const row = statements.get<ProofRow>(
    `SELECT at AS atMs, root, files, bytes, left_out AS leftOut, hashed_files AS hashedFiles, hashed_bytes AS hashedBytes
       FROM mirror_proofs WHERE mirror_id = ?`,
    mirrorId,
  );
  return row ?? null;
}

type MirrorKinds =
  | 'insert_mirror'
  | 'update_mirror'
  | 'remove_mirror'
  | 'save_base'
  | 'clear_base'
  | 'save_proof'
  | 'begin_intents'
  | 'end_intents'
  | 'add_conflict'
  | 'remove_conflict';

export function mirrorHandlers(statements: WriteStatements): Handlers<MirrorKinds> {
  return {
    insert_mirror(row) {
      storeMirror(statements, row);
      return null;
    },
    update_mirror({ mirrorId, patch }) {
      const row = statements.get<MirrorColumns>('SELECT * FROM mirrors WHERE mirror_id = ?', mirrorId);
      // Removed while its last update was waiting: no row is left.
      if (row !== undefined) storeMirror(statements, { ...mirrorOf(row), ...patch });
      return null;
    },
    remove_mirror({ mirrorId }) {
      statements.run('DELETE FROM mirrors WHERE mirror_id = ?', mirrorId);
      return null;
    },
    save_base({ mirrorId, upserts, removals }) {
      saveBase(statements, mirrorId, upserts, removals);
      return null;
    },
    clear_base({ mirrorId }) {
      clearBase(statements, mirrorId);
      statements.run('DELETE FROM mirror_proofs WHERE mirror_id = ?', mirrorId);
      return null;
    },
    save_proof({ mirrorId, row }) {
      saveProof(statements, mirrorId, row);
      return null;
    },
    begin_intents({ mirrorId, rows }) {
      return rows.map((row) => insertIntent(statements, mirrorId, row));
    },
    end_intents({ mirrorId, ids }) {
      for (const id of ids) {
        statements.run('DELETE FROM mirror_intents WHERE mirror_id = ? AND id = ?', mirrorId, id);
      }
      return null;
    },
    add_conflict({ mirrorId, row }) {
      statements.run(
        `INSERT OR REPLACE INTO mirror_conflicts (mirror_id, conflict_id, path, copy_path, local_hash, workspace_hash,
           base_hash, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        mirrorId,
        row.conflictId,
        row.path,
        row.copyPath,
        row.localHash,
        row.workspaceHash,
        row.baseHash,
        row.atMs,
      );
      return null;
    },
    remove_conflict({ mirrorId, conflictId }) {
      statements.run(
        'DELETE FROM mirror_conflicts WHERE mirror_id = ? AND conflict_id = ?',
        mirrorId,
        conflictId,
      );
      return null;
    },
  };
}

function storeMirror(statements: WriteStatements, row: MirrorRow): void {
  // Not REPLACE, which would delete the row and, with it, its base.
  statements.run(
    `INSERT INTO mirrors (mirror_id, workspace_id, dir, marker_id, root_device, root_inode, paused, halted_cause, epoch,
       established, last_sync_at, created_at, mode, root_path, deletes_per_minute_max)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (mirror_id) DO UPDATE SET dir = excluded.dir, marker_id = excluded.marker_id,
       root_device = excluded.root_device, root_inode = excluded.root_inode, paused = excluded.paused,
       halted_cause = excluded.halted_cause, epoch = excluded.epoch, established = excluded.established,
       last_sync_at = excluded.last_sync_at, created_at = excluded.created_at, mode = excluded.mode,
       root_path = excluded.root_path, deletes_per_minute_max = excluded.deletes_per_minute_max`,
    row.mirrorId,
    row.workspaceId,
    row.dir,
    row.markerId,
    row.rootDevice,
    row.rootInode,
    row.paused ? 1 : 0,
    row.haltedCause,
    row.epoch,
    row.established ? 1 : 0,
    row.lastSyncAtMs,
    row.createdAtMs,
    row.mode,
    row.rootPath,
    row.deletesPerMinuteMax,
  );
}

/** A mode that this program does not know must not write the workspace. */
function modeOf(text: string): MirrorMode {
  return mirrorModes.find((mode) => mode === text) ?? 'to-folder';
}

function mirrorOf(row: MirrorColumns): MirrorRow {
  return {
    mirrorId: row.mirror_id,
    workspaceId: row.workspace_id,
    dir: row.dir,
    mode: modeOf(row.mode),
    rootPath: row.root_path,
    markerId: row.marker_id,
    rootDevice: row.root_device,
    rootInode: row.root_inode,
    paused: row.paused === 1,
    haltedCause: row.halted_cause,
    epoch: row.epoch,
    established: row.established === 1,
    lastSyncAtMs: row.last_sync_at,
    createdAtMs: row.created_at,
    deletesPerMinuteMax: row.deletes_per_minute_max,
  };
}

function saveProof(statements: WriteStatements, mirrorId: string, row: ProofRow): void {
  // A mirror that was removed meanwhile has none.
  statements.run(
    `INSERT OR REPLACE INTO mirror_proofs (mirror_id, at, root, files, bytes, left_out, hashed_files, hashed_bytes)
       SELECT mirror_id, ?, ?, ?, ?, ?, ?, ? FROM mirrors WHERE mirror_id = ?`,
    row.atMs,
    row.root,
    row.files,
    row.bytes,
    row.leftOut,
    row.hashedFiles,
    row.hashedBytes,
    mirrorId,
  );
}

function insertIntent(statements: WriteStatements, mirrorId: string, row: Omit<JournalRow, 'id'>): number {
  const { lastInsertRowid } = statements.run(
    'INSERT INTO mirror_intents (mirror_id, action, path, from_path, temp_name, hash) VALUES (?, ?, ?, ?, ?, ?)',
    mirrorId,
    row.action,
    row.path,
    row.fromPath,
    row.tempName,
    row.hash === null ? null : bytesOf(row.hash),
  );
  return Number(lastInsertRowid);
}
