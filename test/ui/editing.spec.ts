// Editing a file in the page by keyboard, with changes of others meanwhile. A revision that was not shown is never overwritten.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectAccessible, look } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

const list = '# Shopping\n\nbread\nmilk\napples\n\nNot on Sunday.\n';

async function openFile(page: Page, agent: UiAgent, workspaceId: string, file: string): Promise<void> {
  await page.goto(`${agent.url}/#files${file}?workspace=${workspaceId}`);
  await expect(
    page.getByRole('region', { name: new RegExp(`^(Content|Bytes) of ${path.basename(file)}$`) }),
  ).toBeVisible();
}

test('a file is edited and saved with keys alone, and reaches the folder with its line ends', async ({
  page,
  agent,
  signIn,
}) => {
  const dir = agent.folder('notes');
  writeFileSync(path.join(dir, 'list.md'), list.replaceAll('\n', '\r\n'));
  writeFileSync(path.join(dir, 'data.bin'), Buffer.from([0, 159, 146, 150]));
  const { workspaceId } = await agent.mirror('notes', dir);
  await signIn();
  await openFile(page, agent, workspaceId, '/list.md');
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Text of list.md' });
  await expect(field).toBeFocused();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  // Without changes, Escape closes the editor at once.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Content of list.md' })).toBeFocused();
  await page.keyboard.press('e');
  await page.keyboard.type('Today: ');
  await expect(page.getByText('Not saved')).toBeVisible();
  await look(page, 'files-editing');
  await page.getByRole('button', { name: 'Show changes' }).click();
  await expect(page.getByRole('region', { name: 'Your changes' })).toContainText('Today: # Shopping');
  await look(page, 'files-editing-changes');
  await page.getByRole('button', { name: 'Back to editor' }).click();
  await expect(field).toBeFocused();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/^Saved as rev_\d+$/)).toBeVisible();
  await expect(field).toBeFocused();
  await agent.settle();
  expect(readFileSync(path.join(dir, 'list.md'), 'utf8')).toBe(`Today: ${list}`.replaceAll('\n', '\r\n'));
  // A change in the folder is shown in an unchanged field.
  writeFileSync(path.join(dir, 'list.md'), 'from the folder\n');
  await expect(field).toHaveValue('from the folder\n');
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await expect(field).toBeFocused();
  await agent.client.deleteFile(workspaceId, '/list.md');
  await expect(page.getByText(/^This file was deleted. Showing rev_\d+/)).toBeVisible();
  await page.keyboard.press('Escape');
  await openFile(page, agent, workspaceId, '/data.bin');
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveAttribute('title', /Binary file/);
  await page.keyboard.press('e');
  await expect(page.getByRole('textbox', { name: /^Text of/ })).toHaveCount(0);
});

/** Opens the file and edits a line while another program changes or deletes it. */
async function editAtTheSameTime(
  page: Page,
  agent: UiAgent,
  workspaceId: string,
  mine: string,
  theirs: string | null,
): Promise<void> {
  await agent.client.writeFile(workspaceId, '/list.md', list);
  await openFile(page, agent, workspaceId, '/list.md');
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Text of list.md' });
  // The page may still show the previous text.
  await expect(field).toHaveValue(list);
  await field.fill(mine);
  if (theirs === null) await agent.client.deleteFile(workspaceId, '/list.md');
  else await agent.client.writeFile(workspaceId, '/list.md', theirs);
  await expect(page.getByText(/This file (changed|was deleted) while you were editing/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
}

const contentOf = async (agent: UiAgent, workspaceId: string): Promise<string> =>
  (await agent.client.readFile(workspaceId, '/list.md')).content;

test('two edits at the same time are merged or chosen, and nothing is lost', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  const mine = list.replace('milk', 'oat milk').replace('Not on Sunday.', 'Closed on Sunday.');
  const theirs = list.replace('milk', '2 l milk').replace('# Shopping', '# Shopping list');

  await editAtTheSameTime(page, agent, workspaceId, mine, theirs);
  const both = page.getByRole('region', { name: 'Both versions' });
  await expect(both).toContainText('1 conflict to resolve');
  await look(page, 'files-editing-conflict');
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  await expect(both).toContainText('Ready to save');
  await page.getByRole('button', { name: 'Result', exact: true }).click();
  await expect(both).toContainText('# Shopping list');
  await look(page, 'files-editing-result');
  await page.getByRole('button', { name: 'Three-way' }).click();
  await expectAccessible(page);
  await page.keyboard.press('m');
  await expect(page.getByText(/^Saved as rev_\d+$/)).toBeVisible();
  expect(await contentOf(agent, workspaceId)).toBe(mine.replace('# Shopping', '# Shopping list'));

  await page.keyboard.press('Escape');
  await editAtTheSameTime(page, agent, workspaceId, mine, theirs);
  await expect(both).toBeVisible();
  await page.keyboard.press('2');
  await expect(page.getByRole('textbox', { name: 'Text of list.md' })).toHaveValue(theirs);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of list.md' })).toHaveValue(mine);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(both).toBeVisible();
  await page.keyboard.press('1');
  await expect(page.getByText(/^Saved as rev_\d+$/)).toBeVisible();
  expect(await contentOf(agent, workspaceId)).toBe(mine);

  await page.getByRole('button', { name: 'Done' }).click();
  await editAtTheSameTime(page, agent, workspaceId, mine, null);
  await expect(page.getByRole('region', { name: 'Your text' })).toContainText('oat milk');
  await look(page, 'files-editing-deleted');
  await page.getByRole('button', { name: 'Save as new file' }).click();
  await expect(page.getByText(/^Saved as rev_\d+$/)).toBeVisible();
  expect(await contentOf(agent, workspaceId)).toBe(mine);
});

test('unsaved changes prompt before leaving, and survive an error and a reload', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await agent.client.writeFile(workspaceId, '/list.md', list);
  await agent.client.writeFile(workspaceId, '/other.md', 'other\n');
  await signIn();
  await openFile(page, agent, workspaceId, '/list.md');
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Text of list.md' });
  await field.fill('mine\n');

  const question = page.getByRole('dialog', { name: 'Unsaved changes in list.md' });
  await page.getByRole('row').filter({ hasText: 'other.md' }).click();
  await expect(question).toBeVisible();
  await look(page, 'files-editing-leave');
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/#files\/list\.md/);
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.goBack();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL(/#files\/list\.md/);
  await expect(field).toHaveValue('mine\n');

  // Another view of the same file needs no prompt.
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('Not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Content', exact: true }).click();
  await expect(field).toHaveValue('mine\n');

  await page.route('**/fs/file?*', async (route) =>
    route.request().method() === 'PUT'
      ? await route.fulfill({
          status: 403,
          json: { code: 'forbidden', message: 'access denied by ACL', correlationId: 'test' },
        })
      : await route.fallback(),
  );
  await field.press('ControlOrMeta+s');
  await expect(page.getByRole('alert')).toContainText('Not saved. Access denied by ACL.');
  await expect(field).toHaveValue('mine\n');
  await page.unrouteAll();

  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(field).toHaveValue('mine\n');
  await agent.kill();
  await expect(page.getByText('Agent not responding.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await agent.start();
  await expect(page.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('row').filter({ hasText: 'other.md' }).click();
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region', { name: 'Content of other.md' })).toBeVisible();
  expect((await agent.client.readFile(workspaceId, '/list.md')).content).toBe('mine\n');
});
