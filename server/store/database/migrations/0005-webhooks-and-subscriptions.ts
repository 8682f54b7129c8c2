// Addresses that are told of changes, and subscriptions whose events wait until somebody claims them.
import type { Migration } from './migration.ts';

// The secret of an address does not lie here: a backup of the database must not carry it.
const schema = `
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
    failures_in_row INTEGER NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  -- One event on its way to one address. Numbers are never used twice: receivers know deliveries by them.
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
  ) STRICT;
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
  ) STRICT;
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
  -- Tokens of the control plane are many and short-lived.
  CREATE INDEX tokens_by_end ON tokens (expires_at);
`;

export const webhooksAndSubscriptions: Migration = {
  version: 5,
  up: (database) => void database.exec(schema),
};
