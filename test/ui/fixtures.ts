// What every test of the UI gets: a running agent, and a page that is watched. A page that asks another server for
// anything, breaks its own Content-Security-Policy or throws fails its test, whatever the test was about.
import { test as base, expect } from '@playwright/test';
import { UiAgent } from './ui-agent.ts';

interface Fixtures {
  readonly agent: UiAgent;
  /** Signs the page in with a fresh link, as `mooring open` does. */
  readonly signIn: () => Promise<void>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
  agent: async ({}, use, testInfo) => {
    const agent = new UiAgent();
    await agent.start();
    await use(agent);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('agent.log', { body: agent.log, contentType: 'text/plain' });
    }
    await agent.dispose();
  },
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
      const link = await agent.client.signIn.link();
      await page.goto(link.url);
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    });
  },
});

export { expect };
