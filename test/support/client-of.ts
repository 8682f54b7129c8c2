// A workspace of a running agent and a client of the SDK for it, as most tests of the whole agent need them.
import { MooringClient, type Workspace } from '../../sdk/index.ts';
import type { AgentProcess } from './agent-process.ts';

/** A client with the owner's token. It gets the current address and token at each call of this function, not later. */
export function ownerClient(agent: AgentProcess): MooringClient {
  return new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
}

/** A new workspace and a token that may do everything in it. */
export async function freshWorkspace(
  agent: AgentProcess,
  name = 'test',
): Promise<{
  workspace: Workspace;
  workspaceId: string;
  token: string;
  client: MooringClient;
  owner: MooringClient;
}> {
  const owner = ownerClient(agent);
  const workspace = await owner.workspaces.create({ name });
  const { token } = await owner.tokens.create(workspace.workspaceId, {
    agent: 'tester',
    scopes: ['fs:read', 'fs:write', 'sync:read', 'sync:trigger', 'ops:read', 'ops:replay'],
  });
  const client = new MooringClient({ baseUrl: agent.url, token });
  return { workspace, workspaceId: workspace.workspaceId, token, client, owner };
}
