// Two or three agents on this machine, where one is the server of the others: its workspace, a token for it in a file, and remotes of it.
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MooringClient, type Remote, type RemoteCreateBody } from '../../sdk/index.ts';
import type { AgentProcess } from './agent-process.ts';
import { keptAgent } from './kept-agents.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningAgent {
  readonly agent: AgentProcess;
  readonly client: MooringClient;
  readonly workspaceId: string;
  /** `127.0.0.1:PORT`, for the next start: `client` knows no other. */
  readonly address: string;
}

/** An agent with one empty workspace. */
export async function runningAgent(name: string): Promise<RunningAgent> {
  const agent = await keptAgent();
  const client = new MooringClient({
    baseUrl: agent.url,
    token: () => agent.ownerToken,
    retry: { retries: 0 },
  });
  const { workspaceId } = await client.workspaces.create({ name });
  return { agent, client, workspaceId, address: new URL(agent.url).host };
}

/** A token for a workspace, in a file that only its owner may read. */
export async function tokenFileFor(
  { client, workspaceId }: Pick<RunningAgent, 'client' | 'workspaceId'>,
  agent: string,
): Promise<string> {
  const { token } = await client.tokens.create(workspaceId, { agent, ttlSeconds: 30 * 24 * 3600 });
  const file = path.join(tempFolder('mooring-token'), 'token');
  writeFileSync(file, token);
  chmodSync(file, 0o600);
  return file;
}

/** Syncs the desktop's workspace with the server's. */
export async function addRemote(
  server: Pick<RunningAgent, 'client' | 'workspaceId'>,
  desktop: RunningAgent,
  name: string,
  url: string,
  more: Partial<RemoteCreateBody> = {},
): Promise<Remote> {
  const tokenFile = await tokenFileFor(server, name);
  return await desktop.client.remotes.add(desktop.workspaceId, {
    url,
    remoteWorkspaceId: server.workspaceId,
    tokenFile,
    ...more,
  });
}

/** Path to content hash of all files. */
export async function filesOf({
  client,
  workspaceId,
}: Pick<RunningAgent, 'client' | 'workspaceId'>): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { entries } of client.files.treePages(workspaceId, { depth: 100 }))
    for (const { path: file, type, contentHash } of entries)
      if (type === 'file') files.set(file, contentHash ?? '');
  return files;
}

/** Waits until what was changed on either side is synced. */
export async function settle({ client, workspaceId }: RunningAgent, timeoutMs = 60_000): Promise<boolean> {
  return (await client.mirrors.waitUntilSynced({ workspaceId, timeoutMs })).settled;
}
