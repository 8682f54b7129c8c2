import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0007 makes room for forks, and a view of a moment finds what was deleted after it by an index', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 6));
  migrate(database);
  expect(database.all('SELECT * FROM forks')).toEqual([]);
  expect(database.all('SELECT * FROM fork_paths')).toEqual([]);
  const plan = database.all<{ detail: string }>(
    'EXPLAIN QUERY PLAN SELECT DISTINCT path FROM history WHERE workspace = ? AND revision > ? AND action = 1 ORDER BY path',
    1,
    1,
  );
  expect(plan.map(({ detail }) => detail).join()).toContain('USING COVERING INDEX history_deletions');
  database.close();
});
