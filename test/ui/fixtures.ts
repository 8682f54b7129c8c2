// What every test of the UI gets: a running agent (of its worker, shared-agent.ts), and a page that is watched. A page that asks another server for
// anything, breaks its own Content-Security-Policy or throws fails its test, whatever the test was about.
import { test as base, expect } from '@playwright/test';
import { SharedAgent } from './shared-agent.ts';
import type { UiAgent } from './ui-agent.ts';

/** The second argument of a test that needs an agent which no other test has touched (shared-agent.ts). */
export const ownAgent = { annotation: { type: 'an agent of its own' } } as const;

interface AgentFixtures {
  readonly agent: UiAgent;
}

interface PageFixtures {
  /** Signs the page in with a fresh link, as `mooring open` does. */
  readonly signIn: () => Promise<void>;
}

interface WorkerFixtures {
  readonly sharedAgent: SharedAgent;
}

/** An agent, and a page that nobody watches. */
export const agentTest = base.extend<AgentFixtures, WorkerFixtures>({
  sharedAgent: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
    async ({}, use) => {
      const shared = new SharedAgent();
      await use(shared);
      await shared.dispose();
    },
    { scope: 'worker' },
  ],
  agent: async ({ sharedAgent }, use, testInfo) => {
    const own = testInfo.annotations.some(({ type }) => type === ownAgent.annotation.type);
    const source = own ? new SharedAgent() : sharedAgent;
    const agent = await source.take();
    await use(agent);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('agent.log', { body: agent.log, contentType: 'text/plain' });
    }
    await (own ? source.dispose() : source.giveBack());
  },
});

export const test = agentTest.extend<PageFixtures>({
  page: async ({ page, agent }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`threw: ${error.message}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy|Minified React error|Warning:/.test(message.text()))
        faults.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (/^(blob|data):/.test(url) || new URL(url).host === new URL(agent.url).host) return;
      faults.push(`asked for ${url}`);
    });
    await use(page);
    expect(faults).toEqual([]);
  },
  signIn: async ({ page, agent }, use) => {
    await use(async () => {
      const link = await agent.client.agent.signIn.link();
      await page.goto(link.url);
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    });
  },
});

export { expect };
