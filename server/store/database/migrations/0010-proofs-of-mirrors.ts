// The last proof of each mirror, so that it is known after a restart when both sides were equal. Of the mirrors that there were
// nothing is known until they are proved again.
import type { Migration } from './migration.ts';

export const mirrorProofs: Migration = {
  version: 10,
  up(database) {
    database.exec(`
      CREATE TABLE mirror_proofs (
        mirror_id TEXT PRIMARY KEY REFERENCES mirrors (mirror_id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        root TEXT NOT NULL,
        files INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        left_out INTEGER NOT NULL,
        hashed_files INTEGER NOT NULL,
        hashed_bytes INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
