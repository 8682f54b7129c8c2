// Endpoints and subscriptions that end with the token that registered them.
import type { Migration } from './migration.ts';

// `access` is NULL for what the owner registered: that does not expire. Of the others, those whose token is not in the table any
// more (it expired over a month ago, or another issuer made it) expire now: until when they were valid is not known.
const schema = `
  -- When the token expires that registered it; NULL: the owner registered it.
  ALTER TABLE webhooks ADD COLUMN expires_at INTEGER;
  -- When a token that registered it was revoked.
  ALTER TABLE webhooks ADD COLUMN revoked_at INTEGER;
  UPDATE webhooks SET expires_at = coalesce(
    (SELECT min(expires_at) FROM tokens WHERE token_id IN (SELECT value FROM json_each(webhooks.token_ids))),
    created_at) WHERE access IS NOT NULL;
  -- Tokens that registered it, as JSON: when one of them is revoked it is cancelled.
  ALTER TABLE subscriptions ADD COLUMN token_ids TEXT NOT NULL DEFAULT '[]';
`;

export const endpointLifetimes: Migration = {
  version: 14,
  up: (database) => void database.exec(schema),
};
