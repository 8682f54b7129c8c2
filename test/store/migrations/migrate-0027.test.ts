import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0027 keeps a paused mirror, whose pause has no end', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 26));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO mirrors (mirror_id, workspace_id, dir, marker_id, root_device, root_inode, paused, epoch, established, created_at)
      VALUES ('mir_1', 'rw_old', '/folders/notes', 'mark', '1', '2', 1, 'here', 1, 1);
  `);
  migrate(database, migrations.slice(0, 27));
  expect(database.all('SELECT mirror_id, paused, paused_until FROM mirrors')).toEqual([
    { mirror_id: 'mir_1', paused: 1, paused_until: null },
  ]);
  database.close();
});
