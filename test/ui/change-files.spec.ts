// Files are created, uploaded, moved and deleted in the page; the mirrored folder follows, and each can be undone.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { lookAtState } from './look.ts';

test('a file is created, renamed, deleted, and each step is undone', async ({ page, agent, signIn }) => {
  const dir = agent.folder('docs');
  mkdirSync(path.join(dir, 'guides'));
  writeFileSync(path.join(dir, 'guides/fees.md'), '# Fees\n');
  writeFileSync(path.join(dir, 'guides/safety.md'), '# Safety\n');
  const { workspaceId } = await agent.mirror('docs', dir);
  const inDir = (name: string): string => path.join(dir, name);
  await signIn();
  await page.goto(`${agent.url}/#files/guides/?workspace=${workspaceId}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('fees.md')).toBeVisible();

  await page.keyboard.press('n');
  await page.keyboard.type('drafts/plan.md');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#files\/guides\/drafts\/plan\.md/);
  await expect.poll(() => existsSync(inDir('guides/drafts/plan.md'))).toBe(true);

  // An existing file is not replaced.
  await page.goto(`${agent.url}/#files/guides/fees.md?workspace=${workspaceId}`);
  await expect(page.getByRole('region', { name: 'Content of fees.md' })).toContainText('Fees');
  await page.keyboard.press('F2');
  await page.keyboard.type('safety');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await page.getByRole('textbox', { name: 'Path' }).fill('/guides/berths/fees.md');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#files\/guides\/berths\/fees\.md/);
  await expect.poll(() => existsSync(inDir('guides/berths/fees.md'))).toBe(true);
  expect(existsSync(inDir('guides/fees.md'))).toBe(false);
  await page.keyboard.press('Control+z');
  await expect(page).toHaveURL(/#files\/guides\/fees\.md/);
  await expect.poll(() => existsSync(inDir('guides/fees.md'))).toBe(true);

  await row('safety.md').click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Open',
    /^Rename or move/,
    /^Copy path/,
    'Copy link',
    'Copy as curl',
    /^Delete/,
  ]);
  await lookAtState(page, 'files-menu');
  await menu.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(row('safety.md')).toHaveCount(0);
  await expect.poll(() => existsSync(inDir('guides/safety.md'))).toBe(false);
  await page.getByRole('region', { name: 'Last action' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(inDir('guides/safety.md'))).toBe(true);
  expect(readFileSync(inDir('guides/safety.md'), 'utf8')).toBe('# Safety\n');

  // A folder is deleted and restored as one change.
  await page.goto(`${agent.url}/#files/?workspace=${workspaceId}`);
  await row('guides').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Delete folder…' }).click();
  await page.getByRole('button', { name: 'Delete 3 files' }).click();
  await expect(page.getByRole('heading', { name: 'No files in this folder' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(row('guides')).toBeVisible();
  expect((await agent.client.readFile(workspaceId, '/guides/fees.md')).content).toBe('# Fees\n');
});

test('files are uploaded and dropped; a name that exists is asked about', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'docs' });
  await agent.client.writeFile(workspaceId, '/notes/plan.md', 'old plan\n');
  await signIn();
  await page.goto(`${agent.url}/#files/notes/?workspace=${workspaceId}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('plan.md')).toBeVisible();
  const text = (name: string, content: string) => ({
    name,
    mimeType: 'text/markdown',
    buffer: Buffer.from(content),
  });
  const contentOf = async (at: string): Promise<string> =>
    (await agent.client.readFile(workspaceId, at)).content;
  await page
    .getByLabel('Files to upload')
    .setInputFiles([text('plan.md', 'new plan\n'), text('todo.md', 'todo\n')]);
  const dialog = page.getByRole('dialog', { name: '1 file exists already' });
  await expect(dialog).toContainText('plan.md');
  expect(await contentOf('/notes/todo.md')).toBe('todo\n');
  expect(await contentOf('/notes/plan.md')).toBe('old plan\n');
  await lookAtState(page, 'files-upload-exists');
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect(row('plan (2).md')).toBeVisible();
  expect(await contentOf('/notes/plan (2).md')).toBe('new plan\n');

  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['dropped\n'], 'dropped.md', { type: 'text/markdown' }));
    return transfer;
  });
  const list = page.getByRole('region', { name: 'Files', exact: true });
  await list.dispatchEvent('dragover', { dataTransfer: data });
  await list.dispatchEvent('drop', { dataTransfer: data });
  await expect(row('dropped.md')).toBeVisible();
  expect(await contentOf('/notes/dropped.md')).toBe('dropped\n');
});
