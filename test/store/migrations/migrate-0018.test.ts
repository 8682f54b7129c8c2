import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listProviders } from '../../../server/store/tables/outbound/providers.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0018 counts no start of the refreshes that are due', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 17));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO providers (workspace, name, kind, plain_http, private_addresses, timeout_ms, paused, refresh_id, refresh_requested_at, created_at, updated_at)
      SELECT number, 'git', 'http', 0, 0, 1000, 0, 'sync_1', 1, 1, 1 FROM workspaces WHERE workspace_id = 'rw_old';
  `);
  migrate(database);
  expect(listProviders(database)).toMatchObject([{ refresh: { id: 'sync_1', openStarts: 0 } }]);
  database.close();
});
