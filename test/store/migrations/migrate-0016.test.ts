import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0016 leaves what waited before as its provider’s', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 15));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO envelopes (number, workspace, envelope_id, provider, delivery_id, correlation_id, accepted_at, has_content_type,
      has_semantics, state, attempts, tries, overwrite_newer, size, body)
      VALUES (1, 1, 'env_1', 'hub', 'd', 'c', 5, 0, 0, 1, 0, 0, 0, 7, '{"a":1}');
  `);
  migrate(database, migrations.slice(0, 16));
  expect(database.all('SELECT envelope_id, body, authority FROM envelopes')).toEqual([
    { envelope_id: 'env_1', body: '{"a":1}', authority: null },
  ]);
  expect(database.all('SELECT refresh_authority FROM providers')).toEqual([]);
  database.close();
});
