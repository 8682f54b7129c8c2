// The history of a file: by keyboard alone, with undo, revert, every state, and pictures in both themes.
import { expect, test } from './fixtures.ts';
import { expectAccessible, look } from './look.ts';

test('a request is previewed before its revert, and a deleted file is restored from its history', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'papers' });
  await client.writeFile(workspaceId, '/a.md', 'before\n');
  await client.bulkWrite(workspaceId, [
    { path: '/a.md', content: 'after\n' },
    { path: '/b.md', content: 'new\n' },
    { path: '/c.md', content: 'new\n' },
  ]);
  await signIn();
  await page.goto(`${agent.url}/#files/a.md?workspace=${workspaceId}&view=history`);
  await page.getByRole('button', { name: 'Revert 3 files…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 reverted, 2 deleted.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Revert 3 files', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Reverted 3 files' })).toBeVisible();
  expect((await client.readFile(workspaceId, '/a.md')).content).toBe('before\n');
  await client.deleteFile(workspaceId, '/a.md');
  await page.goto(`${agent.url}/#files/a.md?workspace=${workspaceId}`);
  await page.reload();
  await page.getByRole('button', { name: 'Show history' }).click();
  const revisions = page.getByRole('list', { name: 'Revisions of a.md' });
  await expect(revisions).toContainText('Deleted');
  await revisions.getByRole('button').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(revisions.getByRole('button').nth(1)).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('status').filter({ hasText: 'restored.' })).toBeVisible();
  expect((await client.readFile(workspaceId, '/a.md')).content).toBe('before\n');
});

test('a history that was left and is opened again has the changes from meanwhile', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'papers' });
  await client.writeFile(workspaceId, '/a.md', 'first\n');
  await signIn();
  await page.goto(`${agent.url}/#files/a.md?workspace=${workspaceId}&view=history`);
  const revisions = page.getByRole('list', { name: 'Revisions of a.md' }).getByRole('button');
  await expect(revisions).toHaveCount(1);
  await page.keyboard.press('h');
  await expect(revisions).toHaveCount(0);
  await client.writeFile(workspaceId, '/a.md', 'second\n');
  await expect(page.getByText('second', { exact: true })).toBeVisible();
  await page.keyboard.press('h');
  await expect(revisions).toHaveCount(2);
});

test('every state of the history looks right', async ({ page, agent, signIn }) => {
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'papers' });
  const lines = Array.from({ length: 12 }, (_, n) => `${n + 1}. A sentence that stays as it is.`);
  for (const change of ['first', 'second', 'third']) {
    await client.writeFile(workspaceId, '/guide.md', [...lines, `The ${change} ending.`, ''].join('\n'));
  }
  await client.bulkWrite(workspaceId, [
    { path: '/guide.md', content: `${lines.slice(2).join('\n')}\n` },
    { path: '/other.md', content: 'x\n' },
  ]);
  await client.writeFile(workspaceId, '/pixel.bin', new Uint8Array([0, 255]));
  await signIn();
  const open = (file: string) =>
    page.goto(`${agent.url}/#files/${file}?workspace=${workspaceId}&view=history`);
  await open('guide.md');
  await expect(page.getByRole('button', { name: 'Revert 2 files…' })).toBeVisible();
  await page.keyboard.press('[');
  await expect(page.getByText('removed: The second ending.')).toBeVisible();
  await look(page, 'file-history-diff');
  await open('pixel.bin');
  await expect(page.getByText('Binary file: no file before, 2 B after')).toBeVisible();
  await look(page, 'file-history-binary');
  await open('never.md');
  await expect(page.getByText('No history retained')).toBeVisible();
  await look(page, 'file-history-empty');
  await agent.kill();
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await open('other.md');
  await expect(page.getByRole('button', { name: 'Retry', exact: true })).toBeVisible();
  await look(page, 'file-history-error');
});
