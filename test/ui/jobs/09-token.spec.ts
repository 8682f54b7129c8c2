// Job 9: an agent gets a token for one folder, by keyboard alone, and each of the shown configurations works with it.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { goByKeys, retype, tabTo } from '../by-keys.ts';
import { lookAtState } from '../look.ts';
import { expect, jobTest } from './job-test.ts';

const copied = async (page: Page): Promise<string> =>
  await page.evaluate(async () => await navigator.clipboard.readText());
const projectRoot = path.resolve(import.meta.dirname, '../../..');

jobTest('9. Give an agent access to one folder', async ({ page, filled, signIn, timed }) => {
  const { agent, product } = filled;
  const { workspaceId } = product;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn();
  await goByKeys(page, ',', 'settings');
  await page.keyboard.press('2');
  await expect(page.getByText('No tokens yet.')).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Create token' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await retype(page, 'agent-tides');
  await tabTo(page, form.getByRole('button', { name: /^Workspace/ }));
  await page.keyboard.press('Enter');
  await page.keyboard.type('product');
  await page.keyboard.press('Enter');
  await tabTo(page, form.getByRole('button', { name: 'One folder' }));
  await page.keyboard.press('Space');
  await tabTo(page, form.getByRole('combobox', { name: 'Folder' }));
  await page.keyboard.type('docs');
  await expect(form.getByRole('alert')).toHaveText('Start the path with “/”, for example /docs.');
  await retype(page, '/gu');
  await expect(form.getByRole('option', { name: '/guides' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.type('ti');
  await expect(form.getByRole('option', { name: '/guides/tides' })).toBeVisible();
  await timed('choose a folder: until its files are counted', 500, async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(form.getByText('/guides/tides/** matches 250 files now.')).toBeVisible();
  });
  // The count follows the workspace.
  await agent.client.writeFile(workspaceId, '/guides/tides/new.md', 'new\n');
  await timed('a new file: until it is counted', 1_000, async () => {
    await expect(form.getByText('matches 251 files now.')).toBeVisible();
  });
  await lookAtState(page, 'settings-token-folder');
  await tabTo(page, form.getByRole('button', { name: 'In 1 day' }));
  await page.keyboard.press('Space');
  await tabTo(page, form.getByLabel('Delete limit per minute'));
  await page.keyboard.type('5');
  const made = page.getByRole('dialog', { name: 'Token for agent-tides' });
  await timed('create: until the token is shown', 500, async () => {
    await page.keyboard.press('Enter');
    await expect(made).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await expect(made.getByRole('alert')).toContainText('shown only once');
  const token = await made.locator('code').first().innerText();
  await useConfigurations(page, made, token);
  await lookAtState(page, 'settings-token-created');
  await tabTo(page, made.getByRole('button', { name: 'I have copied it' }));
  await page.keyboard.press('Enter');
  await expect(made).toBeHidden();
  expect(await page.content()).not.toContain(token);

  const row = page.getByRole('row').filter({ hasText: 'agent-tides' });
  await expect(row).toContainText('/guides/tides/**');
  await expect(row).toContainText('delete limit 5 per minute');
  const status = async (file: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': 'ui-test' };
    return (await fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/file?path=${file}`, { headers }))
      .status;
  };
  expect([await status('/guides/tides/new.md'), await status('/README.md')]).toEqual([200, 403]);
  await tabTo(page, row.getByRole('button', { name: /^Revoke/ }));
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Revoke the token of agent-tides?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await timed('revoke: until the token is refused', 500, async () => {
    await page.keyboard.press('Enter');
    await expect.poll(async () => await status('/guides/tides/new.md'), { intervals: [20] }).toBe(401);
  });
  await expect(page.getByText('No active tokens.')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Show 1 revoked or expired token' }));
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Revoked');
});

/** Copies each configuration and does with it what its reader would. */
async function useConfigurations(page: Page, made: Locator, token: string): Promise<void> {
  const choose = async (kind: string): Promise<void> => {
    await tabTo(page, made.getByRole('button', { name: kind, exact: true }));
    await page.keyboard.press('Space');
  };
  const copy = async (what: string): Promise<string> => {
    await expect(made.locator('code').last()).not.toContainText(token);
    await tabTo(page, made.getByRole('button', { name: `Copy ${what}` }));
    await page.keyboard.press('Enter');
    await expect(made.locator('.copy.done')).toHaveCount(1);
    return await copied(page);
  };
  await choose('curl');
  const tree = execFileSync('sh', ['-c', await copy('the command with the token')], { encoding: 'utf8' });
  expect(JSON.parse(tree)).toMatchObject({ path: '/guides/tides' });

  await choose('SDK');
  const program = await copy('the program with the token');
  const words = ['--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, words, { cwd: projectRoot, encoding: 'utf8' });
  expect(output).toContain('/guides/tides/new.md');

  await choose('MCP');
  const { mooring } = (JSON.parse(await copy('the configuration of Claude Code')) as McpFile).mcpServers;
  const answer = await fetch(mooring.url, {
    method: 'POST',
    headers: {
      ...mooring.headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  expect(await answer.text()).toContain('"name":"read_file"');

  await choose('.env');
  expect(await copy('the lines for .env')).toContain(`MOORING_TOKEN=${token}`);
}

interface McpFile {
  readonly mcpServers: {
    readonly mooring: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  };
}
