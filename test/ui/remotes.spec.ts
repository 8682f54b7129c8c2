// A workspace is synced with one of another agent: added by keys, offline and back, halted by an emptied server, removed.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { goByKeys } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { look, lookAtState } from './look.ts';
import { UiAgent } from './ui-agent.ts';

const fileNames = Array.from({ length: 12 }, (_, index) => `/guides/page-${index}.md`);

interface Server {
  readonly agent: UiAgent;
  readonly workspaceId: string;
  readonly tokenFile: string;
}

async function startServer(): Promise<Server> {
  const agent = new UiAgent();
  await agent.start();
  const { workspaceId } = await agent.client.workspaces.create({ name: 'team docs' });
  for (const name of fileNames) await agent.client.writeFile(workspaceId, name, `# ${name}\n`);
  const { token } = await agent.client.tokens.create(workspaceId, { agent: 'maria' });
  const folder = agent.folder('token');
  mkdirSync(folder, { recursive: true });
  const tokenFile = path.join(folder, 'token');
  writeFileSync(tokenFile, token);
  chmodSync(tokenFile, 0o600);
  return { agent, workspaceId, tokenFile };
}

const detail = (page: Page) => page.getByRole('region', { name: 'Remote', exact: true });

async function addRemote(page: Page, server: Server): Promise<void> {
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Add remote' });
  await dialog.getByRole('button', { name: 'Add remote' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await expect(dialog.getByText('Enter the path of the file with the token.')).toBeVisible();
  await dialog.getByLabel('Workspace name').fill('team');
  await dialog.getByLabel('Server', { exact: true }).fill(server.agent.url);
  await dialog.getByLabel('Token file').fill(`${server.tokenFile}.missing`);
  await dialog.getByRole('button', { name: 'Add remote' }).click();
  await expect(dialog.getByRole('alert')).toContainText(/token/i);
  await lookAtState(page, 'remotes-add');
  await dialog.getByLabel('Token file').fill(server.tokenFile);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
}

test('a workspace is synced with another server: added, offline and back, halted, restored, removed', async ({
  page,
  agent,
  signIn,
}) => {
  const server = await startServer();
  try {
    await signIn();
    await goByKeys(page, 'h', 'remotes');
    await expect(page.getByRole('heading', { name: 'No remotes yet' })).toBeVisible();
    await look(page, 'remotes-empty');
    await addRemote(page, server);

    await expect(detail(page).getByText('Up to date')).toBeVisible();
    await expect(detail(page).getByRole('heading', { level: 2 })).toHaveText('team');
    const [remote] = (await agent.client.agent.status()).remotes;
    if (remote === undefined) throw new Error('no remote');
    expect((await agent.client.readFile(remote.workspaceId, '/guides/page-3.md')).content).toBe(
      '# /guides/page-3.md\n',
    );
    // What others do is there at once, with the server as its author.
    await server.agent.client.writeFile(server.workspaceId, '/news.md', 'new\n');
    await expect(detail(page).getByRole('link', { name: 'news.md' })).toBeVisible();
    await look(page, 'remotes');

    await server.agent.kill();
    await expect(detail(page).getByText(/^Offline since/)).toBeVisible();
    await agent.client.writeFile(remote.workspaceId, '/mine.md', 'mine\n');
    await expect(detail(page).getByText(/1 change waits here\./)).toBeVisible();
    await look(page, 'remotes-offline');
    await goByKeys(page, 'o', 'overview');
    const flow = page.getByRole('region', { name: 'Data flow' });
    await expect(flow.getByText('1 to send')).toBeVisible();
    await expect(flow.getByRole('listitem')).toContainText(/^127\.0\.0\.1:\d+\s*Offline since/);
    await expect(flow.getByText('All data stays on this computer.')).toHaveCount(0);
    await lookAtState(page, 'overview-remote');
    await goByKeys(page, 'h', 'remotes');
    await server.agent.start();
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect(detail(page).getByText('Up to date')).toBeVisible();
    expect((await server.agent.client.readFile(server.workspaceId, '/mine.md')).content).toBe('mine\n');

    // Most files of the server are deleted: nothing is deleted here before a person says so.
    await page.keyboard.press('p');
    await expect(detail(page).getByText('Paused')).toBeVisible();
    for (const name of fileNames) await server.agent.client.deleteFile(server.workspaceId, name);
    await page.keyboard.press('p');
    await expect(detail(page).getByRole('alert')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Remotes.*1.*to resolve/ })).toBeVisible();
    await look(page, 'remotes-halted');
    await page.getByRole('button', { name: 'Apply deletions…' }).click();
    await expect(page.getByRole('dialog')).toContainText('Delete 12 files in team on this computer?');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Restore 12 files' }).click();
    await expect(detail(page).getByText('Up to date')).toBeVisible();
    expect((await server.agent.client.readFile(server.workspaceId, '/guides/page-3.md')).content).toBe(
      '# /guides/page-3.md\n',
    );

    await page.getByRole('button', { name: 'Remove remote…' }).click();
    await page.getByRole('button', { name: 'Remove remote', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'No remotes yet' })).toBeVisible();
    expect((await agent.client.readFile(remote.workspaceId, '/mine.md')).content).toBe('mine\n');
  } finally {
    await server.agent.dispose();
  }
});
