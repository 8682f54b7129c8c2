// Remotes: a workspace that is kept equal to a workspace of another server, what both last agreed on, and what is being sent.
import type { Migration } from './migration.ts';

export const remotes: Migration = {
  version: 23,
  up(database) {
    database.exec(`
      CREATE TABLE remotes (
        remote_id TEXT PRIMARY KEY,
        -- At most one remote for each workspace.
        workspace_id TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        remote_workspace_id TEXT NOT NULL,
        token_file TEXT NOT NULL,
        insecure_http INTEGER NOT NULL,
        -- The directory that is synced; / for all of it.
        root_path TEXT NOT NULL,
        -- Rules of .mooringignore; empty: none.
        ignore_rules TEXT NOT NULL,
        up_bytes_per_second INTEGER,
        down_bytes_per_second INTEGER,
        paused INTEGER NOT NULL,
        halted_cause TEXT,
        -- Of the database here: in another one the base is unknown.
        epoch TEXT NOT NULL,
        -- 1 once the first contact was completed.
        established INTEGER NOT NULL,
        -- The position in the remote's feed up to which its changes are in the base, or listed as to be fetched.
        cursor TEXT,
        listed_at INTEGER,
        last_sync_at INTEGER,
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE remote_base (
        remote_id TEXT NOT NULL REFERENCES remotes (remote_id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        hash BLOB NOT NULL,
        size INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        remote_revision TEXT NOT NULL,
        -- Metadata as JSON; empty: none.
        metadata TEXT NOT NULL,
        PRIMARY KEY (remote_id, path)
      ) STRICT, WITHOUT ROWID;

      -- Changes whose answer is not known yet. They are repeated, with the same identity, before anything else is sent.
      CREATE TABLE remote_sent (
        remote_id TEXT NOT NULL REFERENCES remotes (remote_id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        -- NULL: a deletion.
        hash BLOB,
        size INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        content_type TEXT NOT NULL,
        encoding TEXT NOT NULL,
        metadata TEXT NOT NULL,
        -- The remote revision that the change replaces; empty: none.
        expected TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (remote_id, path)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE remote_conflicts (
        remote_id TEXT NOT NULL REFERENCES remotes (remote_id) ON DELETE CASCADE,
        conflict_id TEXT NOT NULL,
        path TEXT NOT NULL,
        copy_path TEXT NOT NULL,
        local_hash TEXT NOT NULL,
        remote_hash TEXT,
        base_hash TEXT,
        at INTEGER NOT NULL,
        PRIMARY KEY (remote_id, conflict_id)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
