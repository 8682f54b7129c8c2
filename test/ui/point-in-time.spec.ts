// Files as of a point in time: chosen, shown, restored, undone; other folders do not change.
import type { MooringClient } from '../../sdk/index.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

/** `/docs` with two batches of changes, and a file outside it. */
async function papers(client: MooringClient): Promise<string> {
  const { workspaceId } = await client.workspaces.create({ name: 'papers' });
  await client.writeFile(workspaceId, '/beside.md', 'beside\n');
  await client.writeFile(workspaceId, '/docs/a.md', 'before\n');
  await client.writeFile(workspaceId, '/docs/old/gone.md', 'gone\n');
  await client.bulkWrite(workspaceId, [
    { path: '/docs/a.md', content: 'after\n' },
    { path: '/docs/b.md', content: 'new\n' },
  ]);
  await client.deleteFile(workspaceId, '/docs/old/gone.md');
  await client.writeFile(workspaceId, '/beside.md', 'beside, changed\n');
  return workspaceId;
}

test('a folder is shown as of a point in time, restored, and Ctrl+Z undoes the restore', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const workspaceId = await papers(client);
  const read = async (file: string): Promise<string | null> => {
    const { entries } = await client.listTree(workspaceId, { path: '/docs' });
    return entries.some(({ path }) => path === file)
      ? ((await client.readFile(workspaceId, file)).content ?? null)
      : null;
  };
  await signIn();
  await page.goto(`${agent.url}/#files/docs/?workspace=${workspaceId}`);
  const grid = page.getByRole('grid', { name: 'Files in /docs', exact: true });
  await expect(grid).toContainText('b.md');
  await page.getByRole('button', { name: 'As of…' }).click();
  const dialog = page.getByRole('dialog', { name: '/docs as of…' });
  await expect(dialog.getByRole('button', { name: 'Show' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: 'Before owner changed 2 files' }).click();
  await look(page, 'files-as-of');
  await dialog.getByRole('button', { name: 'Show' }).click();

  const banner = page.getByRole('region', { name: 'Point in time' });
  await expect(banner).toContainText('Read-only.');
  await expect(grid).toContainText('old');
  await expect(grid).not.toContainText('b.md');
  await expect(page.getByRole('treeitem').filter({ hasText: 'old' })).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'a.md' }).click();
  await expect(page.getByRole('region', { name: 'Content of a.md' })).toContainText('before');
  await page.keyboard.press('e');
  await expect(page.getByText('Read-only: go back to now first.').first()).toBeAttached();
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await look(page, 'files-point-in-time');

  // A current change is not shown, and the link keeps the point in time.
  await client.writeFile(workspaceId, '/docs/c.md', 'now\n');
  await page.reload();
  await expect(banner).toBeVisible();
  await expect(page.getByRole('region', { name: 'Content of a.md' })).toContainText('before');
  await expect(grid).not.toContainText('c.md');
  await client.deleteFile(workspaceId, '/docs/c.md');

  await page.keyboard.press('Escape');
  await banner.getByRole('button', { name: 'Restore folder…' }).click();
  const restore = page.getByRole('dialog', { name: 'Restore as of' });
  await expect(restore).toContainText('1 reverted, 1 restored, 1 deleted.');
  await look(page, 'files-point-in-time-restore');
  await restore.getByRole('button', { name: 'Restore 3 files' }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByText('Restored 3 files of /docs as of').first()).toBeVisible();
  expect([await read('/docs/a.md'), await read('/docs/b.md'), await read('/docs/old/gone.md')]).toEqual([
    'before\n',
    null,
    'gone\n',
  ]);
  expect((await client.readFile(workspaceId, '/beside.md')).content).toBe('beside, changed\n');
  const list = page.getByRole('region', { name: 'Files', exact: true });
  if ((await page.getByText('No file selected.').count()) === 0) await page.keyboard.press('Escape');
  await list.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByText('Restore undone.')).toBeVisible();
  expect([await read('/docs/a.md'), await read('/docs/b.md')]).toEqual(['after\n', 'new\n']);
});

test('a file of a point in time is restored, and Back to now shows the current file', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const workspaceId = await papers(client);
  const { entries } = await client.history.page(workspaceId, '/docs/old/gone.md');
  const at = entries[1]?.at ?? '';
  await signIn();
  await page.goto(`${agent.url}/#files/docs/old/gone.md?workspace=${workspaceId}&at=${at}`);
  await expect(page.getByRole('region', { name: 'Content of gone.md' })).toContainText('gone');
  await page.keyboard.press('h');
  await expect(page.getByRole('button', { name: /^Restore rev_/ })).toHaveCount(0);
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'Restore file…' }).click();
  await page
    .getByRole('dialog', { name: 'Restore as of' })
    .getByRole('button', { name: 'Restore 1 file' })
    .click();
  await expect(page.getByRole('region', { name: 'Point in time' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Content of gone.md' })).toContainText('gone');
  expect((await client.readFile(workspaceId, '/docs/old/gone.md')).content).toBe('gone\n');

  await page.goto(`${agent.url}/#files/docs/b.md?workspace=${workspaceId}&at=${at}`);
  await expect(page.getByText('No file at this path at this time')).toBeVisible();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(page.getByRole('region', { name: 'Content of b.md' })).toContainText('new');
  expect(page.url()).not.toContain('at=');
});

test('job 5: quick choices and typed times say exactly what a restore changes; arrows change the part at the caret', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  const files = Array.from({ length: 2_000 }, (_, at) => ({ path: `/docs/${at}.md`, content: `${at}\n` }));
  await agent.client.bulkWrite(workspaceId, files);
  await agent.client.bulkWrite(
    workspaceId,
    ['/docs/0.md', '/docs/1.md'].map((path) => ({ path, content: 'changed\n' })),
  );
  await agent.client.bulkWrite(
    workspaceId,
    ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `/docs/new-${name}.md`, content: 'new\n' })),
  );
  await signIn();
  await page.goto(`${agent.url}/#files/docs/?workspace=${workspaceId}`);
  const beganMs = performance.now();
  await page.getByRole('button', { name: 'As of…' }).click();
  const dialog = page.getByRole('dialog', { name: '/docs as of…' });
  const field = dialog.getByLabel('Time');
  const preview = dialog.getByRole('status');
  await dialog.getByRole('button', { name: 'Before owner changed 2 files' }).click();
  await expect(preview).toHaveText('A restore of this time changes: 2 reverted, 5 deleted.');
  console.log(`job 5, what a restore changes: ${Math.round(performance.now() - beganMs)} ms`);
  await look(page, 'files-as-of-preview');
  await dialog.getByRole('button', { name: '1 hour ago' }).click();
  await expect(preview).toHaveText('A restore of this time changes: 2,005 deleted.');
  await dialog.getByRole('button', { name: 'Yesterday' }).click();
  const shown = new Date((await field.inputValue()).replace(' ', 'T'));
  expect(Math.abs(Date.now() - 86_400_000 - shown.getTime())).toBeLessThan(3_700_000);
  await field.fill('2026-03-01 00:30');
  await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(9, 9));
  await page.keyboard.press('ArrowDown');
  await expect(field).toHaveValue('2026-02-28 00:30:00.000');
  await field.fill('2026-02-31');
  await expect(dialog.getByText('Enter a date and time in the past.')).toBeVisible();
});

test('a time in the future is an error of the field; a time without differences needs no changes', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  await agent.client.writeFile(workspaceId, '/docs/a.md', 'a\n');
  await signIn();
  await page.goto(`${agent.url}/#files/docs/?workspace=${workspaceId}`);
  await page.getByRole('button', { name: 'As of…' }).click();
  const dialog = page.getByRole('dialog', { name: '/docs as of…' });
  await dialog.getByLabel('Time').fill('2999-01-01T00:00:00');
  await expect(dialog.getByText('Enter a date and time in the past.')).toBeVisible();
  const now = await page.evaluate(() => {
    const at = new Date();
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 23);
  });
  await dialog.getByLabel('Time').fill(now);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Restore folder…' }).click();
  const restore = page.getByRole('dialog', { name: 'Restore as of' });
  await expect(restore.getByText('No changes needed.')).toBeVisible();
  await expect(restore.getByRole('button', { name: 'Restore' })).toHaveAttribute(
    'title',
    'No changes needed.',
  );
  await restore.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'As of…' }).click();
  await dialog.getByRole('button', { name: 'Before owner changed a.md' }).click();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('No files here at this time')).toBeVisible();
  await page.getByRole('button', { name: 'As of…' }).click();
  await dialog.getByRole('button', { name: 'Now', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Point in time' })).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Files in /docs' })).toContainText('a.md');
});

test('if retention has deleted revisions, the banner reports it and nothing can be restored', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await papers(agent.client);
  // The response of an agent whose retention has deleted older revisions.
  const completeSince = new Date().toISOString();
  await page.route('**/fs/history?**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { retention: object };
    await route.fulfill({ json: { ...body, retention: { ...body.retention, completeSince } } });
  });
  await signIn();
  await page.goto(`${agent.url}/#files/?workspace=${workspaceId}&at=2020-01-01T00:00:00.000Z`);
  const banner = page.getByRole('region', { name: 'Point in time' });
  await expect(banner).toContainText('Files may be missing.');
  await expect(banner.getByRole('button', { name: 'Restore all files…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await look(page, 'files-past-not-kept');
  // Below 900 px the banner wraps, and its buttons stay visible.
  await page.setViewportSize({ width: 480, height: 640 });
  await expect(banner.getByRole('button', { name: 'Back to now' })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.screenshot({ path: 'test-results/screens/files-past-narrow.png' });
});
