// Rows of mirrors: their settings, intents, conflicts and last proof. Their base: base.ts. Content of workspaces never changes
// here.
import { type MirrorMode, mirrorModes } from '../../../contract/words.ts';
import { bytesOf, hexOf } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { ConflictRow, JournalRow, MirrorRow, ProofRow } from '../../port/store.ts';
import { clearBase, saveBase } from './base.ts';

type StoredMirror = Omit<MirrorRow, 'mode' | 'paused' | 'established'> & {
  readonly mode: string;
  readonly paused: number;
  readonly established: number;
};

const selectMirrors = `SELECT mirror_id AS mirrorId, workspace_id AS workspaceId, fork_id AS forkId, dir, mode, root_path AS rootPath,
  marker_id AS markerId, root_device AS rootDevice, root_inode AS rootInode, paused, paused_until AS pausedUntilMs, halted_cause AS haltedCause, epoch,
  established, last_sync_at AS lastSyncAtMs, created_at AS createdAtMs, deletes_per_minute_max AS deletesPerMinuteMax
  FROM mirrors`;

/** Oldest first. */
export function listMirrors(statements: ReadStatements): readonly MirrorRow[] {
  return statements.all<StoredMirror>(`${selectMirrors} ORDER BY created_at, mirror_id`).map(mirrorOf);
}

export function openIntents(statements: ReadStatements, mirrorId: string): readonly JournalRow[] {
  return statements
    .all<Omit<JournalRow, 'hash'> & { readonly hash: Buffer | null }>(
      `SELECT id, action, path, from_path AS fromPath, temp_name AS tempName, hash FROM mirror_intents
         WHERE mirror_id = ? ORDER BY id`,
      mirrorId,
    )
    .map((row) => ({ ...row, hash: row.hash === null ? null : hexOf(row.hash) }));
}

/** Oldest first. */
export function listConflicts(statements: ReadStatements, mirrorId: string): readonly ConflictRow[] {
  return statements.all<ConflictRow>(
    `SELECT conflict_id AS conflictId, path, copy_path AS copyPath, local_hash AS localHash,
       workspace_hash AS workspaceHash, base_hash AS baseHash, at AS atMs
       FROM mirror_conflicts WHERE mirror_id = ? ORDER BY at, conflict_id`,
    mirrorId,
  );
}

export function lastProof(statements: ReadStatements, mirrorId: string): ProofRow | null {
  const row = statements.get<ProofRow>(
    `SELECT at AS atMs, root, files, bytes, left_out AS leftOut, hashed_files AS hashedFiles, hashed_bytes AS hashedBytes
       FROM mirror_proofs WHERE mirror_id = ?`,
    mirrorId,
  );
  return row ?? null;
}

export function mirrorHandlers(statements: WriteStatements) {
  return {
    insert_mirror(row) {
      storeMirror(statements, row);
      return null;
    },
    update_mirror({ mirrorId, patch }) {
      const row = statements.get<StoredMirror>(`${selectMirrors} WHERE mirror_id = ?`, mirrorId);
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
           base_hash, at)
           VALUES (@mirrorId, @conflictId, @path, @copyPath, @localHash, @workspaceHash, @baseHash, @atMs)`,
        { mirrorId, ...row },
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
  } satisfies Partial<Handlers>;
}

function storeMirror(statements: WriteStatements, row: MirrorRow): void {
  // Not REPLACE, which would delete the row and, with it, its base.
  statements.run(
    `INSERT INTO mirrors (mirror_id, workspace_id, dir, marker_id, root_device, root_inode, paused, halted_cause, epoch,
       established, last_sync_at, created_at, mode, root_path, deletes_per_minute_max, fork_id, paused_until)
       VALUES (@mirrorId, @workspaceId, @dir, @markerId, @rootDevice, @rootInode, @paused, @haltedCause, @epoch,
         @established, @lastSyncAtMs, @createdAtMs, @mode, @rootPath, @deletesPerMinuteMax, @forkId, @pausedUntilMs)
     ON CONFLICT (mirror_id) DO UPDATE SET dir = excluded.dir, marker_id = excluded.marker_id,
       root_device = excluded.root_device, root_inode = excluded.root_inode, paused = excluded.paused,
       halted_cause = excluded.halted_cause, epoch = excluded.epoch, established = excluded.established,
       last_sync_at = excluded.last_sync_at, created_at = excluded.created_at, mode = excluded.mode,
       root_path = excluded.root_path, deletes_per_minute_max = excluded.deletes_per_minute_max,
       paused_until = excluded.paused_until`,
    { ...row, paused: row.paused ? 1 : 0, established: row.established ? 1 : 0 },
  );
}

/** A mode that this program does not know must not write the workspace. */
function modeOf(text: string): MirrorMode {
  return mirrorModes.find((mode) => mode === text) ?? 'to-folder';
}

function mirrorOf(row: StoredMirror): MirrorRow {
  return { ...row, mode: modeOf(row.mode), paused: row.paused === 1, established: row.established === 1 };
}

function saveProof(statements: WriteStatements, mirrorId: string, row: ProofRow): void {
  // A mirror that was removed meanwhile has none.
  statements.run(
    `INSERT OR REPLACE INTO mirror_proofs (mirror_id, at, root, files, bytes, left_out, hashed_files, hashed_bytes)
       SELECT mirror_id, @atMs, @root, @files, @bytes, @leftOut, @hashedFiles, @hashedBytes
         FROM mirrors WHERE mirror_id = @mirrorId`,
    { mirrorId, ...row },
  );
}

function insertIntent(statements: WriteStatements, mirrorId: string, row: Omit<JournalRow, 'id'>): number {
  const inserted = statements.get<{ id: number }>(
    'INSERT INTO mirror_intents (mirror_id, action, path, from_path, temp_name, hash) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
    mirrorId,
    row.action,
    row.path,
    row.fromPath,
    row.tempName,
    row.hash === null ? null : bytesOf(row.hash),
  );
  if (inserted === undefined) throw new Error('an intent was not stored');
  return inserted.id;
}
