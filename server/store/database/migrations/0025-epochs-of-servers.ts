// The epoch of the server of a remote: a base that was recorded in another one is known to be untrue, also after a start of the agent.
import type { Migration } from './migration.ts';

export const epochsOfServers: Migration = {
  version: 25,
  up(database) {
    database.exec(`
      -- NULL: not known, or the server has none.
      ALTER TABLE remotes ADD COLUMN server_epoch TEXT;
    `);
  },
};
