import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0017 leaves no refresh behind the one that is due', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 16));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO providers (workspace, name, kind, plain_http, private_addresses, timeout_ms, paused, refresh_id, created_at, updated_at)
      VALUES (1, 'hub', 'http', 0, 0, 1000, 0, 'sync_1', 1, 1);
  `);
  migrate(database, migrations.slice(0, 17));
  expect(database.all('SELECT refresh_id, refresh_next FROM providers')).toEqual([
    { refresh_id: 'sync_1', refresh_next: '[]' },
  ]);
  database.close();
});
