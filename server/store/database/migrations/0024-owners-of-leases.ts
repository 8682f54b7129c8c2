// Owners of leases: a process that starts frees what its former self held, and nothing else.
import type { Migration } from './migration.ts';

export const ownersOfLeases: Migration = {
  version: 24,
  up(database) {
    database.exec(`
      -- Who holds the lease, or held the last one; NULL: never leased.
      ALTER TABLE operations ADD COLUMN lease_owner TEXT;
      ALTER TABLE webhook_deliveries ADD COLUMN lease_owner TEXT;
      -- Until here only the agent leased anything.
      UPDATE operations SET lease_owner = 'agent' WHERE status = 2;
      UPDATE webhook_deliveries SET lease_owner = 'agent' WHERE status = 2;
    `);
  },
};
