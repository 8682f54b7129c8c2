// Users and their roles, invites and personal tokens. They are used by a hub only; on an agent the tables stay empty.
import type { Migration } from './migration.ts';

export const users: Migration = {
  version: 26,
  up(database) {
    database.exec(`
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
      -- Raised by every change of users and roles, so that processes know when to read them again.
      CREATE TABLE users_version (id INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT;
      INSERT INTO users_version (id, version) VALUES (1, 0);
      ALTER TABLE tokens ADD COLUMN user_id TEXT;
      CREATE INDEX tokens_by_user ON tokens (user_id, workspace_id) WHERE user_id IS NOT NULL;
    `);
  },
};
