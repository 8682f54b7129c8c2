// Taking an envelope in writes to fewer pages: its number is kept in the queue's row, which each commit writes in any case, instead of
// SQLite's table of such numbers, and what may be coalesced is remembered by the writer instead of in an index.
import type { Migration } from './migration.ts';

// A key cannot be changed in place (https://sqlite.org/lang_altertable.html#otheralter). Attempts go first: with their envelopes
// gone they would be taken along.
const schema = `
  ALTER TABLE envelope_queue ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;
  UPDATE envelope_queue SET last_number = max(
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'envelopes'), 0),
    coalesce((SELECT max(number) FROM envelopes), 0));

  CREATE TABLE envelopes_kept (
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
  ) STRICT;
  INSERT INTO envelopes_kept SELECT number, workspace, envelope_id, provider, delivery_id, correlation_id, accepted_at, occurred_at, path, object_id, kind,
    has_content_type, has_semantics, state, outcome, settled_at, attempts, tries, next_attempt_at, failed_at, cause, last_error,
    overwrite_newer, size, body, edited
    FROM envelopes;

  CREATE TABLE envelope_attempts_kept (
    envelope INTEGER NOT NULL REFERENCES envelopes_kept (number) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (envelope, attempt)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO envelope_attempts_kept SELECT envelope, attempt, at, cause, message FROM envelope_attempts;

  DROP TABLE envelope_attempts;
  DROP TABLE envelopes;
  ALTER TABLE envelopes_kept RENAME TO envelopes;
  ALTER TABLE envelope_attempts_kept RENAME TO envelope_attempts;

  CREATE UNIQUE INDEX envelopes_by_id ON envelopes (envelope_id, workspace);
  CREATE UNIQUE INDEX envelopes_by_delivery ON envelopes (workspace, provider, delivery_id);
  CREATE INDEX envelopes_pending ON envelopes (workspace, provider, number) WHERE state = 1;
  CREATE INDEX envelopes_dead ON envelopes (workspace, number) WHERE state = 2;
  CREATE INDEX envelopes_settled ON envelopes (settled_at) WHERE state = 3;
`;

export const envelopePages: Migration = {
  version: 12,
  up(database) {
    database.exec(schema);
  },
};
