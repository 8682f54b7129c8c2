import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0024 gives the agent the leases that it held, and none to what was never leased', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 23));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO webhooks (workspace, id, url, globs, plain_http, private_addresses, token_ids, position, created_at, failures_in_row)
      VALUES (1, 'wh_1', 'https://example.com', '[]', 0, 0, '[]', 0, 1, 0);
  `);
  const operation = `INSERT INTO operations (workspace, number, path, revision, action, provider, status, attempts, correlation_id,
    created_at, updated_at, lease_until)`;
  database.exec(`
    ${operation} VALUES (1, 1, '/a', 1, 1, 'hub', 1, 0, 'c', 1, 1, NULL), (1, 2, '/b', 2, 1, 'hub', 2, 1, 'c', 1, 1, 9);
  `);
  migrate(database, migrations.slice(0, 24));
  expect(database.all('SELECT number, lease_owner FROM operations ORDER BY number')).toEqual([
    { number: 1, lease_owner: null },
    { number: 2, lease_owner: 'agent' },
  ]);
  database.close();
});
