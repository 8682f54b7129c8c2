// Processes of a hub on one database, as the server of desktops: a new connection goes to any of them that runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { AgentProcess } from './agent.ts';
import type { Server } from './remote-scene.ts';
import { tempFolder } from './temp-folder.ts';

export interface Processes {
  readonly processes: readonly AgentProcess[];
  readonly url: () => string | null;
  /** Of the owner, at any process. */
  readonly client: () => MooringClient;
}

export interface Hub extends Server {
  readonly processes: readonly AgentProcess[];
  readonly keyFile: string;
}

export async function startProcesses(
  databaseUrl: string,
  keyFile: string,
  count: number,
  more: readonly string[] = [],
): Promise<Processes> {
  const args = ['--database', databaseUrl, '--master-key-file', keyFile, ...more];
  const processes = Array.from(
    { length: count },
    () => new AgentProcess(tempFolder('mooring-hub-data'), { args }),
  );
  onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.kill9()));
  });
  await Promise.all(processes.map((one) => one.start()));
  let turn = 0;
  const url = () => {
    turn += 1;
    const running = processes.filter((one) => one.isRunning);
    return running[turn % running.length]?.url ?? null;
  };
  const token = processes[0]?.ownerToken ?? '';
  return { processes, url, client: () => new MooringClient({ baseUrl: url() ?? '', token }) };
}

/** With one empty workspace. */
export async function startHub(
  databaseUrl: string,
  count: number,
  more: readonly string[] = [],
): Promise<Hub> {
  const keyFile = path.join(tempFolder('mooring-hub-key'), 'master.key');
  writeFileSync(keyFile, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
  const { processes, url, client } = await startProcesses(databaseUrl, keyFile, count, more);
  const { workspaceId } = await client().workspaces.create({ name: 'team' });
  return {
    processes,
    keyFile,
    url,
    workspaceId,
    get client() {
      return client();
    },
  };
}
