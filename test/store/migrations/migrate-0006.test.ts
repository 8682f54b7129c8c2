import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listMirrors } from '../../../server/store/tables/mirrors/mirrors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0006 leaves the mirrors that there were carrying both ways, over the whole workspace', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 5));
  database.exec(`
    INSERT INTO mirrors (mirror_id, workspace_id, dir, marker_id, root_device, root_inode, paused, epoch, established, created_at)
      VALUES ('mir_old', 'rw_old', '/folder', 'm', '1', '2', 1, 'e', 1, 5);
  `);
  migrate(database);
  expect(listMirrors(database)).toMatchObject([
    { mirrorId: 'mir_old', mode: 'two-way', rootPath: '/', paused: true, established: true },
  ]);
  database.close();
});
