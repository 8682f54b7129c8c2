// History lies in the order in which it was made, and is found by path through an index.
import type { Migration } from './migration.ts';

// A row of history is long and a change is one row. In the order of paths each change went to a page of its own, which the
// commit had to write whole; in the order of revisions the changes of a commit share a page or two. The index is as long as the
// one that it replaces.
const schema = `
  CREATE TABLE history_by_time (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    revision INTEGER NOT NULL,
    action INTEGER NOT NULL,
    moved_from TEXT,
    hash BLOB,
    size INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    base64 INTEGER NOT NULL,
    actor_kind INTEGER NOT NULL,
    actor_name TEXT NOT NULL,
    token_id TEXT,
    origin INTEGER NOT NULL,
    correlation_id TEXT NOT NULL,
    operation INTEGER,
    at INTEGER NOT NULL,
    batch INTEGER,
    restored_from INTEGER,
    semantics TEXT,
    rules TEXT,
    PRIMARY KEY (workspace, revision)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO history_by_time SELECT workspace, path, revision, action, moved_from, hash, size, content_type, base64,
    actor_kind, actor_name, token_id, origin, correlation_id, operation, at, batch, restored_from, semantics, rules
    FROM history INDEXED BY history_by_revision ORDER BY workspace, revision;
  DROP TABLE history;
  ALTER TABLE history_by_time RENAME TO history;
  CREATE UNIQUE INDEX history_by_path ON history (workspace, path, revision);
  CREATE INDEX history_by_batch ON history (workspace, batch) WHERE batch IS NOT NULL;
  CREATE INDEX history_deletions ON history (workspace, revision, path) WHERE action = 1;
`;

export const historyInOrder: Migration = {
  version: 9,
  up: (database) => void database.exec(schema),
};
