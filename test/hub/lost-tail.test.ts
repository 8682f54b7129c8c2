// A standby took over that lacks the last events: a process that has seen them says so.
import pg from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

it('a database that has lost events is noticed, and later events are reported', async () => {
  const hubUrl = await hubDatabase(tempFolder('mooring-tail'));
  const { store, put, log } = await openTestStore({ hubUrl });
  for (const name of ['a', 'b', 'c']) await put(`/${name}`);
  const { last } = await store.events.range(testWorkspace);
  const database = new pg.Client({ connectionString: hubUrl });
  await database.connect();
  onTestFinished(() => database.end());
  await database.query('BEGIN');
  await database.query('DELETE FROM mooring.events WHERE seq > $1', [last - 2]);
  await database.query("UPDATE mooring.counters SET last = $1 WHERE name = 'event'", [last - 2]);
  await database.query('COMMIT');
  await waitFor('the error', () => log.some(({ message }) => message.includes('mooring hub new-epoch')));
  expect(log.filter(({ level }) => level === 'error').map(({ details }) => details)).toEqual([
    { lastEvent: last - 2, seenEvent: last },
  ]);
  const reported: number[] = [];
  store.onCommit(({ workspaces }) => reported.push(workspaces.get(testWorkspace) ?? 0));
  await put('/d');
  await waitFor('the commit', () => reported.includes(last - 1));
});
