// What benches of a hub share: a process of one on a PostgreSQL of this machine, beside an agent with SQLite.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { noPostgres } from '../../build/postgres.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { headersOf, type Target } from './floor.ts';
import { printMachine } from './machine.ts';

/** Says why when there is no PostgreSQL. */
export async function withHubAndAgent(
  name: string,
  measure: (hub: BenchAgent, agent: BenchAgent) => Promise<void>,
): Promise<void> {
  if (noPostgres !== null) return console.log(noPostgres);
  const scratch = benchFolder(name);
  const database = await PostgresServer.start({ syncs: true });
  const keyFile = path.join(scratch, 'master.key');
  writeFileSync(keyFile, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
  const agents: BenchAgent[] = [];
  const start = async (folder: string, args: readonly string[]) => {
    const agent = await startBenchAgent(path.join(scratch, folder), args);
    agents.push(agent);
    return agent;
  };
  try {
    await printMachine(scratch);
    const hub = await start('hub', ['--database', database.url, '--master-key-file', keyFile]);
    await measure(hub, await start('agent', []));
  } finally {
    for (const agent of agents) await agent.stop();
    await database.close();
    removeBenchFolder(scratch);
  }
}

/** One request. */
export async function writeTogether(
  { url, token, workspaceId }: Target,
  files: readonly { readonly path: string; readonly content: string }[],
  query = '',
): Promise<void> {
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/bulk${query}`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ files }),
  });
  if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
