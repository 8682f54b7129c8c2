// The SDK's suite in Node. test/ui/sdk.spec.ts runs the same cases in Chromium.
import { afterAll, beforeAll, it, vi } from 'vitest';
import { AgentProcess } from '../support/agent-process.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { cases, runCase } from './suite/index.ts';

vi.setConfig({ testTimeout: 300_000 });

const agent = new AgentProcess(makeTempFolder('mooring-data'), {});
beforeAll(() => agent.start());
afterAll(async () => {
  await agent.kill9();
  removeFolder(agent.dataDir);
});

for (const { name } of cases) {
  it(name, async () => {
    await runCase(name, { baseUrl: agent.url, ownerToken: agent.ownerToken, sendsStreams: true });
  });
}
