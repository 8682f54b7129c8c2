import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listWebhooks } from '../../../server/store/tables/feed/webhook-deliveries.ts';
import { listTokens } from '../../../server/store/tables/workspaces/tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0005 keeps what was there and begins with no webhooks and no subscriptions', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 4));
  database.exec(`
    INSERT INTO workspaces (number, workspace_id, name, created_at) VALUES (1, 'rw_old', 'Old', 1);
    INSERT INTO tokens (token_id, workspace_id, agent, scopes, created_at, expires_at)
      VALUES ('tok_1', 'rw_old', 'ann', '["fs:read"]', 1, 2);
  `);
  migrate(database);
  expect(listTokens(database, 'rw_old')).toMatchObject([{ tokenId: 'tok_1', agent: 'ann' }]);
  expect(listWebhooks(database)).toEqual([]);
  expect(database.all('SELECT * FROM subscriptions')).toEqual([]);
  database.close();
});
