import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { goByKeys, keysTest, retype, tabTo } from './by-keys.ts';
import { expect, ownAgent, test } from './fixtures.ts';
import { look } from './look.ts';

const row = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name });

keysTest(
  'by keyboard alone a workspace is made, renamed, deleted and restored',
  async ({ page, agent, signIn }) => {
    await agent.mirror('notes');
    await signIn();
    await goByKeys(page, ',', 'settings');
    await expect(page.getByRole('heading', { name: 'Workspaces and mirrors' })).toBeVisible();
    await page.keyboard.press('n');
    await expect(page.getByRole('dialog', { name: 'New workspace' }).getByLabel('Name')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter a name.')).toBeVisible();
    await page.keyboard.type('drafts');
    await page.keyboard.press('Enter');
    await expect(row(page, 'drafts')).toContainText('No folder');
    await tabTo(page, page.getByRole('button', { name: 'More for drafts' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Rename drafts' }).getByLabel('Name')).toBeFocused();
    await retype(page, 'sketches');
    await page.keyboard.press('Enter');
    await expect(row(page, 'sketches')).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'More for sketches' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Delete workspace…' })).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete sketches?' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await tabTo(page, page.getByRole('button', { name: 'Restore sketches' }));
    await page.keyboard.press('Enter');
    await expect(row(page, 'sketches')).toBeVisible();
    expect((await agent.client.workspaces.list()).map(({ name }) => name).sort()).toEqual([
      'notes',
      'sketches',
    ]);
  },
);

test('a workspace of many files is deleted only after its number was typed; the folder keeps them', async ({
  page,
  agent,
  signIn,
}) => {
  const dir = agent.folder('crowd');
  for (let index = 0; index < 51; index += 1) writeFileSync(path.join(dir, `${index}.md`), 'x\n');
  await agent.mirror('crowd', dir);
  await signIn();
  await page.goto(`${agent.url}/#settings/workspaces`);
  await page.getByRole('button', { name: /^More for crowd/ }).click();
  await page.getByRole('menuitem', { name: 'Delete workspace…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete crowd?' });
  const confirm = dialog.getByRole('button', { name: 'Delete workspace' });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill('delete 51');
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Restore crowd' })).toBeVisible();
  expect(readFileSync(path.join(dir, '50.md'), 'utf8')).toBe('x\n');
});

test('a mirror is paused, resumed, removed with its files kept, and put back', async ({
  page,
  agent,
  signIn,
}) => {
  const dir = agent.folder('notes');
  writeFileSync(path.join(dir, 'a.md'), 'a\n');
  await agent.mirror('notes', dir);
  await signIn();
  await page.goto(`${agent.url}/#settings/workspaces`);
  await row(page, 'notes').getByRole('button', { name: 'Pause' }).click();
  await expect(row(page, 'notes')).toContainText('Paused');
  await row(page, 'notes').getByRole('button', { name: 'Resume' }).click();
  await expect(row(page, 'notes')).toContainText('Up to date');
  await page.getByRole('button', { name: /^More for notes/ }).click();
  await page.getByRole('menuitem', { name: 'Remove mirror…' }).click();
  await page.getByRole('button', { name: 'Remove mirror' }).click();
  await expect(row(page, 'notes')).toContainText('No folder');
  expect(readFileSync(path.join(dir, 'a.md'), 'utf8')).toBe('a\n');
  await page.getByRole('button', { name: 'More for notes' }).click();
  await page.getByRole('menuitem', { name: 'Mirror to a folder…' }).click();
  await page.getByRole('dialog').getByLabel('Folder').fill(dir);
  await page.keyboard.press('Enter');
  await expect(row(page, 'notes')).toContainText('Up to date');
});

test('ignore rules show their effect before they are saved', async ({ page, agent, signIn }) => {
  const { workspaceId, dir } = await agent.mirror('notes');
  for (const name of ['a.md', 'one.tmp', 'two.tmp']) writeFileSync(path.join(dir, name), `${name}\n`);
  await agent.settle();
  await signIn();
  await page.goto(`${agent.url}/#settings/workspaces`);
  await page.getByRole('button', { name: 'More for notes' }).click();
  await page.getByRole('menuitem', { name: 'Ignore rules…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ignore rules of notes' });
  const effect = dialog.getByRole('region', { name: 'Effect' });
  await expect(effect).toContainText('No effect on the 3 files');
  await dialog.getByLabel('Rules').fill('*.tmp\n');
  await expect(effect).toContainText('2 files will be ignored. They stay on both sides');
  await expect(effect.getByRole('listitem')).toHaveText([/one\.tmp/, /two\.tmp/]);
  await look(page, 'settings-rules');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog).toBeHidden();
  await agent.settle();
  expect(readFileSync(path.join(dir, '.mooringignore'), 'utf8')).toBe('*.tmp\n');
  writeFileSync(path.join(dir, 'one.tmp'), 'edited\n');
  await agent.settle();
  expect((await agent.client.readFile(workspaceId, '/one.tmp')).content).toBe('one.tmp\n');
  expect(readFileSync(path.join(dir, 'two.tmp'), 'utf8')).toBe('two.tmp\n');
});

test('the deletion limit of a mirror is changed, and the mirror halts above it', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId, dir } = await agent.mirror('notes');
  for (let file = 0; file < 20; file += 1) writeFileSync(path.join(dir, `f${file}`), `${file}`);
  await agent.settle();
  await signIn();
  await page.goto(`${agent.url}/#settings/workspaces`);
  await page.getByRole('button', { name: 'More for notes' }).click();
  await page.getByRole('menuitem', { name: 'Deletion limit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deletion limit of notes' });
  const field = dialog.getByLabel('Deletion limit per minute');
  await expect(field).toHaveValue('1000');
  await field.fill('none');
  await expect(dialog.getByRole('alert')).toHaveText('Enter a whole number from 1 to 1,000,000.');
  await field.fill('2');
  await look(page, 'settings-deletion-limit');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  expect((await agent.client.mirrors.list(workspaceId))[0]?.deletesPerMinuteMax).toBe(2);
  for (const file of ['f0', 'f1', 'f2']) rmSync(path.join(dir, file));
  await expect(row(page, 'notes')).toContainText('Halted');
});

test('single-letter shortcuts are switched off, also after a reload', async ({ page, agent, signIn }) => {
  await agent.mirror('notes');
  await signIn();
  await page.goto(`${agent.url}/#settings/app`);
  await expect(row(page, 'History retention')).toContainText('30 days');
  const group = page.getByRole('group', { name: 'Single-letter shortcuts' });
  await group.getByRole('button', { name: 'Off' }).click();
  await page.reload();
  await expect(group.getByRole('button', { name: 'Off' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('2');
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'App' })).toBeVisible();
});

test('a failed request shows its cause, and Details has the code and the correlation id', async ({
  page,
  agent,
  signIn,
}) => {
  await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  const correlationId = 'cor_of_the_answer';
  const body = { code: 'internal_error', message: 'the store did not answer', correlationId };
  await page.route('**/tokens', (route) => route.fulfill({ status: 500, json: body }));
  await page.goto(`${agent.url}/#settings/tokens`);
  const failure = page.locator('.error-block');
  await expect(failure).toContainText('Could not load the tokens. The store did not answer.');
  await failure.getByText('Details').focus();
  await page.keyboard.press('Enter');
  await expect(failure).toContainText('500 internal_error');
  await expect(failure).toContainText(correlationId);
  await look(page, 'settings-failed');
  await page.unroute('**/tokens');
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No tokens yet.')).toBeVisible();
});

// Needs an agent of its own: the pictures show the list of deleted workspaces.
test('Settings look right, also while offline', ownAgent, async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.mirror('product-docs');
  await agent.client.workspaces.create({ name: 'drafts' });
  const old = await agent.client.workspaces.create({ name: 'old-notes' });
  await agent.client.workspaces.remove(old.workspaceId);
  await agent.client.tokens.create(workspaceId, { agent: 'agent-docs', path: '/notion/**' });
  await agent.client.tokens.create(workspaceId, { agent: 'nightly', ttlSeconds: 40_000 });
  await agent.client.providers.add(workspaceId, { provider: 'github', kind: 'external' });
  await signIn();
  const open = async (section: string, sign: string): Promise<void> => {
    await page.goto(`${agent.url}/#settings/${section}`);
    await expect(page.getByText(sign).first()).toBeVisible();
    await look(page, `settings-${section}`);
  };
  await open('workspaces', 'old-notes');
  await open('tokens', 'nightly');
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Custom…' }).click();
  await look(page, 'settings-token-dialog');
  await page.keyboard.press('Escape');
  await open('providers', 'github');
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Send to URL' }).click();
  await look(page, 'settings-provider-dialog');
  await page.keyboard.press('Escape');
  await page.goto(`${agent.url}/#settings/api`);
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText(/^200 in \d+ ms$/)).toBeVisible();
  await open('api', 'Write a file');
  await open('app', 'History retention');
  await page.getByRole('button', { name: 'Show licences' }).click();
  await expect(page.getByRole('region', { name: 'Licences' })).toContainText('react-dom');
  await look(page, 'settings-licences');
  await page.keyboard.press('Escape');
  await open('diagnostics', 'inotify max_user_watches');
  await page.getByRole('button', { name: 'Create bundle…' }).click();
  await expect(page.getByRole('region', { name: 'Content of the bundle' })).toContainText('madeAt');
  await look(page, 'settings-bundle');
  await page.keyboard.press('Escape');
  await agent.kill();
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await look(page, 'settings-offline');
});
