// Which way a mirror carries changes, and which directory of the workspace it shows. What there was carries both ways and shows
// the whole.
import type { Migration } from './migration.ts';

export const mirrorModes: Migration = {
  version: 6,
  up(database) {
    database.exec(`
      ALTER TABLE mirrors ADD COLUMN mode TEXT NOT NULL DEFAULT 'two-way';
      ALTER TABLE mirrors ADD COLUMN root_path TEXT NOT NULL DEFAULT '/';
    `);
  },
};
