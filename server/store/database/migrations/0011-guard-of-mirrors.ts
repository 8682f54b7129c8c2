// How many deletions a minute a mirror believes. Of the mirrors that there were: as many as before.
import type { Migration } from './migration.ts';

export const mirrorGuards: Migration = {
  version: 11,
  up(database) {
    database.exec('ALTER TABLE mirrors ADD COLUMN deletes_per_minute_max INTEGER;');
  },
};
