import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { getToken } from '../../../server/store/tables/workspaces/tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0008 keeps the tokens that there were, and knows of no use of theirs', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 7));
  database.exec(`
    INSERT INTO tokens (token_id, workspace_id, agent, scopes, created_at, expires_at)
      VALUES ('tok_old', 'rw_old', 'agent-docs', '["fs:read"]', 1, 9);
  `);
  migrate(database);
  expect(getToken(database, 'tok_old')).toMatchObject({
    agent: 'agent-docs',
    lastUsedAtMs: null,
  });
  database.close();
});
