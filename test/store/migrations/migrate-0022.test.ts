import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listTokens } from '../../../server/store/tables/workspaces/tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0022 confines no earlier token to a fork', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 21));
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO tokens (token_id, workspace_id, agent, scopes, created_at, expires_at)
      VALUES ('tok_old', 'rw_old', 'ann', '["fs:read"]', 1, 2);
  `);
  migrate(database);
  expect(listTokens(database, 'rw_old')).toMatchObject([{ tokenId: 'tok_old', forkId: null }]);
  database.close();
});
