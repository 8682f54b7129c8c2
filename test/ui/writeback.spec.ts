// Writeback with a real provider process and real operations, by mouse and by keyboard.
import { ProviderProcess, providerSecret } from '../support/provider-process.ts';
import { goByKeys } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

async function withProvider(agent: UiAgent, provider: ProviderProcess): Promise<string> {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  await agent.client.providers.add(workspaceId, {
    provider: 'linear',
    kind: 'http',
    url: provider.url,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  await agent.client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  return workspaceId;
}

const put = async (agent: UiAgent, workspaceId: string, file: string, content: string): Promise<string> =>
  (await agent.client.writeFile(workspaceId, file, content)).opId;

test('without a provider Writeback explains how to add one', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  await goByKeys(page, 'w', 'writeback');
  await expect(page.getByRole('heading', { name: 'No operations' })).toBeVisible();
  await expect(page.getByText(`mooring provider add github --workspace ${workspaceId}`)).toBeVisible();
});

test('shortcuts act immediately after the first paint', async ({ page, agent, signIn }) => {
  await agent.client.workspaces.create({ name: 'notes' });
  // In the task that adds the navigation to the page, the earliest possible time.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('nav[aria-label="Main"]') === null) return;
      watch.disconnect();
      for (const key of ['g', 'w']) {
        document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      }
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await signIn();
  await expect(page.getByRole('heading', { name: 'No operations' })).toBeVisible();
});

test('a dead-lettered operation shows its cause and a retry preview, and R retries it', async ({
  page,
  agent,
  signIn,
}) => {
  const provider = await ProviderProcess.start();
  try {
    const workspaceId = await withProvider(agent, provider);
    await put(agent, workspaceId, '/linear/ENG-1.json', '{\n  "title": "one"\n}\n');
    await expect.poll(() => provider.taken.length).toBe(1);
    await provider.tell({ behaviour: { kind: 'status', status: 422, body: 'state is not known' } });
    const opId = await put(agent, workspaceId, '/linear/ENG-1.json', '{\n  "title": "two"\n}\n');
    await signIn();
    await goByKeys(page, 'w', 'writeback');
    await expect(page.getByRole('link', { name: 'Writeback , 1 pending' })).toBeVisible();
    await expect(page.getByRole('row', { name: /ENG-1.json Dead-lettered/ })).toBeVisible();
    await page.keyboard.press('j');
    await expect(page).toHaveURL(new RegExp(`#writeback/${opId}`));
    const detail = page.getByRole('region', { name: 'Operation', exact: true });
    await expect(detail.getByText('Cause', { exact: true })).toBeVisible();
    await expect(detail.locator('.diff-line.removed')).toContainText('"title": "one"');
    await expect(detail.locator('.diff-line.added')).toContainText('"title": "two"');
    await detail.getByRole('button', { name: 'Whole file' }).click();
    await expect(detail.locator('pre')).toContainText('"title": "two"');
    await detail.getByRole('button', { name: 'Request' }).click();
    await expect(detail.locator('pre')).toContainText(`POST ${provider.url}`);
    await page.reload();
    await expect(detail.locator('pre')).toContainText(`POST ${provider.url}`);
    await provider.tell({ behaviour: { kind: 'take' } });
    await page.keyboard.press('r');
    await expect(detail.getByText('Succeeded')).toBeVisible();
    expect(provider.taken.at(-1)).toContain('"title": "two"');
    await page.getByRole('button', { name: /^Done today/ }).click();
    await expect(page.getByRole('row', { name: /ENG-1.json Succeeded/ })).toHaveCount(2);
  } finally {
    await provider.end();
  }
});

test('sending to a provider is paused and resumed in its row', async ({ page, agent, signIn }) => {
  const provider = await ProviderProcess.start();
  try {
    const workspaceId = await withProvider(agent, provider);
    await signIn();
    await page.goto(`${agent.url}/#writeback?workspace=${workspaceId}`);
    await page.getByRole('button', { name: 'Pause sending to linear' }).click();
    const line = page.getByRole('row', { name: /^linear/ });
    await expect(line).toContainText('Paused');
    await put(agent, workspaceId, '/linear/ENG-2.json', '{}\n');
    await expect(page.getByRole('row', { name: /ENG-2.json Pending/ })).toBeVisible();
    await expect(line).toContainText('1 pending');
    await page.getByRole('button', { name: 'Resume sending to linear' }).focus();
    await page.keyboard.press('Enter');
    await expect(line).toContainText('Healthy');
    await expect.poll(() => provider.taken.length).toBe(1);
    await expect(page.getByRole('row', { name: /ENG-2.json/ })).toBeHidden();
  } finally {
    await provider.end();
  }
});

test('operations are marked as sent with an external id, marked as failed with a cause, and canceled', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  await agent.client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  const sent = await put(agent, workspaceId, '/notion/a.md', 'a\n');
  const failed = await put(agent, workspaceId, '/notion/b.md', 'b\n');
  const held = await put(agent, workspaceId, '/notion/c.md', 'c\n');
  const operation = async (opId: string) => await agent.client.operations.get(workspaceId, opId);
  await signIn();
  await page.goto(`${agent.url}/#writeback?workspace=${workspaceId}`);
  await expect(page.getByRole('row', { name: /a.md/ })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('row', { name: /a.md/, selected: true })).toBeFocused();
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Mark sent' }).getByLabel('External id').fill('page-7');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect((await operation(sent)).providerResult).toMatchObject({ externalId: 'page-7' });
  // The rows below move up when it leaves the list: a click in that moment would hit none.
  await expect(page.getByRole('row', { name: /a.md/ })).toBeHidden();

  await page.getByRole('row', { name: /b.md/ }).click();
  await page.getByRole('button', { name: 'Mark failed…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark failed' });
  await expect(dialog.getByRole('button', { name: 'Mark failed' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Cause').fill('The page is locked');
  await dialog.getByRole('button', { name: 'Mark failed' }).click();
  await expect(page.getByRole('region', { name: 'Operation', exact: true })).toContainText(
    'The page is locked',
  );
  expect(await operation(failed)).toMatchObject({ status: 'dead_lettered', lastError: 'The page is locked' });

  await page.getByRole('row', { name: /c.md/ }).click();
  await page.getByRole('button', { name: 'Cancel operation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel operation' }).click();
  // Rows behind a dialog are hidden as well.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('row', { name: /c.md/ })).toBeHidden();
  await expect.poll(async () => (await operation(held)).status).toBe('canceled');
  await page.getByRole('button', { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/filter=failed/);
  await expect(page.getByRole('row', { name: /b.md/ })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like it');
  await expect(page.getByText('No operations match')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('row', { name: /b.md/ })).toBeVisible();
});

test('many failed operations are retried after a confirmation with their number', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  await agent.client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  for (const name of ['a', 'b', 'c']) {
    const opId = await put(agent, workspaceId, `/notion/${name}.md`, `${name}\n`);
    await agent.client.writeback.acknowledge(workspaceId, opId, { success: false, error: 'no' });
  }
  await signIn();
  await page.goto(`${agent.url}/#writeback?workspace=${workspaceId}`);
  await page.getByRole('button', { name: 'Retry 3 failed…' }).click();
  await page
    .getByRole('dialog', { name: 'Retry 3 failed operations?' })
    .getByRole('button', { name: 'Retry 3' })
    .click();
  await expect(page.getByRole('row', { name: /Pending/ })).toHaveCount(3);
});

test('X selects several operations: shortcuts and bulk actions apply to them', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  await agent.client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  const opIds: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    opIds.push(await put(agent, workspaceId, `/notion/${name}.md`, `${name}\n`));
  }
  await agent.client.writeback.acknowledge(workspaceId, opIds[0] ?? '', { success: false, error: 'no' });
  const statuses = async (): Promise<readonly string[]> =>
    await Promise.all(
      opIds.map(async (opId) => (await agent.client.operations.get(workspaceId, opId)).status),
    );
  await signIn();
  await page.goto(`${agent.url}/#writeback?workspace=${workspaceId}`);
  await expect(page.getByRole('row', { name: /a.md Dead-lettered/ })).toBeVisible();
  const bar = page.getByRole('region', { name: 'Selection' });
  for (const name of ['a.md', 'c.md', 'd.md']) {
    const row = page.getByRole('row', { name: new RegExp(name) });
    await row.click();
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('x');
    await expect(row.getByRole('checkbox')).toBeChecked();
  }
  await expect(bar).toContainText('3 selected');
  await page.keyboard.press('r');
  await page
    .getByRole('dialog', { name: 'Retry 1 failed operation?' })
    .getByRole('button', { name: 'Close' })
    .click();
  await bar.getByRole('button', { name: 'Cancel 2…' }).click();
  await page
    .getByRole('dialog', { name: 'Cancel 2 operations?' })
    .getByRole('button', { name: 'Cancel 2 operations' })
    .click();
  await expect(bar).toBeHidden();
  await expect.poll(statuses).toEqual(['dead_lettered', 'pending', 'canceled', 'canceled']);
  await page.getByRole('row', { name: /a.md/ }).click();
  await page.keyboard.press('Control+a');
  await expect(bar).toContainText('2 selected');
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog', { name: 'Retry 1 failed operation?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
});

test('a retrying operation is sent immediately on request', async ({ page, agent, signIn }) => {
  const provider = await ProviderProcess.start();
  try {
    const workspaceId = await withProvider(agent, provider);
    await provider.tell({ behaviour: { kind: 'status', status: 429, retryAfter: '3000' } });
    const opId = await put(agent, workspaceId, '/linear/a.md', 'a\n');
    await expect
      .poll(async () => (await agent.client.operations.get(workspaceId, opId)).nextAttemptAt ?? null)
      .not.toBeNull();
    await provider.tell({ behaviour: { kind: 'take' } });
    await signIn();
    await page.goto(`${agent.url}/#writeback/${opId}?workspace=${workspaceId}`);
    await page.getByRole('button', { name: 'Retry now' }).click();
    await expect
      .poll(async () => (await agent.client.operations.get(workspaceId, opId)).status)
      .toBe('succeeded');
    expect(provider.taken).toEqual(['/linear/a.md a\n']);
  } finally {
    await provider.end();
  }
});

test('Writeback and the providers of Overview look right', async ({ page, agent, signIn }) => {
  const provider = await ProviderProcess.start();
  try {
    const workspaceId = await withProvider(agent, provider);
    const issue = (state: string): string =>
      `{\n  "id": "ENG-482",\n  "title": "Upload stalls at 99 %",\n  "state": "${state}",\n  "labels": ["upload"]\n}\n`;
    await put(agent, workspaceId, '/linear/issues/ENG-482.json', issue('todo'));
    await expect.poll(() => provider.taken.length).toBe(1);
    await provider.tell({ behaviour: { kind: 'status', status: 422, body: 'state is not known' } });
    const opId = await put(agent, workspaceId, '/linear/issues/ENG-482.json', issue('in_progress'));
    await expect
      .poll(async () => (await agent.client.operations.get(workspaceId, opId)).status)
      .toBe('dead_lettered');
    await provider.tell({ behaviour: { kind: 'status', status: 429, retryAfter: '40' } });
    await put(agent, workspaceId, '/linear/issues/ENG-491.json', '{}\n');
    await put(agent, workspaceId, '/notion/pages/pricing.md', '# Pricing\n');
    await put(agent, workspaceId, '/notion/pages/onboarding-guide.md', '# Guide\n');
    await signIn();
    await page.goto(`${agent.url}/#writeback/${opId}?workspace=${workspaceId}`);
    await expect(page.locator('.diff-line.added')).toBeVisible();
    await look(page, 'writeback');
    await page.keyboard.press('Control+a');
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('4 selected');
    await look(page, 'writeback-selected');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden();
    await page.getByRole('row', { name: /pricing/ }).click();
    await page.getByRole('button', { name: 'Mark failed…' }).click();
    await look(page, 'writeback-mark-failed');
    await page.keyboard.press('Escape');
    await page.goto(`${agent.url}/#overview`);
    await expect(page.getByRole('region', { name: 'Data flow' })).toContainText('linear');
    await look(page, 'overview-providers');
  } finally {
    await provider.end();
  }
});
