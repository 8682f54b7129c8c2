// Which tokens created a fork: they may end it whatever others have staged in it. Of the forks that there were it is not known.
import type { Migration } from './migration.ts';

export const forkCreators: Migration = {
  version: 15,
  up(database) {
    // The token and those under which it was made, as JSON; empty: the owner's.
    database.exec("ALTER TABLE forks ADD COLUMN creator_tokens TEXT NOT NULL DEFAULT '[]';");
  },
};
