// Providers of each workspace, and all that an outbound item goes through: attempts, leases, what took its place.
import type { Migration } from './migration.ts';

// A provider's secret does not lie here: a backup of the database must not carry it.
const schema = `
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
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, name)
  ) STRICT, WITHOUT ROWID;

  -- The newer operation of the same path that does this one's work, too. It stays pending until that one is settled.
  ALTER TABLE operations ADD COLUMN superseded_by INTEGER;
  -- Of a running one: until when its worker may be believed to live.
  ALTER TABLE operations ADD COLUMN lease_until INTEGER;
  -- Failed attempts that count against its limit.
  ALTER TABLE operations ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
  -- How often it was given other content to carry: part of its idempotency key.
  ALTER TABLE operations ADD COLUMN renewals INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE operations ADD COLUMN failure_code TEXT;
  -- What became of the draft, as JSON.
  ALTER TABLE operations ADD COLUMN draft TEXT;
  -- Access rules in force when it was made, as JSON: events about it are shown by them.
  ALTER TABLE operations ADD COLUMN rules TEXT;
  CREATE INDEX operations_open ON operations (workspace, provider, number) WHERE status IN (1, 2);
  CREATE INDEX operations_running ON operations (workspace, provider, lease_until) WHERE status = 2;
  CREATE INDEX operations_superseded ON operations (workspace, superseded_by) WHERE superseded_by IS NOT NULL;
  CREATE INDEX operations_dead ON operations (workspace, provider) WHERE status = 5;

  -- What happened to an operation after it was made. An attempt is one row, ended_at NULL while it runs.
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

  -- Files by the provider's id for them: also those of ours that a provider named when it took them over.
  CREATE INDEX entries_by_object ON entries (workspace, provider_object_id) WHERE provider_object_id IS NOT NULL;
`;

export const providersAndWriteback: Migration = {
  version: 3,
  up: (database) => void database.exec(schema),
};
