// Operations: what happened to one change, why it stopped, and sending it again, by click and by keyboard.
import type { Page } from '@playwright/test';
import { ProviderProcess, providerSecret } from '../support/provider-process.ts';
import { dataRows } from './data-rows.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

/** A workspace with one operation that a provider took, one that it refused for good, and one that waits. */
async function withOperations(
  agent: UiAgent,
  provider: ProviderProcess,
): Promise<{ workspaceId: string; refused: string; waiting: string }> {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  const http = { kind: 'http', url: provider.url, secret: providerSecret, allowPlainHttp: true } as const;
  await agent.client.providers.add(workspaceId, { provider: 'slack', ...http, allowPrivateAddresses: true });
  await agent.client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  const put = async (file: string, content: string): Promise<string> =>
    (await agent.client.writeFile(workspaceId, file, content, { contentType: 'text/markdown' })).opId;
  const reach = async (opId: string, status: string): Promise<void> =>
    await expect
      .poll(async () => (await agent.client.operations.get(workspaceId, opId)).status, { timeout: 30_000 })
      .toBe(status);
  await reach(await put('/slack/channels/releases.md', '1.9.1 is rolling out\n'), 'succeeded');
  await provider.tell({ behaviour: { kind: 'status', status: 422 } });
  const refused = await put('/slack/channels/releases.md', '1.9.2 is out\n');
  await reach(refused, 'dead_lettered');
  const waiting = await put('/notion/pages/faq.md', '# FAQ\n');
  return { workspaceId, refused, waiting };
}

async function openOperations(page: Page, agent: UiAgent, workspaceId: string, rest = ''): Promise<void> {
  await page.goto(`${agent.url}/#operations${rest}?workspace=${workspaceId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Operations');
}

test('an empty workspace says what makes an operation', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  await openOperations(page, agent, workspaceId);
  await expect(page.getByRole('heading', { name: 'No operations of providers' })).toBeVisible();
  await page.getByRole('button', { name: 'Show plain saves' }).click();
  await expect(page.getByRole('heading', { name: 'No operations yet' })).toBeVisible();
});

test('a dead-lettered operation says why, shows what a replay sends, and goes out with R', async ({
  page,
  agent,
  signIn,
}) => {
  const provider = await ProviderProcess.start();
  try {
    const { workspaceId, refused } = await withOperations(agent, provider);
    await signIn();
    await openOperations(page, agent, workspaceId);
    await expect(dataRows(page)).toHaveCount(3);
    await page.getByRole('button', { name: /^Dead-lettered/ }).click();
    await expect(dataRows(page)).toHaveCount(1);
    await page.keyboard.press('j');
    await expect(page).toHaveURL(new RegExp(`#operations/${refused}\\?.*state=dead_lettered`));
    const what = page.getByRole('region', { name: 'Operation details' });
    await expect(what).toContainText('No automatic retry after 1 failed attempt.');
    await expect(what.getByRole('listitem').filter({ hasText: 'Attempt 1: 422' })).toBeVisible();
    await expect(what.getByRole('button', { name: 'Send current file' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(what).toContainText('1.9.2 is out');
    await what.getByRole('button', { name: 'Send original revision' }).click();
    await expect(what).toContainText('1.9.1 is rolling out');
    const taken = provider.taken.length;
    await page.keyboard.press('t');
    const sandbox = page.getByRole('dialog', { name: `Sandbox: ${refused}` });
    await expect(sandbox).toContainText(
      /Would change \/slack\/channels\/releases\.md at slack: rev_\d+, \d+ B, POST http/,
    );
    await look(page, 'operations-sandbox');
    await sandbox.getByRole('button', { name: 'Current file' }).click();
    await sandbox.getByRole('button', { name: 'Request' }).click();
    await expect(sandbox.getByRole('region', { name: 'Request' })).toContainText('1.9.2 is out');
    await look(page, 'operations-sandbox-request');
    await page.keyboard.press('Escape');
    expect(provider.taken).toHaveLength(taken);
    expect((await agent.client.operations.get(workspaceId, refused)).status).toBe('dead_lettered');
    await provider.tell({ behaviour: { kind: 'take' } });
    await page.keyboard.press('r');
    await expect(what.getByRole('listitem').filter({ hasText: 'Succeeded' })).toBeVisible();
    await expect(page.getByText('No operations match')).toBeVisible();
    expect(provider.taken.at(-1)).toContain('1.9.2 is out');
  } finally {
    await provider.end();
  }
});

test('all dead-lettered ones are replayed after a question with their number', async ({
  page,
  agent,
  signIn,
}) => {
  const provider = await ProviderProcess.start();
  try {
    const { workspaceId, refused } = await withOperations(agent, provider);
    await provider.tell({ behaviour: { kind: 'take' } });
    await signIn();
    await openOperations(page, agent, workspaceId);
    await page.getByRole('button', { name: 'Replay 1 dead-lettered…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay 1 dead-lettered operation?' });
    await dialog.getByRole('button', { name: 'Replay 1' }).click();
    await expect
      .poll(async () => (await agent.client.operations.get(workspaceId, refused)).status)
      .toBe('succeeded');
    await expect(page.getByRole('button', { name: /dead-lettered…/ })).toBeHidden();
  } finally {
    await provider.end();
  }
});

test('with X several are chosen, and R replays those of them that are dead-lettered', async ({
  page,
  agent,
  signIn,
}) => {
  const provider = await ProviderProcess.start();
  try {
    const { workspaceId, refused } = await withOperations(agent, provider);
    await provider.tell({ behaviour: { kind: 'take' } });
    await signIn();
    await openOperations(page, agent, workspaceId);
    const rows = dataRows(page);
    await expect(rows).toHaveCount(3);
    for (const at of [0, 1]) {
      await page.keyboard.press('j');
      await expect(rows.nth(at)).toHaveAttribute('aria-selected', 'true');
      await page.keyboard.press('x');
      await expect(rows.nth(at).getByRole('checkbox')).toBeChecked();
    }
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect(bar).toContainText('2 selected');
    await look(page, 'operations-selected');
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Replay 1 dead-lettered operation?' });
    await dialog.getByRole('button', { name: 'Replay 1' }).click();
    await expect(bar).toBeHidden();
    await expect
      .poll(async () => (await agent.client.operations.get(workspaceId, refused)).status)
      .toBe('succeeded');
  } finally {
    await provider.end();
  }
});

test('what waits can be canceled, what is done cannot be replayed, and both say so', async ({
  page,
  agent,
  signIn,
}) => {
  const provider = await ProviderProcess.start();
  try {
    const { workspaceId, waiting } = await withOperations(agent, provider);
    await signIn();
    await openOperations(page, agent, workspaceId, `/${waiting}`);
    const replay = page.getByRole('button', { name: 'Replay', exact: true });
    await expect(replay).toHaveAttribute('title', /Only a dead-lettered operation can be replayed/);
    await page.getByRole('button', { name: 'Cancel operation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this operation?' });
    await expect(dialog.getByRole('button', { name: 'Cancel', exact: true })).toBeFocused();
    await dialog.getByRole('button', { name: 'Cancel operation' }).click();
    await expect(page.getByRole('region', { name: 'Operation details' })).toContainText('Canceled');
    expect((await agent.client.operations.get(workspaceId, waiting)).status).toBe('canceled');
  } finally {
    await provider.end();
  }
});

test('operations look right', async ({ page, agent, signIn }) => {
  const provider = await ProviderProcess.start();
  try {
    const { workspaceId, refused } = await withOperations(agent, provider);
    await signIn();
    await agent.client.writeFile(workspaceId, '/notes/plain.md', 'no provider needs it\n');
    await openOperations(page, agent, workspaceId, `/${refused}`);
    await expect(page.getByText('Compared with the provider’s copy')).toBeVisible();
    await expect(dataRows(page)).toHaveCount(3);
    await look(page, 'operations');
    await expect(page.getByText('1 plain save hidden')).toBeVisible();
    await page.getByRole('button', { name: 'Show plain saves' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'plain.md' })).toBeVisible();
    await page.getByRole('button', { name: 'Hide plain saves' }).click();
    await expect(dataRows(page)).toHaveCount(3);
  } finally {
    await provider.end();
  }
});
