import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0025 keeps remotes, of whose servers no epoch is known', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 24));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO remotes (remote_id, workspace_id, url, remote_workspace_id, token_file, insecure_http, root_path, ignore_rules, paused,
        epoch, established, created_at)
      VALUES ('rem_1', 'rw_old', 'https://example.com', 'rw_there', '/token', 0, '/', '', 0, 'here', 1, 1);
  `);
  migrate(database, migrations.slice(0, 25));
  expect(database.all('SELECT remote_id, epoch, server_epoch FROM remotes')).toEqual([
    { remote_id: 'rem_1', epoch: 'here', server_epoch: null },
  ]);
  database.close();
});
