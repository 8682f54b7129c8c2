// The documentation at /docs: sidebar, search, anchors, former addresses; without sign-in.
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

test('a page is found by the sidebar, by search and by its former address', async ({ page, agent }) => {
  await page.goto(`${agent.url}/docs`);
  await expect(page.getByRole('heading', { name: 'Mooring documentation' })).toBeVisible();
  await look(page, 'docs-start');
  const sidebar = page.getByRole('navigation', { name: 'Documentation' });
  await sidebar.getByRole('link', { name: 'Runs', exact: true }).click();
  await sidebar.getByRole('link', { name: 'Commit a run, wholly or in part' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: 'Commit a run, wholly or in part' }),
  ).toBeVisible();
  const examples = page.getByRole('complementary', { name: 'Examples' });
  await expect(examples).toContainText('await client.runs.commit(');
  await expect(examples).toContainText('mooring run commit');
  await look(page, 'docs-endpoint');

  await page.keyboard.press('/');
  await page.keyboard.type('sandbox');
  const found = page.getByRole('listbox', { name: 'Found pages' }).getByRole('option');
  await expect(found.first()).toContainText(/confine|run/i);
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
  await look(page, 'docs-guide');
});
