// What only a hub has: functions that its statements use as those of SQLite, and tables of what its processes share.

export const functions = `
  CREATE FUNCTION mooring.unhex(text) RETURNS bytea IMMUTABLE STRICT LANGUAGE sql AS $$ SELECT decode($1, 'hex') $$;
  CREATE FUNCTION mooring.instr(text, text) RETURNS bigint IMMUTABLE STRICT LANGUAGE sql
    AS $$ SELECT strpos($1, $2)::bigint $$;
  CREATE FUNCTION mooring.max(bigint, bigint) RETURNS bigint IMMUTABLE STRICT LANGUAGE sql
    AS $$ SELECT greatest($1, $2) $$;
  CREATE FUNCTION mooring.max(text, text) RETURNS text IMMUTABLE STRICT LANGUAGE sql
    AS $$ SELECT greatest($1 COLLATE "C", $2 COLLATE "C") $$;
  CREATE FUNCTION mooring.json_each(text) RETURNS TABLE (value text) IMMUTABLE STRICT LANGUAGE sql
    AS $$ SELECT json_array_elements_text($1::json) COLLATE "C" $$;
`;

/** What only a hub has: contents in pieces, marks of commits, the processes. */
export const ofHub = `
  -- Contents above the size of a row of blobs, in pieces of 512 KiB. They are there before the change that names them.
  CREATE TABLE contents (
    hash bytea PRIMARY KEY,
    size bigint NOT NULL,
    staged_at bigint NOT NULL
  );
  CREATE TABLE chunks (
    hash bytea NOT NULL REFERENCES contents (hash) ON DELETE CASCADE,
    n bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (hash, n)
  );
  ALTER TABLE chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
  -- Whether a group was committed, for a process that lost its connection before the answer.
  CREATE TABLE commits (
    id text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL
  );
  CREATE TABLE members (
    id text COLLATE "C" PRIMARY KEY,
    version text COLLATE "C" NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    -- 1: does the work in the background.
    leads bigint NOT NULL
  );
  -- Secrets that all processes share, sealed with the master key.
  CREATE TABLE keys (
    name text COLLATE "C" PRIMARY KEY,
    sealed text COLLATE "C" NOT NULL
  );
  CREATE TABLE secrets (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    sealed text COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, key)
  );
`;

export const deleteWindows = `
  -- Milliseconds since 1970, also within a long transaction.
  CREATE FUNCTION clock_ms() RETURNS bigint LANGUAGE sql VOLATILE
    RETURN CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint);
  CREATE TABLE delete_windows (
    token_id text COLLATE "C" PRIMARY KEY,
    ends_at bigint NOT NULL,
    taken bigint NOT NULL
  );
`;

export const signIns = `
  CREATE TABLE sign_in_sessions (
    id text COLLATE "C" PRIMARY KEY,
    -- JSON (auth/sign-in-session-store.ts).
    session text COLLATE "C" NOT NULL
  );
  CREATE TABLE one_time_texts (
    topic text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    -- 0: it was used.
    ends_at bigint NOT NULL,
    counts_until bigint NOT NULL,
    PRIMARY KEY (topic, hash)
  );
`;

export const usersAndRoles = `
  CREATE TABLE users (
    user_id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL UNIQUE,
    email text COLLATE "C",
    email_key text COLLATE "C" UNIQUE,
    is_owner bigint NOT NULL,
    created_at bigint NOT NULL,
    disabled_at bigint,
    signed_in_at bigint,
    issuer text COLLATE "C",
    subject text COLLATE "C",
    UNIQUE (issuer, subject)
  );
  CREATE TABLE user_roles (
    role_id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users (user_id),
    workspace_id text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    UNIQUE (user_id, workspace_id)
  );
  CREATE INDEX user_roles_by_workspace ON user_roles (workspace_id);
  CREATE TABLE invites (
    secret_hash text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL UNIQUE REFERENCES users (user_id),
    created_by text COLLATE "C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE TABLE users_version (id bigint PRIMARY KEY, version bigint NOT NULL);
  INSERT INTO users_version (id, version) VALUES (1, 0);
  ALTER TABLE tokens ADD COLUMN user_id text COLLATE "C";
  CREATE INDEX tokens_by_user ON tokens (user_id, workspace_id) WHERE user_id IS NOT NULL;
`;
