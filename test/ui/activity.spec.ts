// The feed: live, filtered, paused, and the events of one correlation id; by mouse and by keyboard.
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { MooringClient } from '../../sdk/index.ts';
import { goByKeys } from './by-keys.ts';
import { dataRows } from './data-rows.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

test('events are live, rows do not move while paused, and P resumes', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  await goByKeys(page, 'a', 'activity');
  await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible();
  await expect(page.getByRole('main').getByText('Live')).toBeVisible();
  await agent.client.writeFile(workspaceId, '/a.md', 'a\n');
  const rows = page.getByRole('row', { name: /File created/ });
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('p');
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await agent.client.writeFile(workspaceId, '/b.md', 'b\n');
  await agent.client.writeFile(workspaceId, '/c.md', 'c\n');
  await expect(page.getByRole('button', { name: 'Resume (2 new)' })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('p');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('c.md');
});

test('a chord that one part of the page handles ends for all of them', async ({ page, agent, signIn }) => {
  await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  await goByKeys(page, 'a', 'activity');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  // P pauses; it does not complete the chord "G P".
  await page.evaluate(() => {
    for (const key of ['g', 'a', 'p'])
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/#activity/);
});

test('kind, path and text filter the feed and are part of the URL', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.writeFile(workspaceId, '/guides/a.md', 'a\n');
  await agent.client.writeFile(workspaceId, '/guides/a.md', 'aa\n');
  await agent.client.writeFile(workspaceId, '/other/b.md', 'b\n');
  await agent.client.deleteFile(workspaceId, '/other/b.md');
  await signIn();
  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}`);
  const rows = dataRows(page.getByRole('grid'));
  const files = rows.filter({ hasText: /File / });
  await expect(files).toHaveCount(4);
  await page.getByLabel('Path (including subfolders)').fill('guides');
  await expect(files).toHaveCount(2);
  await expect(page).toHaveURL(/path=guides/);
  await page.reload();
  await expect(files).toHaveCount(2);
  await page.getByLabel('Path (including subfolders)').fill('');
  await expect(files).toHaveCount(4);
  await page.getByLabel('Name, actor, correlation id or event id').fill('b.md');
  await expect(files).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Writeback' }).click();
  await expect(page.getByText('No matching events')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(files).toHaveCount(4);
});

test('a time range is selected in the chart by mouse or keys, and only its events are shown', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.writeFile(workspaceId, '/now.md', 'a\n');
  await signIn();
  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}&kind=files`);
  const rows = dataRows(page.getByRole('grid'));
  await expect(rows).toHaveCount(1);
  const chart = page.locator('.rate-range');
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const drag = async (from: number, to: number): Promise<void> => {
    await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
  };
  await drag(0.2, 0.5);
  await expect(page).toHaveURL(/range=/);
  await expect(page.getByText('No matching events')).toBeVisible();
  await look(page, 'activity-range');
  await page.reload();
  await expect(page.getByText('No matching events')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(rows).toHaveCount(1);
  await drag(0.999, 0.6);
  await expect(rows).toHaveCount(1);
  await page.getByRole('slider', { name: 'Events to' }).focus();
  await page.keyboard.press('PageUp');
  await expect(page.getByText('No matching events')).toBeVisible();
  await page.keyboard.press('End');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/range=/);
});

test('the detail has every event of one correlation id and opens the file', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.bulkWrite(
    workspaceId,
    [
      { path: '/a.md', content: 'a\n' },
      { path: '/b.md', content: 'b\n' },
    ],
    { correlationId: 'batch-7' },
  );
  await agent.client.writeFile(workspaceId, '/c.md', 'c\n');
  await signIn();
  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}`);
  await expect(page.getByRole('row', { name: /b\.md/ })).toBeVisible();
  await page.getByRole('row', { name: /b\.md/ }).click();
  const detail = page.getByRole('region', { name: 'Event', exact: true });
  await expect(detail.getByText('batch-7')).toBeVisible();
  await expect(detail.getByRole('listitem')).toHaveCount(2);
  await detail.getByRole('button', { name: 'Filter by correlation' }).click();
  await expect(page.getByRole('row', { name: /c\.md/ })).toBeHidden();
  await page.reload();
  await expect(detail.getByText('batch-7').first()).toBeVisible();
  await detail.getByRole('button', { name: 'Open file' }).click();
  await expect(page).toHaveURL(/#files\/b\.md/);
});

test('each event names its actor, and the name filters the feed', async ({ page, agent, signIn }) => {
  const { workspaceId, dir } = await agent.mirror('notes');
  await agent.client.writeFile(workspaceId, '/by-owner.md', 'a\n');
  const { token } = await agent.client.tokens.create(workspaceId, { agent: 'agent-docs' });
  const docs = new MooringClient({ baseUrl: agent.url, token });
  await docs.writeFile(workspaceId, '/by-agent.md', 'b\n');
  writeFileSync(path.join(dir, 'by-folder.md'), 'c\n');
  await agent.settle();
  await signIn();
  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}&kind=files`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('by-owner.md')).toContainText('owner');
  await expect(row('by-agent.md')).toContainText('agent-docs');
  await expect(
    row('by-folder.md').getByText(`${userInfo().username} (folder)`, { exact: true }),
  ).toBeVisible();
  // Live events name their actor, too.
  await docs.writeFile(workspaceId, '/later.md', 'd\n');
  await expect(row('later.md')).toContainText('agent-docs');
  await row('later.md').click();
  await expect(page.getByRole('region', { name: 'Event', exact: true })).toContainText('agent-docs');
  await page.getByLabel('Name, actor, correlation id or event id').fill('agent-d');
  await expect(dataRows(page.getByRole('grid'))).toHaveCount(2);
});

test('thousands of events are a few rows; while scrolled away rows do not move', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.bulkWrite(
    workspaceId,
    Array.from({ length: 900 }, (_, index) => ({ path: `/many/${index}.md`, content: `${index}\n` })),
  );
  await signIn();
  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}&kind=files`);
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '500');
  expect(await dataRows(grid).count()).toBeLessThan(80);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', /9\d\d/);
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await expect(grid.getByRole('row', { selected: true })).toBeFocused();
  await agent.client.writeFile(workspaceId, '/new.md', 'new\n');
  await page.getByRole('button', { name: 'Resume (1 new)' }).click();
  await expect(page.getByRole('row', { name: /new\.md/ })).toBeVisible();
});

test('Activity looks right, also while the agent is offline', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  await agent.client.bulkWrite(
    workspaceId,
    ['pricing', 'faq', 'onboarding-guide'].map((name) => ({
      path: `/notion/pages/deep/below/${name}.md`,
      content: `# ${name}\n`,
    })),
  );
  await agent.client.deleteFile(workspaceId, '/notion/pages/deep/below/faq.md');
  await agent.client.sync.ingestWebhook(workspaceId, {
    provider: 'linear',
    event_type: 'file.created',
    path: '/linear/issues/ENG-482.json',
    data: { content: '{}' },
  });
  await signIn();
  await page.goto(`${agent.url}/#activity?workspace=${workspaceId}`);
  await page.getByRole('row', { name: /pricing/ }).click();
  await expect(page.getByRole('heading', { name: 'Same correlation' })).toBeVisible();
  await look(page, 'activity');
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await look(page, 'activity-paused');
  await agent.kill();
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await expect(page.getByRole('row', { name: /pricing/ })).toBeVisible();
  await look(page, 'activity-offline');
});
