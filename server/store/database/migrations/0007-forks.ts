// Forks: which there are, and what each has staged.
import type { Migration } from './migration.ts';

// What a fork holds lies in `entries`, `history`, `labels`, `access_rules` and `identities` like the files of a workspace, under
// a number of its own: the fork's, negative. So its contents are counted, checked and backed up like any other.
const schema = `
  CREATE TABLE forks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL REFERENCES workspaces (number),
    fork_id TEXT NOT NULL UNIQUE,
    proposal TEXT NOT NULL,
    -- The fork shows the workspace as it was after this revision, which was the newest at that time.
    base_revision INTEGER NOT NULL,
    base_at INTEGER NOT NULL,
    -- Of its own changes.
    last_revision INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- Committed or discarded; NULL while it is open. What it held goes with the next upkeep.
    ended_at INTEGER,
    -- Since when upkeep takes away what it held.
    emptied_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX forks_by_proposal ON forks (proposal) WHERE ended_at IS NULL;
  CREATE INDEX forks_by_workspace ON forks (workspace, number);

  -- Paths where a fork differs. kind: 1 a file of its own, 2 deleted. made_on: the workspace's revision that it replaces; 0: none.
  CREATE TABLE fork_paths (
    fork INTEGER NOT NULL REFERENCES forks (number),
    path TEXT NOT NULL,
    kind INTEGER NOT NULL,
    made_on INTEGER NOT NULL,
    PRIMARY KEY (fork, path)
  ) STRICT, WITHOUT ROWID;

  -- What went after a moment: a view of that moment shows it still.
  CREATE INDEX history_deletions ON history (workspace, revision, path) WHERE action = 1;
`;

export const forks: Migration = {
  version: 7,
  up: (database) => void database.exec(schema),
};
