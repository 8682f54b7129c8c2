// Finds operations of a provider, and deletions, without a walk through all operations of the workspace. Most operations are upserts:
// these need no index.
import type { Migration } from './migration.ts';

export const operationsByProvider: Migration = {
  version: 19,
  up(database) {
    database.exec(`
      CREATE INDEX operations_by_provider ON operations (workspace, provider, number);
      CREATE INDEX operations_deletions ON operations (workspace, number) WHERE action = 2;
    `);
  },
};
