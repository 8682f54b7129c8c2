// When a token was last used, to the minute. Of the tokens that there were nothing is known until they are used again.
import type { Migration } from './migration.ts';

export const tokenUses: Migration = {
  version: 8,
  up(database) {
    database.exec('ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;');
  },
};
