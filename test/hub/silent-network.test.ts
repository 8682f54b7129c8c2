// The network is cut without an end of the connection: a process opens another one, and reports what the others commit.
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { DatabaseLine } from '../support/database-line.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

it('a process whose connection for notices is silent reports the commits of others', async () => {
  const url = await hubDatabase(tempFolder('mooring-silent'));
  const line = await DatabaseLine.open(url, 'mooring notices');
  onTestFinished(() => line.close());
  const { put } = await openTestStore({ hubUrl: url });
  const { store, log } = await openTestStore({ hubUrl: line.url });
  const reported: number[] = [];
  store.onCommit(({ workspaces }) => reported.push(workspaces.get(testWorkspace) ?? 0));
  await put('/before');
  await waitFor('the first commit', () => reported.length === 1);
  line.fallSilent();
  await put('/after');
  await waitFor('the second commit', () => reported.length === 2, { deadlineMs: 90_000 });
  expect(log.map(({ message }) => message)).toContain(
    'the connection for notices is lost: the database is asked instead',
  );
});
