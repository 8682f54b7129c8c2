// A hundred thousand files and ten thousand events: the page scrolls and filters without a long task. What is measured is the
// time that the page's own thread was at work, from Chromium's trace, so that a loaded machine changes nothing.
import type { Browser, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const files = 100_000;
const filesPerRequest = 2_000;
const events = 10_000;
/** Of work; what the thread waited for other processes does not count. */
const longTaskMs = 100;
const rowsInPageMax = 120;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Tasks of the page's main thread that worked longer than `longTaskMs`, in milliseconds, while `work` was done. */
async function longTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const main = new Set(
    traceEvents
      .filter((each) => each.name === 'thread_name' && each.args?.name === 'CrRendererMain')
      .map((each) => `${each.pid} ${each.tid}`),
  );
  const tasks = traceEvents.filter(
    (each) => each.ph === 'X' && each.tdur !== undefined && main.has(`${each.pid} ${each.tid}`),
  );
  // A trace without tasks would prove nothing.
  expect(tasks.length).toBeGreaterThan(100);
  return tasks.map((each) => (each.tdur ?? 0) / 1_000).filter((ms) => ms > longTaskMs);
}

async function wheel(page: Page, turns: number, px: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, px);
    // The next turn comes when this one is painted.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
  }
}

test('100,000 files and 10,000 events scroll and filter without a long task', async ({
  page,
  browser,
  agent,
  signIn,
}) => {
  test.setTimeout(600_000);
  const { workspaceId } = await agent.client.workspaces.create({ name: 'many' });
  for (let start = 0; start < files; start += filesPerRequest) {
    const batch = Array.from({ length: filesPerRequest }, (_, index) => ({
      path: `/all/file-${String(start + index).padStart(6, '0')}.md`,
      content: `${start + index}\n`,
    }));
    const { written } = await agent.client.bulkWrite(workspaceId, batch);
    expect(written).toBe(filesPerRequest);
  }
  await signIn();
  await page.goto(`${agent.url}/#files/all/?workspace=${workspaceId}`);
  const list = page.getByRole('grid', { name: 'Files in /all' });
  await expect(list).toHaveAttribute('aria-rowcount', String(files), { timeout: 180_000 });
  await page.getByRole('row').first().hover();
  expect(await longTasks(browser, page, () => wheel(page, 40, 3_000))).toEqual([]);
  expect(await page.getByRole('row').count()).toBeLessThan(rowsInPageMax);
  const filtering = async (): Promise<void> => {
    await page.keyboard.press('/');
    await page.keyboard.type('099999');
    await expect(list).toHaveAttribute('aria-rowcount', '1', { timeout: 30_000 });
    await page.keyboard.press('Escape');
    await expect(list).toHaveAttribute('aria-rowcount', String(files), { timeout: 30_000 });
  };
  expect(await longTasks(browser, page, filtering)).toEqual([]);

  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}`);
  const feed = page.getByRole('grid', { name: 'Events, newest first' });
  await expect(feed).toBeVisible();
  const held = async (): Promise<number> => Number(await feed.getAttribute('aria-rowcount'));
  await expect(async () => {
    await feed.evaluate((grid) => grid.parentElement?.scrollTo({ top: grid.scrollHeight }));
    expect(await held()).toBeGreaterThanOrEqual(events);
  }).toPass({ timeout: 120_000 });
  await feed.evaluate((grid) => grid.parentElement?.scrollTo({ top: 0 }));
  await page.getByRole('row').first().hover();
  expect(await longTasks(browser, page, () => wheel(page, 40, 3_000))).toEqual([]);
  expect(await page.getByRole('row').count()).toBeLessThan(rowsInPageMax);
  const narrowing = async (): Promise<void> => {
    await page.keyboard.press('/');
    await page.keyboard.type('file-099123');
    await expect.poll(held, { timeout: 30_000 }).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(held, { timeout: 30_000 }).toBeGreaterThanOrEqual(events);
  };
  expect(await longTasks(browser, page, narrowing)).toEqual([]);
});
