// A walk of one job, as a user would do it, on the filled agent of its worker. Each step that a user waits for has a time and a claim;
// build/job-times-reporter.ts prints them in one table.
import type { Locator, Page } from '@playwright/test';
import { test as base, expect } from '../fixtures.ts';
import { type FilledAgent, fillAgent } from './filled-agent.ts';

/** A loaded machine may take this many times the claim. */
const loadFactor = 30;

export type Timed = <Result>(step: string, claimMs: number, walk: () => Promise<Result>) => Promise<Result>;

/** An assertion of Playwright looks again after 100, 350 and 850 ms: too seldom for a claim of 300. */
const closely = { intervals: [30] };

/** Waits until it is shown, for a step that is timed. */
export async function seen(locator: Locator): Promise<void> {
  await expect.poll(() => locator.isVisible(), closely).toBe(true);
}

/** The page shows what Overview shows first: a person sees it before they type, or open another tab. */
export async function overviewSeen(page: Page): Promise<void> {
  await seen(page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').first());
}

export const jobTest = base.extend<{ readonly timed: Timed }, { readonly filled: FilledAgent }>({
  filled: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
    async ({}, use) => {
      const filled = await fillAgent();
      await use(filled);
      await filled.dispose();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  agent: async ({ filled }, use, testInfo) => {
    await use(filled.agent);
    if (testInfo.status !== testInfo.expectedStatus)
      await testInfo.attach('agent.log', { body: filled.agent.log, contentType: 'text/plain' });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
  timed: async ({}, use, testInfo) => {
    await use(async (step, claimMs, walk) => {
      const begunMs = performance.now();
      const result = await walk();
      const tookMs = Math.round(performance.now() - begunMs);
      testInfo.annotations.push({ type: 'time', description: JSON.stringify({ step, tookMs, claimMs }) });
      expect(tookMs, `${step}: ${tookMs} ms`).toBeLessThan(claimMs * loadFactor);
      return result;
    });
  },
});

export { expect };
