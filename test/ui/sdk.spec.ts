// The SDK's suite (test/sdk/suite) in Chromium: bundled as a page would have it, run in the page that the agent serves, at its origin
// and under its Content-Security-Policy. test/sdk/suite.test.ts runs the same cases in Node.
import path from 'node:path';
import { test as base } from '@playwright/test';
import { build } from 'vite';
import { cases } from '../sdk/suite/index.ts';
import { UiAgent } from './ui-agent.ts';

const entry = path.resolve(import.meta.dirname, '../sdk/suite/index.ts');
/** A path of the agent's origin that only this test answers. */
const scriptPath = '/sdk-suite.js';

// One agent and one bundle for all cases: each works in a workspace of its own.
const test = base.extend<object, { readonly agent: UiAgent; readonly script: string }>({
  agent: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
    async ({}, use) => {
      const agent = new UiAgent();
      await agent.start();
      await use(agent);
      await agent.dispose();
    },
    { scope: 'worker' },
  ],
  script: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
    async ({}, use) => await use(await bundle()),
    { scope: 'worker' },
  ],
});

test.describe.configure({ mode: 'default' });

for (const { name } of cases) {
  test(name, async ({ agent, script, page }) => {
    await page.route(`**${scriptPath}`, async (route) => {
      await route.fulfill({ contentType: 'text/javascript', body: script });
    });
    await page.goto(agent.url);
    await page.evaluate(
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
