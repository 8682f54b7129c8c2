import { copyFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { databaseFileName } from '../../server/store/database/sqlite.ts';
import { openTestStore } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

it('after a burst of writes the log is folded back into the database by itself', async () => {
  const { change, write, dataDir } = await openTestStore();
  const one = await write('/f', 'text');
  await change(Array.from({ length: 600 }, (_, n) => ({ ...one, path: `/f${n}` })));
  const copy = path.join(tempFolder(), databaseFileName);
  const filesWithoutLog = () => {
    copyFileSync(path.join(dataDir, databaseFileName), copy);
    const database = new Database(copy, { readonly: true });
    try {
      return database.prepare('SELECT count(*) AS files FROM entries WHERE files IS NULL').get();
    } catch {
      // The copy was taken while pages were on their way, or before the first fold.
      return null;
    } finally {
      database.close();
    }
  };
  await waitFor('the log is folded back', () => JSON.stringify(filesWithoutLog()) === '{"files":600}');
  expect(filesWithoutLog()).toEqual({ files: 600 });
});
