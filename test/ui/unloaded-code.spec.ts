// The code of a part of the page cannot be loaded: the agent is stopped, or was updated under an open page. An error is shown in its place
// until the code can be loaded; the rest of the page keeps working.
import { expect, test } from './fixtures.ts';
import { lookAtState } from './look.ts';

test('a screen whose code cannot be loaded shows an error, and a retry shows the screen', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  await page.route('**/assets/logs-*.js', (route) => route.abort());
  await signIn();
  await page.goto(`${agent.url}/#logs?workspace=${workspaceId}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('The code of this part of the page could not be loaded.');
  await lookAtState(page, 'code-not-loaded');
  // Other screens work, and this one shows the same error when it is opened again.
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { level: 1, name: 'No mirrors yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Logs' }).click();
  await expect(main).toContainText('The code of this part of the page could not be loaded.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible();
});

test('a viewer whose code cannot be loaded shows an error, the raw text is one key away, and another file loads it again', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  await agent.client.writeFile(workspaceId, '/plan.md', '# Plan\n');
  await agent.client.writeFile(workspaceId, '/other.md', '# Other\n');
  await page.route('**/assets/markdown-view-*.js', (route) => route.abort());
  await signIn();
  await page.goto(`${agent.url}/#files/plan.md?workspace=${workspaceId}&view=content`);
  const pane = page.getByRole('region', { name: 'File', exact: true });
  await expect(pane).toContainText('The code of this part of the page could not be loaded.');
  await page.keyboard.press('v');
  await expect(pane).toContainText('# Plan');
  await page.keyboard.press('v');
  await expect(pane).toContainText('The code of this part of the page could not be loaded.');
  await page.unrouteAll();
  await page.goto(`${agent.url}/#files/other.md?workspace=${workspaceId}&view=content`);
  await expect(pane.getByRole('heading', { name: 'Other', exact: true })).toBeVisible();
});
