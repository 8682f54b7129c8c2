// Who handed an envelope in, and who asked for a refresh: what they may do limits what is done for them, also after a restart. What
// waited before has none; it goes on as its provider's.
import type { Migration } from './migration.ts';

export const authorityOfEnvelopes: Migration = {
  version: 16,
  up(database) {
    database.exec(`
      ALTER TABLE envelopes ADD COLUMN authority TEXT;
      ALTER TABLE providers ADD COLUMN refresh_authority TEXT;
    `);
  },
};
