import path from 'node:path';
import { expect, it } from 'vitest';
import { skipNumbers } from '../../server/store/database/counters.ts';
import { prepareSchema } from '../../server/store/database/new-database.ts';
import { databaseFileName, openForWriting } from '../../server/store/database/sqlite.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('a restored backup gives no delivery a number that its receiver may have seen', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  prepareSchema(database);
  const add = () =>
    Number(
      database.run(
        `INSERT INTO webhook_deliveries (workspace, webhook, event, body, status, attempts, replays)
           VALUES (1, 'whk_1', 1, '{}', 1, 0, 0)`,
      ).lastInsertRowid,
    );
  expect([add(), add()]).toEqual([1, 2]);
  skipNumbers(database, null, 0);
  expect(add()).toBe(1_000_001);
  skipNumbers(database, null, 0.5);
  expect(add()).toBe(502_000_001);
  database.close();
});
