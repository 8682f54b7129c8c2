// An agent process for the length of one vitest test. Playwright's fixtures use agent.ts itself.
import { afterAll, beforeAll, onTestFailed, onTestFinished } from 'vitest';
import { type AgentOptions, AgentProcess } from './agent.ts';
import { hubArguments } from './hub-database.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

export { type AgentOptions, AgentProcess, type CommandResult, mooring, mooringProcess } from './agent.ts';

export interface TestAgentOptions extends AgentOptions {
  /** Default: a new folder, removed at the end of the test. A folder that the caller names is left alone. */
  readonly dataDir?: string;
}

/** Starts an agent that ends with the current test, and whose log is printed when the test fails. */
export async function startAgent(options: TestAgentOptions = {}): Promise<AgentProcess> {
  const dataDir = options.dataDir ?? makeTempFolder('mooring-data');
  const args = [...(await hubArguments(dataDir)), ...(options.args ?? [])];
  const agent = new AgentProcess(dataDir, { ...options, args });
  onTestFinished(async () => {
    await agent.kill9();
    if (options.dataDir === undefined) removeFolder(agent.dataDir);
  });
  onTestFailed(() => {
    process.stderr.write(`--- log of the agent on ${agent.dataDir}\n${agent.stderr}---\n`);
  });
  await agent.start();
  return agent;
}

/** An agent of all tests of a file, which runs before the first `beforeAll` that follows. Call it at the top of the file. */
export function agentOfFile(): AgentProcess {
  const agent = new AgentProcess(makeTempFolder('mooring-data'), {});
  beforeAll(() => agent.start());
  afterAll(async () => {
    await agent.kill9();
    removeFolder(agent.dataDir);
  });
  return agent;
}
