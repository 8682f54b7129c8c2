// A mirror can show the files of a fork instead of the workspace's own.
import type { Migration } from './migration.ts';

export const mirrorsOfForks: Migration = {
  version: 21,
  up(database) {
    // NULL: the workspace itself.
    database.exec('ALTER TABLE mirrors ADD COLUMN fork_id TEXT;');
  },
};
