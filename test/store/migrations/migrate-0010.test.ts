import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { lastProof, listMirrors } from '../../../server/store/tables/mirrors/mirrors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0010 keeps the mirrors that there were, and knows of no proof of theirs', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 9));
  database.exec(`
    INSERT INTO mirrors (mirror_id, workspace_id, dir, marker_id, root_device, root_inode, paused, epoch, established, created_at)
      VALUES ('mir_old', 'rw_old', '/folder', 'mark', '1', '2', 0, 'epoch', 1, 3);
  `);
  migrate(database);
  expect(listMirrors(database)).toMatchObject([{ mirrorId: 'mir_old', dir: '/folder' }]);
  expect(lastProof(database, 'mir_old')).toBeNull();
  database.close();
});
