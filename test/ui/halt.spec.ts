import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

const files = 60;

/** A mirror halted because its files were deleted or truncated. */
async function emptied(
  agent: UiAgent,
  removeContent = rmSync as (file: string) => void,
): Promise<{ workspaceId: string; dir: string }> {
  const dir = agent.folder('desk');
  for (let index = 0; index < files; index += 1)
    writeFileSync(path.join(dir, `note-${index}.md`), `${index}\n`);
  const { workspaceId } = await agent.mirror('desk', dir);
  const [mirror] = await agent.client.mirrors.list(workspaceId);
  if (mirror === undefined) throw new Error('no mirror');
  // Paused, so that one scan finds all changes.
  await agent.client.mirrors.pause(workspaceId, mirror.mirrorId);
  for (const name of readdirSync(dir)) if (name.endsWith('.md')) removeContent(path.join(dir, name));
  await agent.client.mirrors.resume(workspaceId, mirror.mirrorId);
  await expect
    .poll(async () => (await agent.client.mirrors.list(workspaceId))[0]?.state, { timeout: 60_000 })
    .toBe('halted');
  return { workspaceId, dir };
}

test('confirming the deletion requires a typed number', async ({ page, agent, signIn }) => {
  const { workspaceId } = await emptied(agent);
  await signIn();
  await page.getByRole('button', { name: 'Delete files…' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${files} files of desk?` });
  const confirm = dialog.getByRole('button', { name: `Delete ${files} files` });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill(`delete ${files - 1}`);
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  expect((await agent.client.workspaces.list())[0]?.files).toBe(files);
  await dialog.getByRole('textbox').fill(`delete ${files}`);
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(
      async () =>
        (await agent.client.workspaces.list()).find((each) => each.workspaceId === workspaceId)?.files,
    )
    .toBe(0);
});

test('a mirror halted for truncated files shows both sizes of each file', async ({ page, agent, signIn }) => {
  const dir = await emptied(agent, (file) => truncateSync(file));
  await signIn();
  const card = page.getByRole('article', { name: 'desk: Halted' });
  await expect(card).toContainText('were truncated');
  await card.getByRole('button', { name: 'Show files' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Pending changes in desk' });
  await expect(dialog.getByRole('listitem').first()).toContainText('truncated, 2 B to 0 B');
  await look(page, 'halt-truncated');
  await dialog.getByRole('button', { name: `Restore ${files} files` }).click();
  await expect(page.getByRole('article', { name: 'desk: Up to date' })).toBeVisible({ timeout: 60_000 });
  expect(readFileSync(path.join(dir.dir, 'note-59.md'), 'utf8')).toBe('59\n');
});

test('the halted card and its dialogs look right', async ({ page, agent, signIn }) => {
  await emptied(agent);
  await signIn();
  for (const [name, button] of [
    ['card', null],
    ['list', 'Show files'],
    ['delete', 'Delete files…'],
  ] as const) {
    if (button !== null) await page.getByRole('button', { name: button }).click();
    await look(page, `halt-${name}`);
    if (button !== null) await page.keyboard.press('Escape');
  }
});
