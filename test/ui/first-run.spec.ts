import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keysTest, retype, tabTo } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

keysTest(
  'the first run works by keyboard alone: mirror, token, test webhook',
  async ({ page, agent, signIn }) => {
    const press = async (name: string): Promise<void> => {
      await tabTo(page, page.getByRole('button', { name }));
      await page.keyboard.press('Enter');
    };
    const dir = agent.folder('notes');
    writeFileSync(path.join(dir, 'first.md'), 'one\n');
    await signIn();
    await expect(page.getByRole('heading', { name: 'Pick a folder' })).toBeVisible();
    await tabTo(page, page.getByLabel('Folder'));
    await page.keyboard.type('notes');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter an absolute path')).toBeVisible();
    await retype(page, dir);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Create a workspace' })).toBeVisible();
    const name = page.getByLabel('Workspace name');
    await expect(name).toHaveValue('notes');
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Copy a token' })).toBeVisible();
    await expect(page.getByText('1 file', { exact: true })).toBeVisible();
    await press('Create token');
    const token = await page.locator('code').first().innerText();
    await press('I have copied it: continue');
    await press('Send a test webhook');
    await expect(page.getByText(/^Applied after [\d,]+ ms$/)).toBeVisible({ timeout: 30_000 });
    const mirrored = path.join(dir, 'mooring-test/hello.md');
    await expect.poll(() => existsSync(mirrored)).toBe(true);
    expect(readFileSync(mirrored, 'utf8')).toContain('A test webhook, sent');
    const [workspace] = await agent.client.workspaces.list();
    const read = await fetch(`${agent.url}/v1/workspaces/${workspace?.workspaceId}/fs/file?path=/first.md`, {
      headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'ui-test' },
    });
    expect(read.status).toBe(200);
    await press('Open Overview');
    await expect(page.getByRole('article', { name: /^notes/ })).toBeVisible();
  },
);

test('a rejected folder shows the reason and leaves no workspace; Back keeps the input', async ({
  page,
  agent,
  signIn,
}) => {
  const { dir, workspaceId } = await agent.mirror('outer');
  await signIn();
  await page.goto(`${agent.url}/#first-run`);
  const inner = path.join(dir, 'inner');
  await page.getByLabel('Folder').fill(inner);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create and mirror' }).click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  expect((await agent.client.workspaces.list()).map((each) => each.workspaceId)).toEqual([workspaceId]);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Folder')).toHaveValue(inner);
});

test('a sample needs no folder', async ({ page, agent, signIn }) => {
  await signIn();
  await page.getByRole('button', { name: 'Start with a sample' }).click();
  await expect(page.getByRole('heading', { name: 'Copy a token' })).toBeVisible();
  await expect(page.getByText('4 files', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Copy a token' })).toBeVisible();
  const [workspace] = await agent.client.workspaces.list();
  expect(workspace).toMatchObject({ name: 'sample', files: 4 });
});

test('the first run looks right', async ({ page, agent, signIn }) => {
  await signIn();
  await look(page, 'first-run-folder');
  await page.getByLabel('Folder').fill(agent.folder('notes'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Create a workspace' })).toBeVisible();
  await look(page, 'first-run-workspace');
  await page.getByRole('button', { name: 'Create and mirror' }).click();
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('Use it with')).toBeVisible();
  await look(page, 'first-run-token');
  await page.getByRole('button', { name: 'I have copied it: continue' }).click();
  await page.getByRole('button', { name: 'Send a test webhook' }).click();
  await expect(page.getByText(/^Applied after/)).toBeVisible({ timeout: 30_000 });
  await look(page, 'first-run-webhook');
});
