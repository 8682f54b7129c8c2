// A token can be confined to one fork.
import type { Migration } from './migration.ts';

export const tokensOfForks: Migration = {
  version: 22,
  up(database) {
    // NULL: not confined to a fork.
    database.exec('ALTER TABLE tokens ADD COLUMN fork_id TEXT;');
  },
};
