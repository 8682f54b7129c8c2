import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listMirrors } from '../../../server/store/tables/mirrors/mirrors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0021 leaves earlier mirrors those of their workspace', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 20));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO mirrors (mirror_id, workspace_id, dir, marker_id, root_device, root_inode, paused, epoch, established, created_at)
      VALUES ('mir_old', 'rw_old', '/old', 'm', '1', '2', 0, 'e', 1, 1);
  `);
  migrate(database);
  expect(listMirrors(database)).toMatchObject([{ mirrorId: 'mir_old', workspaceId: 'rw_old', forkId: null }]);
  database.close();
});
