import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { readHistory, readHistoryPage } from '../../../server/store/tables/files/history.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0004 gives each old revision what is known of it: the metadata of today and the rules of its event', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 3));
  database.exec(`
    INSERT INTO workspaces (number, workspace_id, name, created_at) VALUES (1, 'rw_old', 'Old', 1);
    INSERT INTO entries (workspace, path, updated_at, revision, hash, size, content_type, base64, semantics)
      VALUES (1, '/a', 2, 2, x'02', 1, 'text/plain', 0, '{"comments":["c"]}');
    INSERT INTO history (workspace, path, revision, action, hash, size, content_type, base64, actor_kind, actor_name,
        origin, correlation_id, at)
      VALUES (1, '/a', 1, 0, x'01', 1, 'text/plain', 0, 0, 'one', 1, 'c', 1),
             (1, '/a', 2, 0, x'02', 1, 'text/plain', 0, 0, 'one', 1, 'c', 2);
    INSERT INTO events (workspace, seq, type, path, revision, origin, correlation_id, at, rules)
      VALUES (1, 1, 'file.created', '/a', 1, 1, 'c', 1, '["deny:agent:two"]'),
             (1, 2, 'file.updated', '/a', 2, 1, 'c', 2, NULL);
  `);
  migrate(database);
  expect(readHistory(database, 'rw_old', '/a', 10, null)).toMatchObject([
    { revision: 2, batch: 2, restoredFrom: null, semantics: { comments: ['c'] } },
    { revision: 1, batch: 1, restoredFrom: null, semantics: {} },
  ]);
  const seen = readHistoryPage(database, 'rw_old', {
    path: '/a',
    what: { kind: 'path' },
    beforeRevision: null,
    limit: 10,
    access: { workspaceId: 'rw_old', agent: 'two', scopes: [] },
  });
  expect(seen.rows.map(({ revision }) => revision)).toEqual([2]);
  database.close();
});
