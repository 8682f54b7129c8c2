import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { getOperation } from '../../../server/store/tables/outbound/operations.ts';
import { writebackCounts } from '../../../server/store/tables/outbound/pending-operations.ts';
import { listSteps } from '../../../server/store/tables/outbound/steps.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0003 keeps operations as they were, with nothing against them', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 2));
  database.exec(`
    INSERT INTO workspaces (number, workspace_id, name, created_at) VALUES (1, 'rw_old', 'Old', 1);
    INSERT INTO operations (workspace, number, path, revision, action, provider, status, attempts, last_error,
        correlation_id, created_at, updated_at, completed_at)
      VALUES (1, 7, '/git/a.md', 9, 1, 'git', 5, 1, 'refused', 'c', 1, 2, 3),
             (1, 8, '/git/b.md', 10, 1, 'git', 1, 0, NULL, 'c', 1, 1, NULL);
  `);
  migrate(database);
  expect(getOperation(database, 'rw_old', 'op_7')).toMatchObject({
    status: 'dead_lettered',
    attemptCount: 1,
    lastError: 'refused',
    failures: 0,
    renewals: 0,
    supersededBy: null,
    failureCode: null,
    draft: null,
  });
  expect(listSteps(database, 'rw_old', 'op_7')).toEqual([]);
  expect(writebackCounts(database, 'rw_old')).toEqual([
    {
      provider: 'git',
      pending: 1,
      running: 0,
      deadLettered: 1,
      oldestPendingAtMs: 1,
      failureCodes: { unknown: 1 },
    },
  ]);
  database.close();
});
