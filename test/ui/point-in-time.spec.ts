// Files as of a point in time: chosen, shown, restored, undone; other folders do not change.
import type { MooringClient } from '../../sdk/index.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { pngOf } from './png.ts';

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

test('Markdown has the images and the links of its point in time, and loads none that is too large', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'papers' });
  const image = async (path: string, bytes: Uint8Array) =>
    await client.writeFile(workspaceId, path, bytes, { contentType: 'image/png' });
  await image('/logo.png', pngOf(8, 8));
  await image('/huge.png', new Uint8Array(10_000_001));
  await client.writeFile(workspaceId, '/other.md', 'then\n');
  await client.writeFile(workspaceId, '/page.md', '![Huge](huge.png) ![Logo](logo.png) [Other](other.md)\n');
  const [written] = (await client.history.page(workspaceId, '/page.md')).entries;
  const at = written?.at ?? '';
  await image('/logo.png', pngOf(16, 16));
  await client.writeFile(workspaceId, '/other.md', 'now\n');
  const read: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('huge.png')) read.push(request.url());
  });
  await signIn();
  const content = page.getByRole('region', { name: 'Content of page.md' });
  const widthOf = async () =>
    await content
      .getByRole('img', { name: 'Logo' })
      .evaluate((shown: HTMLImageElement) => shown.naturalWidth);
  await page.goto(`${agent.url}/#files/page.md?workspace=${workspaceId}&at=${at}`);
  await expect.poll(widthOf).toBe(8);
  await content.getByRole('link', { name: 'Other' }).click();
  await expect(page.getByRole('region', { name: 'Content of other.md' })).toContainText('then');
  await page.goto(`${agent.url}/#files/page.md?workspace=${workspaceId}`);
  await expect.poll(widthOf).toBe(16);
  expect(read).toEqual([]);
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
