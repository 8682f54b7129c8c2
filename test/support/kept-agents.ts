// Agents that end with their test file and not with a test: to start one takes most of a second of a processor. A test gets one that
// runs and has no workspace, no mirror and no remote. One that its test failed with, or left stopped, is not given to another.
import { onTestFinished } from 'vitest';
import { AgentProcess } from './agent.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

const kept: AgentProcess[] = [];

export async function keptAgent(): Promise<AgentProcess> {
  const agent = kept.pop() ?? new AgentProcess(makeTempFolder('mooring-kept'), {});
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'pass' && agent.isRunning && (await isCleared(agent))) kept.push(agent);
    else await end(agent);
  });
  if (!agent.isRunning) await agent.start();
  return agent;
}

/** Called at the end of each file (vitest-setup.ts). */
export async function endKeptAgents(): Promise<void> {
  await Promise.all(kept.splice(0).map(end));
}

async function isCleared(agent: AgentProcess): Promise<boolean> {
  // Most test files start no agent, and this file is part of the set-up of each.
  const { MooringClient } = await import('../../sdk/index.ts');
  const client = new MooringClient({ baseUrl: agent.url, token: () => agent.ownerToken });
  try {
    for (const { workspaceId } of await client.workspaces.list()) await client.workspaces.remove(workspaceId);
    return true;
  } catch {
    // The test left it in a state in which it refuses that.
    return false;
  }
}

async function end(agent: AgentProcess): Promise<void> {
  await agent.kill9();
  removeFolder(agent.dataDir);
}
