// Every list while loading, after a failed request, and offline.
import type { Page, Route } from '@playwright/test';
import { isLong } from '../support/scale.ts';
import { expect, test } from './fixtures.ts';
import { lookAtState } from './look.ts';

/** Each screen with a list, and the request for its rows. */
const lists = [
  { screen: 'activity', rows: '**/fs/events**', title: 'Activity' },
  { screen: 'conflicts', rows: '**/conflicts**', title: 'Conflicts' },
  { screen: 'dead-letters', rows: '**/sync/dead-letter**', title: 'Dead letters' },
  { screen: 'writeback', rows: '**/ops**', title: 'Writeback' },
  { screen: 'operations', rows: '**/ops**', title: 'Operations' },
  { screen: 'files', rows: '**/fs/tree**', title: null },
] as const;

/** Opens the page without any loaded data. */
async function openAnew(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
}

/** The others are of the same parts as these, with requests of their own. */
const shortForm: readonly string[] = ['activity', 'dead-letters', 'files'];

for (const { screen, rows, title } of lists.filter(({ screen }) => isLong || shortForm.includes(screen))) {
  test(`${screen}: loading and failed`, async ({ page, agent, signIn }) => {
    const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
    await agent.client.writeFile(workspaceId, '/plan.md', '# Plan\n');
    await signIn();
    const held = Promise.withResolvers<void>();
    const hold = async (route: Route): Promise<void> => {
      await held.promise;
      await route.abort().catch(() => undefined);
    };
    await page.route(rows, hold);
    await openAnew(page, `${agent.url}/#${screen}?workspace=${workspaceId}`);
    if (title !== null) await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.locator('.skeleton').first()).toBeVisible();
    await lookAtState(page, `${screen}-loading`);

    const correlationId = 'cor_of_the_answer';
    const body = { code: 'internal_error', message: 'the store did not answer', correlationId };
    await page.unroute(rows, hold);
    held.resolve();
    await page.route(rows, (route) => route.fulfill({ status: 500, json: body }));
    await openAnew(page, `${agent.url}/#${screen}?workspace=${workspaceId}`);
    const failure = page.locator('.error-block').first();
    await expect(failure).toContainText('he store did not answer');
    // What failed is a folder of the workspace, or a list of all of it.
    const failed = screen === 'activity' || screen === 'files' ? 'Path' : 'Workspace';
    for (const part of ['Cause', failed, 'Next', 'Retry']) await expect(failure).toContainText(part);
    await lookAtState(page, `${screen}-failed`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}

test('while offline, each list keeps its data', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.writeFile(workspaceId, '/plan.md', '# Plan\n');
  await agent.client.sync.ingestWebhook(workspaceId, {
    provider: 'slack',
    event_type: 'file.updated',
    path: '/slack/../secret.md',
    data: { content: 'x' },
  });
  await signIn();
  const seen = [
    { screen: 'files', text: 'plan.md' },
    { screen: 'dead-letters', text: 'secret.md' },
    { screen: 'operations', text: 'No operations of providers' },
    { screen: 'conflicts', text: 'No conflicts' },
    { screen: 'writeback', text: 'No operations' },
  ] as const;
  // Closed menus contain names as well.
  const shown = (text: string) => page.getByRole('main').getByText(text).filter({ visible: true }).first();
  const open = async (screen: string): Promise<void> =>
    void (await page.goto(`${agent.url}/#${screen}?workspace=${workspaceId}`));
  for (const { screen, text } of seen) {
    await open(screen);
    await expect(shown(text)).toBeVisible();
  }
  await agent.kill();
  await expect(page.getByText('Agent not responding.').first()).toBeVisible();
  for (const { screen, text } of seen) {
    await open(screen);
    await expect(shown(text)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
    await lookAtState(page, `${screen}-offline`);
  }
});
