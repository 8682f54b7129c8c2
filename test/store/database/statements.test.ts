// A read cannot write: neither by its type nor on its connection.
import path from 'node:path';
import { expect, it } from 'vitest';
import { prepareSchema } from '../../../server/store/database/new-database.ts';
import { databaseFileName, openForReading, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tokenHandlers } from '../../../server/store/tables/workspaces/tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('statements that read have no way to write, by type and on the connection', () => {
  const file = path.join(tempFolder(), databaseFileName);
  const writing = openForWriting(file);
  prepareSchema(writing);
  const reading = openForReading(file);
  // @ts-expect-error: `run` belongs to statements that write.
  expect(reading.run).toBeUndefined();
  // @ts-expect-error: so does `exec`.
  expect(reading.exec).toBeUndefined();
  // @ts-expect-error: handlers of commands take statements that write.
  const handlers = tokenHandlers(reading, () => undefined);
  expect(() => handlers.note_token_use({ tokenId: 'tok_1', atMs: 1 })).toThrow(TypeError);
  expect(() => reading.get('DELETE FROM tokens RETURNING token_id')).toThrow(/readonly/);
  reading.close();
  writing.close();
});
