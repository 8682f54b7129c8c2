// The SDK's suite (test/sdk/suite) in Chromium: bundled as a page would have it, run in the page that the agent serves, at its origin
// and under its Content-Security-Policy. test/sdk/suite.test.ts runs the same cases in Node.
import path from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { cases } from '../sdk/suite/index.ts';
import { agentTest, expect } from './fixtures.ts';

const entry = path.resolve(import.meta.dirname, '../sdk/suite/index.ts');
/** A path of the agent's origin that only this test answers. */
const scriptPath = '/sdk-suite.js';

// One page for all cases: each works in a workspace of its own, and what they share in a page they share in Node, too.
const test = agentTest.extend<object, { readonly suitePage: Page }>({
  suitePage: [
    async ({ browser, sharedAgent }, use) => {
      const script = await bundle();
      const page = await browser.newPage();
      await page.route(`**${scriptPath}`, async (route) => {
        await route.fulfill({ contentType: 'text/javascript', body: script });
      });
      await page.goto((await sharedAgent.take()).url);
      await page.evaluate(async (path) => await import(path), scriptPath);
      // While anything is routed, every body of the page goes through the driver: eight megabytes took seconds.
      await page.unroute(`**${scriptPath}`);
      await use(page);
      await page.close();
    },
    { scope: 'worker' },
  ],
});

test.describe.configure({ mode: 'default' });

for (const { name } of cases) {
  test(name, async ({ agent, suitePage }) => {
    // Nothing has taken it elsewhere, and its agent is the one that the case asks.
    expect(new URL(suitePage.url()).origin).toBe(agent.url);
    await suitePage.evaluate(
      async ({ name, scriptPath, ownerToken }) => {
        const suite = (await import(scriptPath)) as typeof import('../sdk/suite/index.ts');
        await suite.runCase(name, { baseUrl: location.origin, ownerToken, sendsStreams: false });
      },
      { name, scriptPath, ownerToken: agent.ownerToken },
    );
    await agent.verifyAnswers();
  });
}

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry, formats: ['es'], fileName: 'suite' },
    },
  });
  const [built] = Array.isArray(result) ? result : [result];
  const chunk = built !== undefined && 'output' in built ? built.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('nothing was bundled');
  return chunk.code;
}
