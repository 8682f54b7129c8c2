// A content identity is bound to the content that it wrote. Of earlier ones the history tells it; where that has let it go
// nothing is a repeat of it any more.
import type { Migration } from './migration.ts';

const schema = `
  ALTER TABLE identities ADD COLUMN hash BLOB;
  UPDATE identities SET hash =
    (SELECT history.hash FROM history
       WHERE history.workspace = identities.workspace AND history.revision = json_extract(identities.result, '$.revision'));
`;

export const contentsOfIdentities: Migration = {
  version: 13,
  up(database) {
    database.exec(schema);
  },
};
