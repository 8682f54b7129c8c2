import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { historyOfPath } from '../../../server/store/database/rows.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { readHistory } from '../../../server/store/tables/files/history.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0009 keeps every revision, lays them in the order in which they were made and finds a path by an index', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 8));
  database.exec(
    `INSERT INTO workspaces (number, workspace_id, name, created_at) VALUES (1, 'rw_old', 'Old', 1)`,
  );
  const insert = `INSERT INTO history (workspace, path, revision, action, moved_from, hash, size, content_type, base64, actor_kind,
       actor_name, token_id, origin, correlation_id, operation, at, batch, restored_from, semantics, rules)
       VALUES (?, ?, ?, ?, ?, ?, 1, 'text/plain', 0, 0, 'one', NULL, 1, 'c', NULL, ?, ?, NULL, NULL, NULL)`;
  // A fork keeps its own under a negative number, where revisions count from 1 again.
  for (const workspace of [1, -1]) {
    for (let revision = 1; revision <= 300; revision += 1) {
      const action = revision % 50 === 0 ? 1 : 0;
      const hash = action === 1 ? null : Buffer.alloc(32, revision);
      database.run(
        insert,
        workspace,
        `/f${revision % 7}`,
        revision,
        action,
        null,
        hash,
        revision,
        revision % 3 || null,
      );
    }
  }
  const all = 'SELECT * FROM history ORDER BY workspace, revision';
  const before = database.all(all);
  migrate(database);
  expect(before).toHaveLength(600);
  expect(database.all(all)).toEqual(before);
  expect(readHistory(database, 'rw_old', '/f3', 2, 100).map(({ revision }) => revision)).toEqual([94, 87]);
  const plan = (sql: string) =>
    (database.all(`EXPLAIN QUERY PLAN ${sql}`) as { detail: string }[]).map(({ detail }) => detail).join();
  expect(
    plan(`SELECT * FROM ${historyOfPath} WHERE workspace = 1 AND path = 'p' ORDER BY revision DESC`),
  ).toBe('SEARCH history USING INDEX history_by_path (workspace=? AND path=?)');
  expect(plan('SELECT * FROM history WHERE workspace = 1 AND revision < 9 ORDER BY revision DESC')).toBe(
    'SEARCH history USING PRIMARY KEY (workspace=? AND revision<?)',
  );
  expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
  expect(database.pragma('integrity_check')).toBe('ok');
  database.close();
});

it('no statement looks for one path without naming the index of paths: it would go through the whole history', () => {
  const files = globSync('server/store/**/*.ts').filter((file) => !file.includes('migrations'));
  expect(files.length).toBeGreaterThan(40);
  const careless = files.filter((file) =>
    /FROM history(?: AS \w+)?\s+WHERE \S*workspace = \S+ AND \S*path [=<>]+ \S+(?!\s+AND \S*revision = )\s/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(careless).toEqual([]);
});
