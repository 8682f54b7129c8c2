// The time at which a pause of a mirror ends without a request.
import type { Migration } from './migration.ts';

export const timedPausesOfMirrors: Migration = {
  version: 27,
  up(database) {
    database.exec(`
      -- NULL: not paused, or paused until resumed.
      ALTER TABLE mirrors ADD COLUMN paused_until INTEGER;
    `);
  },
};
