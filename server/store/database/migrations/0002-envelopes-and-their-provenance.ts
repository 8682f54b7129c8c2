// What comes in from providers: envelopes with their attempts, counters, and what decides whether a delivery is late or an echo.
import type { Migration } from './migration.ts';

const schema = `
  -- Each accepted delivery, in the order of arrival. state: 1 pending, 2 dead letter, 3 settled. What is settled stays for a
  -- while as the memory of its delivery id; its body goes at once, unless it had failed before. kind: 1 upsert, 2 delete,
  -- NULL when it must not be coalesced. tries counts since the last replay, attempts ever.
  CREATE TABLE envelopes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
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
  ) STRICT;
  CREATE UNIQUE INDEX envelopes_by_id ON envelopes (envelope_id, workspace);
  CREATE UNIQUE INDEX envelopes_by_delivery ON envelopes (workspace, provider, delivery_id);
  CREATE INDEX envelopes_pending ON envelopes (workspace, provider, number) WHERE state = 1;
  CREATE INDEX envelopes_waiting ON envelopes (workspace, path, number) WHERE state = 1 AND kind IS NOT NULL;
  CREATE INDEX envelopes_dead ON envelopes (workspace, number) WHERE state = 2;
  CREATE INDEX envelopes_settled ON envelopes (settled_at) WHERE state = 3;

  CREATE TABLE envelope_attempts (
    envelope INTEGER NOT NULL REFERENCES envelopes (number) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (envelope, attempt)
  ) STRICT, WITHOUT ROWID;

  -- The queue as a whole: how many envelopes wait, and the bytes of their bodies.
  CREATE TABLE envelope_queue (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    pending INTEGER NOT NULL CHECK (pending >= 0),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
  ) STRICT;

  -- accepted = applied + ignored + suppressed + stale + coalesced + acknowledged + pending + dead, at every commit.
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

  -- The newest that was applied: key 'p:' + path or 'o:' + the provider's object id.
  CREATE TABLE watermarks (
    workspace INTEGER NOT NULL,
    provider TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (workspace, provider, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX watermarks_by_time ON watermarks (at);

  -- Where the objects of providers lie.
  CREATE TABLE provider_objects (
    workspace INTEGER NOT NULL,
    provider TEXT NOT NULL,
    object_id TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (workspace, provider, object_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX provider_objects_by_path ON provider_objects (workspace, path);

  -- The last of ours that a path's provider took over (hash NULL: that it is gone), until the provider changes it.
  CREATE TABLE sent_contents (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    hash BLOB,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, path)
  ) STRICT, WITHOUT ROWID;

  -- What is on its way to a provider: 1 pending, 2 running.
  CREATE INDEX operations_open_by_path ON operations (workspace, path, number) WHERE status IN (1, 2);

  -- Signatures of internal requests that were taken, while their time window lasts.
  CREATE TABLE internal_signatures (
    signature TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX internal_signatures_by_expiry ON internal_signatures (expires_at);

  INSERT INTO envelope_queue (id, pending, bytes) VALUES (1, 0, 0);
`;

export const envelopes: Migration = {
  version: 2,
  up: (database) => void database.exec(schema),
};
