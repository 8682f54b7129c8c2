import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0012 keeps envelopes with their attempts, and gives no number twice', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 11));
  const envelope = (id: string, state: number) => `
    INSERT INTO envelopes (workspace, envelope_id, provider, delivery_id, correlation_id, accepted_at, path, has_content_type,
      has_semantics, state, attempts, tries, overwrite_newer, size, body)
      VALUES (1, '${id}', 'hub', 'd-${id}', 'c', 5, '/hub/a', 1, 0, ${state}, 1, 1, 0, 7, '{"a":1}');`;
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    ${envelope('env_1', 1)} ${envelope('env_2', 2)} ${envelope('env_3', 3)}
    INSERT INTO envelope_attempts (envelope, attempt, at, cause, message) VALUES (2, 1, 6, 'path_invalid', 'no');
    DELETE FROM envelopes WHERE number = 3;
    UPDATE envelope_queue SET pending = 1, bytes = 7;
  `);
  const before = database.all('SELECT * FROM envelopes ORDER BY number');
  migrate(database, migrations.slice(0, 12));
  expect(database.all('SELECT * FROM envelopes ORDER BY number')).toEqual(before);
  expect(database.all('SELECT * FROM envelope_attempts')).toEqual([
    { envelope: 2, attempt: 1, at: 6, cause: 'path_invalid', message: 'no' },
  ]);
  expect(database.all('SELECT * FROM envelope_queue')).toEqual([
    { id: 1, pending: 1, bytes: 7, last_number: 3 },
  ]);
  expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
  database.exec('DELETE FROM envelopes WHERE number = 2');
  expect(database.get('SELECT count(*) AS left FROM envelope_attempts')).toEqual({ left: 0 });
  database.close();
});
