// A process that stops (SIGSTOP) while it holds the lock of writers delays the others by seconds, and goes on when it is continued.
import pg from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { MooringClient } from '../../sdk/index.ts';
import type { AgentProcess } from '../support/agent.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub-processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

/** store/postgres/session.ts, idle_in_transaction_session_timeout, and time for a loaded machine. */
const delayMsMax = 5_000 + 5_000;

it('a process that stops in the middle of a group holds up the others no longer than five seconds', async () => {
  const database = await hubDatabase(tempFolder('mooring-stopped'));
  const hub = await startHub(database, 2);
  const [stopped, other] = hub.processes as [AgentProcess, AgentProcess];
  const clientAt = ({ url: baseUrl }: AgentProcess) =>
    new MooringClient({ baseUrl, token: stopped.ownerToken });
  const connection = new pg.Client({ connectionString: database });
  await connection.connect();
  onTestFinished(() => connection.end());
  const acknowledged = new Set<string>();
  const load = new AbortController();
  const write = async (client: MooringClient, file: string) => {
    await client.writeFile(hub.workspaceId, file, file);
    acknowledged.add(file);
  };
  const writing = [0, 1, 2, 3].map(async (writer) => {
    const client = clientAt(stopped);
    for (let number = 0; !load.signal.aborted; number += 1) await write(client, `/w${writer}/f${number}`);
  });
  // Until it stops after it got the lock and before it commits.
  await waitFor('a stop inside a transaction', async () => {
    process.kill(stopped.pid, 'SIGSTOP');
    const { rowCount } = await connection.query(
      `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'mooring' AND state = 'idle in transaction'`,
    );
    if (rowCount !== 0) return true;
    process.kill(stopped.pid, 'SIGCONT');
    return false;
  });
  const begun = performance.now();
  await write(clientAt(other), '/other');
  expect(performance.now() - begun).toBeLessThan(delayMsMax);
  process.kill(stopped.pid, 'SIGCONT');
  load.abort();
  await Promise.all(writing);
  const sequences: number[] = [];
  const paths = new Set<string | null>();
  for await (const event of clientAt(other).events.all(hub.workspaceId)) {
    sequences.push(Number(event.eventId.slice('evt_'.length)));
    paths.add(event.path ?? null);
  }
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
  expect([...acknowledged].filter((file) => !paths.has(file))).toEqual([]);
});
