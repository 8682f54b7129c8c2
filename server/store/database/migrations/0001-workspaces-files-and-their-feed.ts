// The first form of the database: workspaces, their files with history, events and operations, tokens, mirrors.
import type { Migration } from './migration.ts';

// Workspaces have a small number inside the database, so that the keys of the large tables stay short. Text sorts by its
// UTF-8 bytes (BINARY), which is the order of the wire. Times are milliseconds since 1970. Hashes are 32 bytes.
const schema = `
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Numbers handed out so far: 'revision', 'event', 'operation'. Taken inside the transaction that uses them.
  CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    last INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER
  ) STRICT;

  -- Contents. Small ones lie here, large ones (bytes NULL) as files. refs counts the kept revisions that name it.
  CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    refs INTEGER NOT NULL CHECK (refs >= 0),
    bytes BLOB
  ) STRICT;
  CREATE INDEX blobs_unused ON blobs (id) WHERE refs = 0;

  -- What stands at a path now. A directory has files (how many are below, all levels) and no hash; the root '/' is always
  -- there. top is the lower-cased name of what stands directly below the root: the provider's name.
  CREATE TABLE entries (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    files INTEGER,
    updated_at INTEGER NOT NULL,
    revision INTEGER,
    hash BLOB,
    size INTEGER,
    content_type TEXT,
    base64 INTEGER,
    provider_object_id TEXT,
    semantics TEXT,
    top TEXT,
    PRIMARY KEY (workspace, path),
    CHECK ((files IS NULL) = (hash IS NOT NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entries_by_provider ON entries (workspace, top, path) WHERE top IS NOT NULL;

  -- Metadata of files, for queries. kind: 1 relation, 2 permission, 3 comment, 4 property (name = its key; else empty).
  CREATE TABLE labels (
    workspace INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (workspace, kind, name, value, path)
  ) STRICT, WITHOUT ROWID;

  -- Where access is not simply inherited: directories with a marker, and files with permissions of their own.
  CREATE TABLE access_rules (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    is_marker INTEGER NOT NULL,
    permissions TEXT NOT NULL,
    PRIMARY KEY (workspace, path, is_marker)
  ) STRICT, WITHOUT ROWID;

  -- Every kept state of every path.
  CREATE TABLE history (
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
    PRIMARY KEY (workspace, path, revision)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    workspace INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    path TEXT NOT NULL,
    revision INTEGER,
    hash BLOB,
    origin INTEGER NOT NULL,
    provider TEXT,
    correlation_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    rules TEXT,
    PRIMARY KEY (workspace, seq)
  ) STRICT, WITHOUT ROWID;

  -- status: 1 pending, 2 running, 3 succeeded, 4 failed, 5 dead_lettered, 6 canceled. action: 1 upsert, 2 delete.
  CREATE TABLE operations (
    workspace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    path TEXT NOT NULL,
    revision INTEGER NOT NULL,
    action INTEGER NOT NULL,
    provider TEXT NOT NULL,
    status INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at INTEGER,
    last_error TEXT,
    provider_result TEXT,
    identity TEXT,
    correlation_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    PRIMARY KEY (workspace, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operations_unsettled ON operations (workspace, status, number) WHERE status <> 3;

  -- What a content identity did, so that its repeat does nothing.
  CREATE TABLE identities (
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    result TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX identities_by_expiry ON identities (expires_at);

  CREATE TABLE tokens (
    token_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    deletes_per_minute INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_by_workspace ON tokens (workspace_id, created_at);
  CREATE INDEX tokens_revoked ON tokens (expires_at) WHERE revoked_at IS NOT NULL;

  CREATE TABLE mirrors (
    mirror_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    dir TEXT NOT NULL,
    marker_id TEXT NOT NULL,
    root_device TEXT NOT NULL,
    root_inode TEXT NOT NULL,
    paused INTEGER NOT NULL,
    halted_cause TEXT,
    epoch TEXT NOT NULL,
    established INTEGER NOT NULL,
    last_sync_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE mirror_base (
    mirror_id TEXT NOT NULL REFERENCES mirrors (mirror_id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    hash BLOB NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns TEXT NOT NULL,
    ctime_ns TEXT NOT NULL,
    inode TEXT NOT NULL,
    mode INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    trusted INTEGER NOT NULL,
    PRIMARY KEY (mirror_id, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE mirror_intents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    mirror_id TEXT NOT NULL REFERENCES mirrors (mirror_id) ON DELETE CASCADE,
    action TEXT NOT NULL,
    path TEXT NOT NULL,
    from_path TEXT,
    temp_name TEXT,
    hash BLOB
  ) STRICT;
  CREATE INDEX mirror_intents_by_mirror ON mirror_intents (mirror_id, id);

  CREATE TABLE mirror_conflicts (
    mirror_id TEXT NOT NULL REFERENCES mirrors (mirror_id) ON DELETE CASCADE,
    conflict_id TEXT NOT NULL,
    path TEXT NOT NULL,
    copy_path TEXT NOT NULL,
    local_hash TEXT NOT NULL,
    workspace_hash TEXT,
    base_hash TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (mirror_id, conflict_id)
  ) STRICT, WITHOUT ROWID;
`;

export const initial: Migration = {
  version: 1,
  up(database) {
    database.exec(schema);
    const counter = database.prepare('INSERT INTO counters (name, last) VALUES (?, 0)');
    for (const name of ['revision', 'event', 'operation', 'event_floor']) counter.run(name);
    database.prepare("INSERT INTO meta (key, value) VALUES ('epoch', ?)").run(crypto.randomUUID());
  },
};
