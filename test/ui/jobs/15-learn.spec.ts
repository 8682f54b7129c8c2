// Job 15: the documentation at /docs is read without sign-in: by sidebar, search, anchors and former addresses, in light and dark. Its examples
// run in test/flow/docs-examples.test.ts; test/build/docs-site.test.ts bounds each page.
import { look, lookAtState } from '../look.ts';
import { expect, jobTest } from './job-test.ts';

const pageBytesMax = 200_000;

jobTest('15. Learn', async ({ page, filled, timed }) => {
  const { agent } = filled;
  const sizes: number[] = [];
  page.on('response', async (response) => {
    if (response.headers()['content-type']?.startsWith('text/html') !== true) return;
    sizes.push((await response.body().catch(() => Buffer.alloc(0))).byteLength);
  });
  await timed('open the documentation', 1_000, async () => {
    await page.goto(`${agent.url}/docs`);
    await expect(page.getByRole('heading', { name: 'Mooring documentation' })).toBeVisible();
  });
  await look(page, 'docs-start');
  const sidebar = page.getByRole('navigation', { name: 'Documentation' });
  await sidebar.getByRole('link', { name: 'Runs', exact: true }).click();
  const commit = 'Commit a run, wholly or in part';
  await timed('open an endpoint', 1_000, async () => {
    await sidebar.getByRole('link', { name: commit }).click();
    await expect(page.getByRole('heading', { level: 1, name: commit })).toBeVisible();
  });
  const examples = page.getByRole('complementary', { name: 'Examples' });
  await expect(examples).toContainText('await client.runs.commit(');
  await expect(examples).toContainText('mooring run commit');
  await lookAtState(page, 'docs-endpoint');

  await page.keyboard.press('/');
  const found = page.getByRole('listbox', { name: 'Found pages' }).getByRole('option');
  await timed('search: until pages are found', 500, async () => {
    await page.keyboard.type('sandbox');
    await expect(found.first()).toContainText(/confine|run/i);
  });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/guides\//);
  await page.keyboard.press('/');
  await page.keyboard.type('no such word at all');
  await expect(found).toHaveText(['Nothing found']);
  await page.keyboard.press('Escape');

  await page.goto(`${agent.url}/docs#readfile`);
  await expect(page).toHaveURL(`${agent.url}/docs/api/readFile`);
  await page.goto(`${agent.url}/docs/guides/agents#codex`);
  await expect(page.getByRole('heading', { name: 'Codex' })).toBeInViewport();
  await lookAtState(page, 'docs-guide');
  expect(sizes.length).toBeGreaterThan(3);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(pageBytesMax);
});
