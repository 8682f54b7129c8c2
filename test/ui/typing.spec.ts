// What is typed into something that is open is text: no key of the page behind it acts, and nothing is sent. What is shown only
// once is not closed by accident.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { dataRows } from './data-rows.ts';
import { expect, test } from './fixtures.ts';
import type { UiAgent } from './ui-agent.ts';

/** A key of some screen each: they save, keep, replay, select, acknowledge, open, leave. */
const letters = 'mx?123raenpcdhtgo';
/** Asked by POST, and change nothing. */
const readings = /\/(preview|bulk-read|path-states|query|clients)$/;

/** Every request that may change something, as the agent gets it. */
function changesOf(page: Page): readonly string[] {
  const changes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/"dryRun":true/.test(request.postData() ?? '')) return;
    if (request.method() !== 'GET' && !readings.test(pathname))
      changes.push(`${request.method()} ${pathname}`);
  });
  return changes;
}

/** Types into what has the focus and expects that it is text and nothing else. */
async function typeText(page: Page, field: Locator): Promise<void> {
  await expect(field).toBeFocused();
  const address = page.url();
  await page.keyboard.type(letters);
  await expect(field).toHaveValue(new RegExp(letters.replace('?', '\\?')));
  await expect(page.getByRole('region', { name: 'Last action' })).toBeHidden();
  expect(page.url()).toBe(address);
}

/** Presses the same keys where no field has the focus. */
async function pressLetters(page: Page): Promise<void> {
  const address = page.url();
  const dialogs = await page.getByRole('dialog').count();
  for (const letter of letters) await page.keyboard.press(letter);
  await expect(page.getByRole('region', { name: 'Last action' })).toBeHidden();
  await expect(page.getByRole('dialog')).toHaveCount(dialogs);
  expect(page.url()).toBe(address);
}

async function withConflict(agent: UiAgent): Promise<string> {
  const { workspaceId, dir } = await agent.mirror('notes');
  writeFileSync(path.join(dir, 'plan.md'), 'one\ntwo\n');
  await agent.settle();
  const [mirror] = await agent.client.mirrors.list(workspaceId);
  await agent.client.mirrors.pause(workspaceId, mirror?.mirrorId ?? '');
  writeFileSync(path.join(dir, 'plan.md'), 'one\nlocal\n');
  await agent.client.writeFile(workspaceId, '/plan.md', 'one\nremote\n');
  await agent.client.mirrors.resume(workspaceId, mirror?.mirrorId ?? '');
  await expect.poll(async () => (await agent.client.conflicts.list(workspaceId)).length).toBe(1);
  return workspaceId;
}

test('a merge that is typed is text until its field is closed; then M saves what was typed', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withConflict(agent);
  await signIn();
  await page.goto(`${agent.url}/#conflicts?workspace=${workspaceId}`);
  await page.getByRole('row').filter({ hasText: 'plan.md' }).click();
  const changes = changesOf(page);
  const type = page.getByRole('button', { name: 'Type…' });
  await type.click();
  const field = page.getByRole('textbox', { name: /^Text of/ });
  await page.keyboard.press('ControlOrMeta+a');
  await typeText(page, field);

  // Open is open, wherever the focus is: on a button, on the list.
  await type.focus();
  await pressLetters(page);
  await page.getByRole('row').filter({ hasText: 'plan.md' }).focus();
  await pressLetters(page);
  expect(changes).toEqual([]);

  await field.focus();
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(type).toBeFocused();
  await expect(page.getByRole('region', { name: 'Merge' })).toContainText(letters);
  await page.keyboard.press('m');
  const toast = page.getByRole('region', { name: 'Last action' });
  await expect(toast).toContainText('plan.md');
  // The keys of text and of the page are not mixed up by a dialog either: Control Z is not for what lies behind it.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await toast.getByRole('button', { name: 'Close' }).click();
  await expect
    .poll(async () => (await agent.client.readFile(workspaceId, '/plan.md')).content)
    .toBe(`one\n${letters}`);
});

test('a payload and a file that are edited take the letters, wherever the focus is', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  const { client } = agent;
  await client.sync.ingestWebhook(workspaceId, {
    provider: 'slack',
    event_type: 'file.updated',
    path: '/slack/../a.md',
    data: { content: 'x\n' },
  });
  await client.writeFile(workspaceId, '/a.md', 'one\n');
  await expect.poll(async () => (await client.sync.deadLetters.list(workspaceId)).items.length).toBe(1);
  await signIn();
  await page.goto(`${agent.url}/#dead-letters?workspace=${workspaceId}`);
  await dataRows(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'would fail again' })).toBeVisible();
  const changes = changesOf(page);
  await page.keyboard.press('e');
  const payload = page.getByLabel('Payload to replay, as JSON');
  await page.keyboard.press('End');
  await typeText(page, payload);
  await dataRows(page).focus();
  await pressLetters(page);
  await payload.focus();
  await page.keyboard.press('Escape');
  // What was typed stays, closed; the focus is back where E was pressed.
  await expect(payload).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Payload' })).toContainText(letters);
  await expect(dataRows(page)).toBeFocused();
  await page.keyboard.press('e');
  await expect(payload).toBeFocused();
  await expect(payload).toHaveValue(new RegExp(letters.replace('?', '\\?')));

  await page.goto(`${agent.url}/#files/a.md?workspace=${workspaceId}`);
  await expect(page.getByRole('region', { name: 'Content of a.md' })).toBeVisible();
  await page.keyboard.press('e');
  await typeText(page, page.getByRole('textbox', { name: 'Text of a.md' }));
  await page.getByRole('button', { name: 'Show changes' }).focus();
  await pressLetters(page);
  await page.getByRole('row').filter({ hasText: 'a.md' }).focus();
  await pressLetters(page);
  expect(changes).toEqual([]);
});

test('each dialog, menu and finder takes the letters; its field has the focus, which goes back', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.mirror('notes');
  const { client } = agent;
  await client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  const { opId } = await client.writeFile(workspaceId, '/notion/a.md', 'one\n');
  await client.writeFile(workspaceId, '/a.md', 'one\n');
  await client.sync.ingestWebhook(workspaceId, {
    provider: 'slack',
    event_type: 'file.updated',
    path: '/slack/../a.md',
  });
  await signIn();
  const changes = changesOf(page);
  /** Something that opens with a key, at an address; `field`: what has the focus then. */
  const opened: readonly { at: string; key: string; field: boolean; ready: Locator }[] = [
    { at: 'overview', key: 'n', field: true, ready: page.getByRole('article') },
    { at: 'overview', key: 'Control+k', field: true, ready: page.getByRole('article') },
    { at: 'overview', key: '?', field: false, ready: page.getByRole('article') },
    { at: 'settings/workspaces', key: 'n', field: true, ready: page.getByText('notes').first() },
    { at: 'settings/tokens', key: 'n', field: true, ready: page.getByText('No tokens yet.') },
    { at: 'settings/providers', key: 'n', field: true, ready: page.getByText('notion').first() },
    {
      at: `writeback/${opId}?workspace=${workspaceId}`,
      key: 'a',
      field: true,
      ready: page.getByRole('button', { name: /^Mark sent/ }),
    },
    {
      at: `operations/${opId}?workspace=${workspaceId}`,
      key: 't',
      field: false,
      ready: page.getByRole('region', { name: 'Operation details' }),
    },
  ];
  for (const { at, key, field, ready } of opened) {
    await page.goto(`${agent.url}/#${at}`);
    await expect(ready).toBeVisible();
    await page.getByRole('main').focus();
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    if (field) await typeText(page, dialog.locator('input:focus'));
    else await pressLetters(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  }
  // Fields that are always there: as soon as one has the focus.
  for (const at of ['files', 'activity', 'dead-letters', 'writeback']) {
    await page.goto(`${agent.url}/#${at}?workspace=${workspaceId}`);
    await expect(page.getByRole('main').locator('input[type=text]').first()).toBeVisible();
    await page.keyboard.press('/');
    const field = page.locator('input:focus');
    await page.keyboard.type(letters);
    await expect(field).toHaveValue(letters);
    expect(page.url()).toContain(`#${at}`);
    await page.keyboard.press('Escape');
  }
  // A menu takes them, too, also one of choices.
  await page.goto(`${agent.url}/#settings/providers`);
  await page.getByRole('button', { name: 'More for notion' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await pressLetters(page);
  await page.keyboard.press('Escape');
  await page.goto(`${agent.url}/#dead-letters?workspace=${workspaceId}`);
  await dataRows(page).click();
  await page.getByRole('button', { name: 'Cause: any' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await pressLetters(page);
  expect(changes).toEqual([]);
});

test('what is shown once is closed by its button alone, and asked about before it is left', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.mirror('notes');
  await signIn();
  await page.goto(`${agent.url}/#settings/tokens`);
  await expect(page.getByText('No tokens yet.')).toBeVisible();
  await page.keyboard.press('n');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const token = page.getByRole('dialog', { name: 'Token for my-agent' });
  await expect(token).toBeVisible();
  const attempts: readonly (() => Promise<unknown>)[] = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => page.goBack(),
  ];
  for (const close of attempts) {
    await close();
    await expect(token.getByRole('alert')).toContainText('shown only once');
    await expect(token.locator('code').first()).toBeVisible();
  }
  await token.getByRole('button', { name: 'I have copied it' }).click();
  await expect(token).toBeHidden();

  await page.goto(`${agent.url}/#settings/providers`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const form = page.getByRole('dialog', { name: 'Add provider' });
  await form.getByLabel('Name').fill('tracker');
  await form.getByRole('button', { name: 'Send to URL' }).click();
  await form.getByLabel('URL', { exact: true }).fill('https://tracker.example/items');
  await form.getByRole('button', { name: 'Generate' }).click();
  const secret = await form.getByLabel('Signing secret').inputValue();
  await form.getByRole('button', { name: 'Add provider' }).click();
  const made = page.getByRole('dialog', { name: 'Signing secret of tracker' });
  await expect(made.locator('code')).toHaveText(secret);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(made.getByRole('alert')).toContainText('shown only once');
  await made.getByRole('button', { name: 'I have copied it' }).click();
  await expect(made).toBeHidden();

  await page.goto(`${agent.url}/#first-run?step=token&workspace=${workspaceId}`);
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('Use it with')).toBeVisible();
  const shown = await page.locator('code').first().innerText();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  const question = page.getByRole('dialog', { name: 'Leave without the token?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.locator('code').first()).toHaveText(shown);
  await page.getByRole('link', { name: 'Skip setup' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/#overview/);
});
