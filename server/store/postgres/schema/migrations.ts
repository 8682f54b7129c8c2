// The tables of a hub, in the database's schema `mooring`. The same names and codes as in SQLite (database/migrations); those about
// folders of a machine stay empty. Text is compared by its UTF-8 bytes (`COLLATE "C"`), the order of the wire.
//
// Migrations of a hub only add, since two versions run side by side during an upgrade.

import { agentTables } from './columns.ts';
import { contentIndexes } from './content-tables.ts';
import { deleteWindows, functions, ofHub, signIns, usersAndRoles } from './hub-tables.ts';
import { machineIndexes } from './machine-tables.ts';
import { queueIndexes } from './queue-tables.ts';

const agentIndexes = [contentIndexes, queueIndexes, machineIndexes].join('');

const firstRows = `
  INSERT INTO counters (name, last)
    VALUES ('event', 0), ('event_floor', 0), ('history_floor', 0), ('operation', 0), ('revision', 0);
  INSERT INTO meta (key, value) VALUES ('epoch', gen_random_uuid()::text);
  INSERT INTO envelope_queue (id, pending, bytes) VALUES (1, 0, 0);
`;

export interface HubMigration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. Each runs in one transaction under the lock of migrations. */
export const migrations: readonly HubMigration[] = [
  {
    version: 1,
    name: 'workspaces, files, feed, queues',
    sql: [functions, agentTables, agentIndexes, ofHub, firstRows].join('\n'),
  },
  { version: 2, name: 'delete quotas of all processes together', sql: deleteWindows },
  {
    version: 3,
    name: 'epochs of the servers of remotes',
    sql: 'ALTER TABLE mooring.remotes ADD COLUMN server_epoch text COLLATE "C"',
  },
  { version: 4, name: 'sign-in sessions of all processes', sql: signIns },
  { version: 5, name: 'users, roles, invites', sql: usersAndRoles },
  {
    version: 6,
    name: 'timed pauses of mirrors',
    sql: 'ALTER TABLE mooring.mirrors ADD COLUMN paused_until bigint',
  },
];
