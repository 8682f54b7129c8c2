// What all migrations together leave in a new database. Written from them by
// `npx vitest run test/store/database/schema.test.ts -u`; without `-u` the same test compares the two.
export const schemaOfVersion = 27;

export const schema = `
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    refs INTEGER NOT NULL CHECK (refs >= 0),
    bytes BLOB
  ) STRICT;
CREATE INDEX blobs_unused ON blobs (id) WHERE refs = 0;
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
CREATE TABLE labels (
    workspace INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (workspace, kind, name, value, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE access_rules (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    is_marker INTEGER NOT NULL,
    permissions TEXT NOT NULL,
    PRIMARY KEY (workspace, path, is_marker)
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
    completed_at INTEGER, superseded_by INTEGER, lease_until INTEGER, failures INTEGER NOT NULL DEFAULT 0, renewals INTEGER NOT NULL DEFAULT 0, failure_code TEXT, draft TEXT, rules TEXT, lease_owner TEXT,
    PRIMARY KEY (workspace, number)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX operations_unsettled ON operations (workspace, status, number) WHERE status <> 3;
CREATE TABLE identities (
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    result TEXT NOT NULL,
    expires_at INTEGER NOT NULL, hash BLOB,
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
  , last_used_at INTEGER, fork_id TEXT, user_id TEXT) STRICT, WITHOUT ROWID;
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
  , mode TEXT NOT NULL DEFAULT 'two-way', root_path TEXT NOT NULL DEFAULT '/', deletes_per_minute_max INTEGER, fork_id TEXT, paused_until INTEGER) STRICT, WITHOUT ROWID;
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
CREATE TABLE envelope_queue (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    pending INTEGER NOT NULL CHECK (pending >= 0),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
  , last_number INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE ingress (
    workspace INTEGER NOT NULL REFERENCES workspaces (number),
    provider TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    deduped INTEGER NOT NULL,
    coalesced INTEGER NOT NULL,
    applied INTEGER NOT NULL,
    ignored INTEGER NOT NULL,
    suppressed INTEGER NOT NULL,
    stale INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    pending INTEGER NOT NULL CHECK (pending >= 0),
    dead INTEGER NOT NULL CHECK (dead >= 0),
    retried INTEGER NOT NULL,
    dead_lettered INTEGER NOT NULL,
    replayed INTEGER NOT NULL,
    last_envelope TEXT,
    last_received_at INTEGER,
    PRIMARY KEY (workspace, provider)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE watermarks (
    workspace INTEGER NOT NULL,
    provider TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (workspace, provider, key)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX watermarks_by_time ON watermarks (at);
CREATE TABLE provider_objects (
    workspace INTEGER NOT NULL,
    provider TEXT NOT NULL,
    object_id TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (workspace, provider, object_id)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX provider_objects_by_path ON provider_objects (workspace, path);
CREATE TABLE sent_contents (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    hash BLOB,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, path)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX operations_open_by_path ON operations (workspace, path, number) WHERE status IN (1, 2);
CREATE TABLE internal_signatures (
    signature TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE INDEX internal_signatures_by_expiry ON internal_signatures (expires_at);
CREATE TABLE providers (
    workspace INTEGER NOT NULL REFERENCES workspaces (number),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT,
    refresh_url TEXT,
    plain_http INTEGER NOT NULL,
    private_addresses INTEGER NOT NULL,
    timeout_ms INTEGER NOT NULL,
    paused INTEGER NOT NULL,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    last_error TEXT,
    -- The last refresh that was asked for; it is due while finished_at is NULL.
    refresh_id TEXT,
    refresh_correlation_id TEXT,
    refresh_requested_at INTEGER,
    refresh_finished_at INTEGER,
    refresh_error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, refresh_authority TEXT, refresh_next TEXT NOT NULL DEFAULT '[]', refresh_open_starts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, name)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX operations_open ON operations (workspace, provider, number) WHERE status IN (1, 2);
CREATE INDEX operations_running ON operations (workspace, provider, lease_until) WHERE status = 2;
CREATE INDEX operations_superseded ON operations (workspace, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX operations_dead ON operations (workspace, provider) WHERE status = 5;
CREATE TABLE operation_steps (
    workspace INTEGER NOT NULL,
    operation INTEGER NOT NULL,
    step INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    ended_at INTEGER,
    attempt INTEGER,
    outcome TEXT,
    http_status INTEGER,
    code TEXT,
    message TEXT,
    next_attempt_at INTEGER,
    correlation_id TEXT,
    PRIMARY KEY (workspace, operation, step)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX entries_by_object ON entries (workspace, provider_object_id) WHERE provider_object_id IS NOT NULL;
CREATE TABLE webhooks (
    workspace INTEGER NOT NULL REFERENCES workspaces (number),
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    globs TEXT NOT NULL,
    plain_http INTEGER NOT NULL,
    private_addresses INTEGER NOT NULL,
    -- With whose eyes events are looked at, as JSON; NULL: the owner's.
    access TEXT,
    token_ids TEXT NOT NULL,
    -- Events up to here were looked at.
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_attempt_at INTEGER,
    last_success_at INTEGER,
    last_error TEXT,
    failures_in_row INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_deliveries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    event INTEGER NOT NULL,
    body TEXT NOT NULL,
    status INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    replays INTEGER NOT NULL,
    next_attempt_at INTEGER,
    lease_until INTEGER,
    last_error TEXT,
    failed_at INTEGER
  , lease_owner TEXT) STRICT;
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (workspace, webhook, number) WHERE status IN (1, 2);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (workspace, number) WHERE failed_at IS NOT NULL;
CREATE INDEX webhook_deliveries_over ON webhook_deliveries (workspace, webhook, number) WHERE status IN (3, 4);
CREATE TABLE subscriptions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL REFERENCES workspaces (number),
    owner TEXT NOT NULL,
    subscriber TEXT NOT NULL,
    provider TEXT NOT NULL,
    resource TEXT NOT NULL,
    event_types TEXT NOT NULL,
    terminal_types TEXT NOT NULL,
    intent TEXT,
    -- 1 active, 2 cancelled, 3 retired. What is active and past its end has expired.
    status INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    retired_at INTEGER
  , token_ids TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE INDEX subscriptions_by_resource ON subscriptions (workspace, resource) WHERE status = 1;
CREATE INDEX subscriptions_by_owner ON subscriptions (workspace, owner, number);
CREATE TABLE subscription_deliveries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL,
    subscription INTEGER NOT NULL,
    owner TEXT NOT NULL,
    -- As it is answered, as JSON.
    event TEXT NOT NULL,
    -- Access rules in force when it happened, as JSON.
    rules TEXT,
    terminal INTEGER NOT NULL,
    -- 1 pending, 2 claimed, 3 accepted, 4 cancelled
    status INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    claimed_at INTEGER,
    lease_until INTEGER,
    claim_token TEXT,
    accepted_at INTEGER
  ) STRICT;
CREATE INDEX subscription_deliveries_open ON subscription_deliveries (workspace, owner, number) WHERE status IN (1, 2);
CREATE INDEX subscription_deliveries_of ON subscription_deliveries (subscription, number);
CREATE INDEX subscription_deliveries_by_age ON subscription_deliveries (workspace, created_at);
CREATE INDEX tokens_by_end ON tokens (expires_at);
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
  , creator_tokens TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE UNIQUE INDEX forks_by_proposal ON forks (proposal) WHERE ended_at IS NULL;
CREATE INDEX forks_by_workspace ON forks (workspace, number);
CREATE TABLE fork_paths (
    fork INTEGER NOT NULL REFERENCES forks (number),
    path TEXT NOT NULL,
    kind INTEGER NOT NULL,
    made_on INTEGER NOT NULL,
    PRIMARY KEY (fork, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE "history" (
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
CREATE UNIQUE INDEX history_by_path ON history (workspace, path, revision);
CREATE INDEX history_by_batch ON history (workspace, batch) WHERE batch IS NOT NULL;
CREATE INDEX history_deletions ON history (workspace, revision, path) WHERE action = 1;
CREATE TABLE mirror_proofs (
        mirror_id TEXT PRIMARY KEY REFERENCES mirrors (mirror_id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        root TEXT NOT NULL,
        files INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        left_out INTEGER NOT NULL,
        hashed_files INTEGER NOT NULL,
        hashed_bytes INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
CREATE TABLE "envelopes" (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces (number),
    envelope_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    correlation_id TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    occurred_at INTEGER,
    path TEXT,
    object_id TEXT,
    kind INTEGER,
    has_content_type INTEGER NOT NULL,
    has_semantics INTEGER NOT NULL,
    state INTEGER NOT NULL,
    outcome INTEGER,
    settled_at INTEGER,
    attempts INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    next_attempt_at INTEGER,
    failed_at INTEGER,
    cause TEXT,
    last_error TEXT,
    overwrite_newer INTEGER NOT NULL,
    size INTEGER NOT NULL,
    body TEXT,
    edited TEXT
  , authority TEXT) STRICT;
CREATE TABLE "envelope_attempts" (
    envelope INTEGER NOT NULL REFERENCES "envelopes" (number) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (envelope, attempt)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX envelopes_by_id ON envelopes (envelope_id, workspace);
CREATE UNIQUE INDEX envelopes_by_delivery ON envelopes (workspace, provider, delivery_id);
CREATE INDEX envelopes_pending ON envelopes (workspace, provider, number) WHERE state = 1;
CREATE INDEX envelopes_dead ON envelopes (workspace, number) WHERE state = 2;
CREATE INDEX envelopes_settled ON envelopes (settled_at) WHERE state = 3;
CREATE INDEX operations_by_provider ON operations (workspace, provider, number);
CREATE INDEX operations_deletions ON operations (workspace, number) WHERE action = 2;
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
      , server_epoch TEXT) STRICT, WITHOUT ROWID;
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
CREATE TABLE users (
        user_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        -- In lower case, for uniqueness.
        name_key TEXT NOT NULL UNIQUE,
        email TEXT,
        email_key TEXT UNIQUE,
        -- 1: has the rights of the owner token.
        is_owner INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        disabled_at INTEGER,
        signed_in_at INTEGER,
        -- The identity at an OpenID provider, from its first use on.
        issuer TEXT,
        subject TEXT,
        UNIQUE (issuer, subject)
      ) STRICT;
CREATE TABLE user_roles (
        -- Another one after each change of the role.
        role_id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES users (user_id),
        workspace_id TEXT NOT NULL,
        role TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        UNIQUE (user_id, workspace_id)
      ) STRICT;
CREATE INDEX user_roles_by_workspace ON user_roles (workspace_id);
CREATE TABLE invites (
        -- Of the secret in the link.
        secret_hash TEXT PRIMARY KEY,
        user_id TEXT NOT NULL UNIQUE REFERENCES users (user_id),
        -- The user who made it; NULL: the owner of the hub.
        created_by TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT;
CREATE TABLE users_version (id INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT;
CREATE INDEX tokens_by_user ON tokens (user_id, workspace_id) WHERE user_id IS NOT NULL;
INSERT INTO counters (name, last) VALUES ('event', 0);
INSERT INTO counters (name, last) VALUES ('event_floor', 0);
INSERT INTO counters (name, last) VALUES ('history_floor', 0);
INSERT INTO counters (name, last) VALUES ('operation', 0);
INSERT INTO counters (name, last) VALUES ('revision', 0);
INSERT INTO envelope_queue (id, pending, bytes, last_number) VALUES (1, 0, 0, 0);
INSERT INTO users_version (id, version) VALUES (1, 0);
`;
