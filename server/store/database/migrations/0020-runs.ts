// Runs: each has a fork for its changes, and the commits that it made of them.
import type { Migration } from './migration.ts';

export const runs: Migration = {
  version: 20,
  up(database) {
    database.exec(`
      CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        workspace_id TEXT NOT NULL,
        run_id TEXT NOT NULL UNIQUE,
        fork_id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        root_path TEXT NOT NULL,
        -- JSON list: the program and its arguments; empty: none is known.
        command TEXT NOT NULL,
        -- open, committed, discarded or undone.
        state TEXT NOT NULL,
        created_by TEXT NOT NULL,
        -- JSON list: the token that created it and its issuers; empty: the owner.
        creator_tokens TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        ended_at INTEGER
      ) STRICT;
      CREATE INDEX runs_by_workspace ON runs (workspace_id, number);

      CREATE TABLE run_commits (
        run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
        -- Of its changes in the history; the revision of the first one.
        batch INTEGER NOT NULL,
        at INTEGER NOT NULL,
        writes INTEGER NOT NULL,
        deletes INTEGER NOT NULL,
        PRIMARY KEY (run, batch)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
