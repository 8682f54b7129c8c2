import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listRuns } from '../../../server/store/tables/runs/runs.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0020 has no runs of earlier forks', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 19));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO forks (workspace, fork_id, proposal, base_revision, base_at, last_revision, created_by, created_at, expires_at)
      SELECT number, 'fork_old', 'p', 0, 1, 0, 'ann', 1, 9 FROM workspaces;
  `);
  migrate(database);
  expect(listRuns(database, 'rw_old', null, 10)).toEqual([]);
  database.close();
});
