// The main job of each screen without a pointer: keys that are pressed, and what the page then shows. Nothing is focused for the
// page and no field is filled for it. First run and Settings, Workspaces: in their own files.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ProviderProcess, providerSecret } from '../support/provider-process.ts';
import { goByKeys, retype, tabTo, keysTest as test } from './by-keys.ts';
import { dataRows } from './data-rows.ts';
import { expect } from './fixtures.ts';

test('from the skip link to a card: paused, resumed by its first button, a token begun, its files opened', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.mirror('notes');
  await agent.client.writeFile(workspaceId, '/a.md', 'a\n');
  await signIn();
  const upToDate = page.getByRole('article', { name: 'notes: Up to date' });
  await expect(upToDate).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('1');
  await expect(upToDate).toBeFocused();
  await page.keyboard.press('p');
  await expect(page.getByRole('article', { name: 'notes: Paused' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(upToDate).toBeFocused();

  // What is typed into a dialog of the card is not meant for the card.
  const more = page.getByRole('button', { name: 'More for notes' });
  await tabTo(page, more);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Create an access token…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Access token for notes' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('pipeline-p');
  await expect(dialog.getByLabel('Name')).toHaveValue('pipeline-p');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await agent.settle();
  expect((await agent.client.mirrors.list(workspaceId)).map(({ state }) => state)).toEqual(['idle']);

  await tabTo(page, upToDate.getByRole('link', { name: 'notes' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Files in /' })).toContainText('a.md');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Activity');
  await expect(page.getByRole('option').first()).toContainText('Activity');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#activity/);
});

test('while single letters are off, P leaves a mirror alone', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.mirror('notes');
  // A browser without windows has nobody to ask.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => localStorage.setItem('mooring.single-keys', 'off'));
  await signIn();
  const card = page.getByRole('article', { name: 'notes: Up to date' });
  await tabTo(page, card);
  await page.keyboard.press('p');
  // What Enter did comes after what P would have done.
  await tabTo(page, card.getByRole('button', { name: 'More for notes' }));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Copy the path of the folder' }).press('Enter');
  await expect(page.getByText(/copied/i).first()).toBeAttached();
  await agent.settle();
  expect((await agent.client.mirrors.list(workspaceId)).map(({ state }) => state)).toEqual(['idle']);
});

test('a file is found in the tree, edited, saved, and restored from its history', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId, dir } = await agent.mirror('notes');
  await agent.client.writeFile(workspaceId, '/docs/plan.md', 'one\n');
  const inFolder = (): string => readFileSync(path.join(dir, 'docs/plan.md'), 'utf8');
  await agent.settle();
  await signIn();
  await goByKeys(page, 'f', 'files');
  const docs = page.getByRole('treeitem', { name: 'docs' });
  await tabTo(page, page.locator('[role=tree] [tabindex="0"]'));
  await page.keyboard.press('ArrowDown');
  await expect(docs).toBeFocused();
  await tabTo(page, page.getByRole('row').filter({ hasText: 'plan.md' }));
  await page.keyboard.press('j');
  const content = page.getByRole('region', { name: 'Content of plan.md' });
  await expect(content).toContainText('one');
  await page.keyboard.press('e');
  await expect(page.getByRole('textbox', { name: 'Text of plan.md' })).toBeFocused();
  await retype(page, 'two\n');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/^Saved as rev_\d+$/)).toBeVisible();
  await expect.poll(inFolder).toBe('two\n');
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  await expect(page.getByText('removed: one')).toBeVisible();
  await page.keyboard.press('[');
  await expect(page.getByText('added: one')).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('status').filter({ hasText: 'restored.' })).toBeVisible();
  await expect.poll(inFolder).toBe('one\n');
});

test('a conflict is resolved and undone; a dead letter is edited and replayed, another dismissed', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId, dir } = await agent.mirror('notes');
  const { client } = agent;
  writeFileSync(path.join(dir, 'both.md'), 'base\n');
  await agent.settle();
  const [mirror] = await client.mirrors.list(workspaceId);
  await client.mirrors.pause(workspaceId, mirror?.mirrorId ?? '');
  writeFileSync(path.join(dir, 'both.md'), 'local\n');
  await client.writeFile(workspaceId, '/both.md', 'remote\n');
  await client.mirrors.resume(workspaceId, mirror?.mirrorId ?? '');
  await expect.poll(async () => (await client.conflicts.list(workspaceId)).length).toBe(1);
  for (const name of ['first', 'second']) {
    const event = { provider: 'slack', event_type: 'file.updated', path: `/slack/../${name}.md` };
    await client.sync.ingestWebhook(workspaceId, { ...event, data: { content: 'x\n' } });
  }
  const countDeadLetters = async (): Promise<number> =>
    (await client.sync.deadLetters.list(workspaceId)).items.length;
  await expect.poll(countDeadLetters).toBe(2);
  const rows = dataRows(page);
  const toast = page.getByRole('region', { name: 'Last action' });

  await signIn();
  await goByKeys(page, 'c', 'conflicts');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('j');
  await expect(page.getByRole('region', { name: 'Both versions' })).toContainText('remote');
  await page.keyboard.press('2');
  await expect(toast).toContainText('Kept remote');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rows).toHaveCount(1);
  expect(await client.conflicts.list(workspaceId)).toHaveLength(1);
  await page.keyboard.press('j');
  await expect(page.getByRole('region', { name: 'Both versions' })).toContainText('local');
  await page.keyboard.press('1');
  await tabTo(page, toast.getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await client.readFile(workspaceId, '/both.md')).content).toBe('local\n');

  await goByKeys(page, 'd', 'dead-letters');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(page.getByRole('status').filter({ hasText: 'would fail again' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Payload to replay, as JSON')).toBeFocused();
  // In a field Ctrl+A and Ctrl+Z apply to its text.
  await retype(page, 'no JSON');
  await expect(page.getByText('Not valid JSON')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('status').filter({ hasText: 'would fail again' })).toBeVisible();
  await retype(
    page,
    '{"event_type":"file.updated","path":"/slack/channels/edited.md","data":{"content":"edited\\n"}}',
  );
  await expect(page.getByText('Would create /slack/channels/edited.md')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect.poll(countDeadLetters).toBe(1);
  // A replayed dead letter leaves the list before it is applied.
  const editedContent = async () =>
    (await client.readFile(workspaceId, '/slack/channels/edited.md').catch(() => null))?.content;
  await expect.poll(editedContent).toBe('edited\n');
  await expect(rows).toHaveCount(1);
  // Out of the field, then to the list.
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(rows).toHaveCount(0);
  await tabTo(page, toast.getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await expect.poll(countDeadLetters).toBe(0);
});

test('an item is sent at once, another marked sent; a failed operation is found by its state and replayed', async ({
  page,
  agent,
  signIn,
}) => {
  const provider = await ProviderProcess.start();
  try {
    const { client } = agent;
    const { workspaceId } = await client.workspaces.create({ name: 'notes' });
    const http = { kind: 'http', url: provider.url, secret: providerSecret, allowPlainHttp: true } as const;
    await client.providers.add(workspaceId, { provider: 'linear', ...http, allowPrivateAddresses: true });
    await client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
    const put = async (file: string): Promise<string> =>
      (await client.writeFile(workspaceId, file, `${file}\n`)).opId;
    const statusOf = async (opId: string): Promise<string> =>
      (await client.operations.get(workspaceId, opId)).status;
    await provider.tell({ behaviour: { kind: 'status', status: 422 } });
    const failed = await put('/linear/failed.md');
    await expect.poll(() => statusOf(failed)).toBe('dead_lettered');
    await provider.tell({ behaviour: { kind: 'status', status: 429, retryAfter: '3000' } });
    const retried = await put('/linear/retried.md');
    await expect
      .poll(async () => (await client.operations.get(workspaceId, retried)).nextAttemptAt ?? null)
      .not.toBeNull();
    await provider.tell({ behaviour: { kind: 'take' } });
    const byHand = await put('/notion/by-hand.md');

    await signIn();
    await goByKeys(page, 'w', 'writeback');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    /** Down the list to the row of a file, which is opened by that. */
    const openRow = async (name: string): Promise<void> => {
      await expect(row(name)).toBeVisible();
      await expect(async () => {
        await page.keyboard.press('j');
        await expect(row(name)).toBeFocused({ timeout: 500 });
      }).toPass();
    };
    await openRow('retried.md');
    await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
    await page.keyboard.press('r');
    await expect.poll(() => statusOf(retried)).toBe('succeeded');
    await page.keyboard.press('Escape');
    await openRow('by-hand.md');
    await page.keyboard.press('a');
    await expect(page.getByRole('dialog', { name: 'Mark sent' }).getByRole('textbox')).toBeFocused();
    await page.keyboard.type('page-7');
    await page.keyboard.press('Enter');
    await expect.poll(() => statusOf(byHand)).toBe('succeeded');
    await expect(page.getByRole('dialog')).toBeHidden();

    await goByKeys(page, 'p', 'operations');
    await tabTo(page, page.getByRole('group', { name: 'State' }).getByRole('button', { name: /^Dead-let/ }));
    await page.keyboard.press('Enter');
    await expect(dataRows(page)).toHaveCount(1);
    // Enter may come before there is anything to enter: the focus follows when it was read.
    const read = Promise.withResolvers<void>();
    await page.route(`**/ops/${failed}**`, async (route) => {
      await read.promise;
      await route.continue();
    });
    await page.keyboard.press('j');
    await expect(dataRows(page)).toBeFocused();
    await page.keyboard.press('Enter');
    read.resolve();
    await expect(page.getByRole('region', { name: 'Operation details' })).toBeFocused();
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('r');
    await expect.poll(() => statusOf(failed)).toBe('succeeded');
  } finally {
    await provider.end();
  }
});

test('the feed is paused and filtered by kind and by text', async ({ page, agent, signIn }) => {
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'notes' });
  await client.writeFile(workspaceId, '/a.md', 'a\n');
  await signIn();
  await goByKeys(page, 'a', 'activity');
  const rows = dataRows(page.getByRole('grid'));
  const files = rows.filter({ hasText: /File created/ });
  await expect(files).toHaveCount(1);
  await page.keyboard.press('p');
  await client.writeFile(workspaceId, '/b.md', 'b\n');
  await expect(page.getByRole('button', { name: 'Resume (1 new)' })).toBeVisible();
  await page.keyboard.press('p');
  await expect(files).toHaveCount(2);
  await page.keyboard.press('/');
  await page.keyboard.type('a.md');
  await expect(files).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(files).toHaveCount(2);
  await tabTo(
    page,
    page.getByRole('group', { name: 'Kind' }).getByRole('button', { name: 'Writeback' }),
    'Shift+Tab',
  );
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Show all' }));
  await page.keyboard.press('Enter');
  await expect(files).toHaveCount(2);
});
