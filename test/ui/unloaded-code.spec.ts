// The code of a part of the page is missing: the agent is gone, or was updated under an open page. The part says so in its place and comes
// once its code can be loaded; the rest of the page goes on.
import { expect, test } from './fixtures.ts';
import { lookAtState } from './look.ts';

test('a screen whose code was not loaded says so, and comes with a retry', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  await page.route('**/assets/logs-*.js', (route) => route.abort());
  await signIn();
  await page.goto(`${agent.url}/#logs?workspace=${workspaceId}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('The code of this part of the page was not loaded.');
  await lookAtState(page, 'code-not-loaded');
  // Other screens are shown, and this one fails in the same words.
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { level: 1, name: 'No mirrors yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Logs' }).click();
  await expect(main).toContainText('The code of this part of the page was not loaded.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible();
});

test('a viewer whose code was not loaded says so beside its file, and the raw text is one key away', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  await agent.client.writeFile(workspaceId, '/plan.md', '# Plan\n');
  await page.route('**/assets/markdown-view-*.js', (route) => route.abort());
  await signIn();
  await page.goto(`${agent.url}/#files/plan.md?workspace=${workspaceId}&view=content`);
  const pane = page.getByRole('region', { name: 'File', exact: true });
  await expect(pane).toContainText('The code of this part of the page was not loaded.');
  await page.keyboard.press('v');
  await expect(pane).toContainText('# Plan');
  await page.keyboard.press('v');
  await expect(pane).toContainText('The code of this part of the page was not loaded.');
  await page.unrouteAll();
  await pane.getByRole('button', { name: 'Retry' }).click();
  await expect(pane.getByRole('heading', { name: 'Plan' })).toBeVisible();
});
