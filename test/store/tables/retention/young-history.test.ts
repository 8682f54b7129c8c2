import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { BlobRows } from '../../../../server/store/contents/blob-rows.ts';
import { prepareSchema } from '../../../../server/store/database/new-database.ts';
import { databaseFileName, openForWriting } from '../../../../server/store/database/sqlite.ts';
import { IngressCounts } from '../../../../server/store/tables/inbound/ingress.ts';
import { retentionHandlers } from '../../../../server/store/tables/retention/retention.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const files = 2_000;
/** Its history begins before the limit. */
const oldFiles = 3;
const limitMs = 100;

it('does not look at the files of a workspace whose history is younger than the limit', () => {
  const database = openForWriting(path.join(tempFolder(), databaseFileName));
  prepareSchema(database);
  database.exec(`
    INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('rw_young', 'young', 1), ('rw_old', 'old', 1);
    WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < ${files + oldFiles})
    INSERT INTO history (workspace, path, revision, action, size, content_type, base64, actor_kind, actor_name, origin, correlation_id, at)
      SELECT number, '/f' || k, k, 1, 0, 'text/plain', 0, 1, 'a', 1, 'c', CASE WHEN k <= ${files} THEN ${limitMs} ELSE 1 END
        FROM n JOIN workspaces ON workspace_id = CASE WHEN k <= ${files} THEN 'rw_young' ELSE 'rw_old' END;
  `);
  const { apply_retention: sweep } = retentionHandlers(
    database,
    new BlobRows(database, () => false),
    new IngressCounts(database),
  );
  const retention = {
    nowMs: limitMs,
    historyBeforeMs: limitMs,
    historyRevisionsMin: 1,
    feedBeforeMs: 0,
    feedRowsMin: 0,
    workspacesBeforeMs: 0,
  };
  const asked = vi.spyOn(database, 'get');
  // No file of the old workspace exists now, and its last change is older than the limit.
  expect(sweep({ part: 'history', position: null, retention })).toMatchObject({
    next: null,
    removed: oldFiles,
  });
  expect(asked.mock.calls.length).toBeLessThan(50);
  expect(database.get('SELECT count(*) AS left FROM history')).toEqual({ left: files });
  asked.mockRestore();
  database.close();
});
