import path from 'node:path';
import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/store/database/migrate.ts';
import { databaseFileName, openForWriting } from '../../../server/store/database/sqlite.ts';
import { listWebhooks } from '../../../server/store/tables/feed/webhook-deliveries.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('0014 gives each endpoint the expiry of the token that registered it, and none to those of the owner', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  migrate(database, migrations.slice(0, 13));
  const endpoint = (id: string, access: string, tokenIds: string) => `
    INSERT INTO webhooks (workspace, id, url, globs, plain_http, private_addresses, access, token_ids, position, created_at, failures_in_row)
      VALUES (1, '${id}', 'https://example.org/', '[]', 0, 0, ${access}, '${tokenIds}', 0, 5, 0);`;
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_old', 'old', 1);
    INSERT INTO tokens (token_id, workspace_id, agent, scopes, created_at, expires_at)
      VALUES ('tok_a', 'rw_old', 'a', '[]', 1, 900), ('tok_b', 'rw_old', 'b', '[]', 1, 700);
    INSERT INTO subscriptions (workspace, owner, subscriber, provider, resource, event_types, terminal_types, status, created_at, updated_at, expires_at)
      VALUES (1, 'a', 's', 'github', '/github/x/by-id/1', '[]', '[]', 1, 1, 1, 800);
    ${endpoint('whk_1', 'NULL', '[]')}
    ${endpoint('whk_2', "'{}'", '["tok_a","tok_b"]')}
    ${endpoint('whk_3', "'{}'", '["tok_gone"]')}
    ${endpoint('whk_4', "'{}'", '[]')}
  `);
  migrate(database);
  expect(listWebhooks(database).map(({ webhookId, expiresAtMs }) => [webhookId, expiresAtMs])).toEqual([
    ['whk_1', null],
    ['whk_2', 700],
    ['whk_3', 5],
    ['whk_4', 5],
  ]);
  expect(database.all('SELECT expires_at, token_ids FROM subscriptions')).toEqual([
    { expires_at: 800, token_ids: '[]' },
  ]);
  database.close();
});
