import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listOperations } from '../../../server/store/tables/outbound/operations.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0019 finds earlier operations by their provider and action', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 18));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO operations (workspace, number, path, revision, action, provider, status, attempts, correlation_id, created_at, updated_at)
      SELECT number, 1, '/git/a', 1, 1, 'git', 3, 0, 'c', 1, 1 FROM workspaces
      UNION ALL SELECT number, 2, '/git/a', 2, 2, 'git', 3, 0, 'c', 1, 1 FROM workspaces
      UNION ALL SELECT number, 3, '/doc/a', 3, 1, 'doc', 1, 0, 'c', 1, 1 FROM workspaces;
  `);
  migrate(database);
  const found = (filter: { status?: string; action?: string; provider?: string }) =>
    listOperations(database, 'rw_old', { ...filter, cursor: null, limit: 10 })?.items.map(({ opId }) => opId);
  expect(found({ provider: 'GIT' })).toEqual(['op_2', 'op_1']);
  expect(found({ provider: 'git', action: 'file_upsert' })).toEqual(['op_1']);
  expect(found({ action: 'file_delete' })).toEqual(['op_2']);
  expect(found({ action: 'file_delete', provider: 'doc' })).toEqual([]);
  expect(found({ status: 'succeeded', provider: 'git' })).toEqual(['op_2', 'op_1']);
  expect(found({ status: 'pending', provider: 'doc' })).toEqual(['op_3']);
  expect(found({})).toEqual(['op_3', 'op_2', 'op_1']);
  database.close();
});
