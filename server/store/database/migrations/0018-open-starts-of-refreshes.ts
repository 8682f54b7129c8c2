// How often a refresh was started and did not come to an end. Of those that are due: not once.
import type { Migration } from './migration.ts';

export const refreshStarts: Migration = {
  version: 18,
  up(database) {
    database.exec('ALTER TABLE providers ADD COLUMN refresh_open_starts INTEGER NOT NULL DEFAULT 0;');
  },
};
