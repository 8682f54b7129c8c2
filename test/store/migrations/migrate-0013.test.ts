import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0013 binds identities to the content that they wrote, where the history still has it', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 12));
  const identity = (key: string, revision: number) => `
    INSERT INTO identities (workspace, kind, key, result, expires_at)
      VALUES (1, 'k', '${key}', '{"ok":true,"path":"/a","revision":${revision}}', 99);`;
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO history (workspace, path, revision, action, hash, size, content_type, base64, actor_kind, actor_name, origin,
      correlation_id, at) VALUES (1, '/a', 7, 1, x'ab', 1, 'text/plain', 0, 1, 'a', 1, 'c', 1);
    ${identity('kept', 7)} ${identity('gone', 3)}
  `);
  migrate(database);
  expect(database.all('SELECT key, lower(hex(hash)) AS hash FROM identities ORDER BY key')).toEqual([
    { key: 'gone', hash: '' },
    { key: 'kept', hash: 'ab' },
  ]);
  database.close();
});
