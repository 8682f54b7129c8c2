import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { goByKeys } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { pngOf } from './png.ts';

function fill(dir: string): void {
  mkdirSync(path.join(dir, 'docs/guides'), { recursive: true });
  writeFileSync(path.join(dir, 'README.md'), '# Read me\n\nFirst line.\n');
  writeFileSync(path.join(dir, 'docs/intro.md'), '# Intro\n');
  writeFileSync(path.join(dir, 'docs/guides/install.md'), '# Install\n\n1. Download\n');
  writeFileSync(path.join(dir, 'docs/100% & more.md'), 'odd name\n');
  writeFileSync(path.join(dir, 'logo.png'), pngOf(64, 64));
}

test('everything in Files can be done with the keyboard alone', async ({ page, agent, signIn }) => {
  const dir = agent.folder('notes');
  fill(dir);
  await agent.mirror('notes', dir);
  await signIn();
  await goByKeys(page, 'f', 'files');
  await expect(page.getByRole('grid', { name: 'Files in /' })).toBeVisible();
  await page.keyboard.press('j');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('docs')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Files in /docs' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(row('100% & more.md')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Content of 100% & more.md' })).toContainText('odd name');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('region', { name: 'Content of intro.md' })).toContainText('Intro');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Content of intro.md' })).toBeFocused();
  await page.keyboard.press('i');
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('text/markdown');
  await page.keyboard.press('Escape');
  await expect(row('intro.md')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'File', exact: true })).toBeHidden();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('grid', { name: 'Files in /', exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('logo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('image/png');
  await page.keyboard.press('i');
  await expect(page.getByRole('img', { name: 'logo.png' })).toBeVisible();
});

test('the tree folds and unfolds with the arrows and has one tab stop', async ({ page, agent, signIn }) => {
  const dir = agent.folder('notes');
  fill(dir);
  await agent.mirror('notes', dir);
  await signIn();
  await page.goto(`${agent.url}/#files/`);
  const item = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
  await expect(item('docs')).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(item('docs')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(item('guides')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(item('guides')).toBeFocused();
  await expect(page.getByRole('grid', { name: 'Files in /docs/guides' })).toContainText('install.md');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(item('guides')).toHaveCount(0);
  await expect(page.locator('[role=tree] [tabindex="0"]')).toHaveCount(1);
});

test('changes from the folder and the API show without a reload, and a deleted file is marked', async ({
  page,
  agent,
  signIn,
}) => {
  const dir = agent.folder('notes');
  fill(dir);
  const { workspaceId } = await agent.mirror('notes', dir);
  await signIn();
  await page.goto(`${agent.url}/#files/README.md`);
  const content = page.getByRole('region', { name: 'Content of README.md' });
  await expect(content).toContainText('First line.');
  appendFileSync(path.join(dir, 'README.md'), 'Added on disk.\n');
  await expect(content).toContainText('Added on disk.');
  await agent.client.writeFile(workspaceId, '/new/deep/file.md', 'new\n');
  await expect(page.getByRole('row').filter({ hasText: 'new' })).toBeVisible();
  await expect(page.getByRole('treeitem').filter({ hasText: 'new' })).toBeVisible();
  rmSync(path.join(dir, 'README.md'));
  await expect(page.getByText('This file was deleted.')).toBeVisible();
  await expect(content).toContainText('Added on disk.');
  await expect(page.getByRole('row').filter({ hasText: 'README.md' })).toHaveCount(0);
  await agent.client.deleteFile(workspaceId, '/new/deep/file.md');
  await expect(page.getByRole('row').filter({ hasText: 'new' })).toHaveCount(0);
});

test('a folder with thousands of files has few rows in the page', async ({ page, agent, signIn }) => {
  const workspace = await agent.client.workspaces.create({ name: 'many' });
  const names = Array.from({ length: 2_500 }, (_, index) => `/all/file-${String(index).padStart(5, '0')}.md`);
  for (let start = 0; start < names.length; start += 250) {
    const files = names.slice(start, start + 250).map((name) => ({ path: name, content: `${name}\n` }));
    await agent.client.bulkWrite(workspace.workspaceId, files);
  }
  await signIn();
  await page.goto(`${agent.url}/#files/all/?workspace=${workspace.workspaceId}`);
  const grid = page.getByRole('grid', { name: 'Files in /all' });
  await expect(grid).toHaveAttribute('aria-rowcount', '2500');
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await expect(page.getByRole('row').filter({ hasText: 'file-02499.md' })).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('01234');
  await expect(grid).toHaveAttribute('aria-rowcount', '1');
  await page.keyboard.press('Escape');
  await expect(grid).toHaveAttribute('aria-rowcount', '2500');
  await expect(page.getByRole('row').filter({ hasText: 'file-02499.md' })).toBeFocused();
});

test('a download has the bytes of the file', async ({ page, agent, signIn }) => {
  const dir = agent.folder('notes');
  fill(dir);
  await agent.mirror('notes', dir);
  await signIn();
  await page.goto(`${agent.url}/#files/logo.png`);
  await expect(page.getByRole('img', { name: 'logo.png' })).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')]);
  expect(download.suggestedFilename()).toBe('logo.png');
  expect(readFileSync(await download.path())).toEqual(readFileSync(path.join(dir, 'logo.png')));
});

test('the finder goes to a file folder by folder', async ({ page, agent, signIn }) => {
  const dir = agent.folder('notes');
  fill(dir);
  await agent.mirror('notes', dir);
  await signIn();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('/do');
  await expect(page.getByRole('option').filter({ hasText: '/docs' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('option').filter({ hasText: '/docs/intro.md' })).toBeVisible();
  await page.keyboard.type('in');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Content of intro.md' })).toBeVisible();
});

test('each part of the breadcrumb opens its folder', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.writeFile(workspaceId, '/guides/start/intro.md', '# Intro\n');
  await signIn();
  await page.goto(`${agent.url}/#files/guides/start/?workspace=${workspaceId}`);
  const crumbs = page.getByRole('navigation', { name: 'Path of the folder' });
  await expect(crumbs).toHaveText('notesguidesstart');
  await expect(crumbs.getByText('start')).toHaveAttribute('aria-current', 'location');
  await crumbs.getByRole('button', { name: 'guides' }).click();
  await expect(page.getByRole('grid', { name: 'Files in /guides' })).toBeVisible();
  await crumbs.getByRole('button', { name: 'notes' }).press('Enter');
  await expect(page.getByRole('grid', { name: 'Files in /', exact: true })).toBeVisible();
  await expect(crumbs).toHaveText('notes');
});

test('below 900 px the file covers the list, and Back returns', async ({ page, agent, signIn }) => {
  await page.setViewportSize({ width: 640, height: 800 });
  const dir = agent.folder('notes');
  fill(dir);
  await agent.mirror('notes', dir);
  await signIn();
  await page.goto(`${agent.url}/#files/README.md`);
  await expect(page.getByRole('region', { name: 'Content of README.md' })).toBeVisible();
  await expect(page.getByRole('grid')).toBeHidden();
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
});

test('a link to a file asks for the file and its folder before the status is known, and once', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'docs' });
  await agent.client.writeFile(workspaceId, '/notes/berths.md', '# Berths\n');
  await signIn();
  await page.goto(`${agent.url}/#files/notes/berths.md?workspace=${workspaceId}`);
  const content = page.getByRole('region', { name: 'Content of berths.md' });
  await expect(content).toContainText('Berths');
  const status = Promise.withResolvers<void>();
  await page.route('**/v1/agent/status', async (route) => {
    await status.promise;
    await route.continue();
  });
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/fs\/(file|tree)$/.test(pathname)) reads.push(pathname.slice(-4));
  });
  await page.reload();
  await expect.poll(() => reads.toSorted()).toEqual(['file', 'tree']);
  status.resolve();
  await expect(content).toContainText('Berths');
  expect(reads.filter((read) => read === 'file')).toHaveLength(1);
  // What changes from then on is shown.
  await agent.client.writeFile(workspaceId, '/notes/berths.md', '# Cranes\n');
  await expect(content).toContainText('Cranes');
});
