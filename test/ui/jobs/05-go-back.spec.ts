// Job 5: revisions of a file are compared by words and restored by keyboard alone; a folder of 2,000 files goes back to a point in time,
// after a preview that says exactly what changes, and the restore is undone.
import { goByKeys } from '../by-keys.ts';
import { lookAtState } from '../look.ts';
import { expect, jobTest } from './job-test.ts';

jobTest('5. Compare and go back: a file', async ({ page, filled, signIn, timed }) => {
  const { agent, product } = filled;
  const { client } = agent;
  const { workspaceId } = product;
  const file = '/guides/pilots/0/plan.md';
  const write = async (text: string): Promise<string> =>
    (await client.writeFile(workspaceId, file, `# Plan\n\n${text}\n`)).targetRevision;
  const first = await write('The pilot boards at berth one.');
  const second = await write('The pilot boards at berth two.');
  const content = async (): Promise<string> => (await client.readFile(workspaceId, file)).content;
  await signIn();
  await goByKeys(page, 'f', 'files');
  await page.goto(`${agent.url}/#files${file}?workspace=${workspaceId}`);
  await expect(page.getByRole('region', { name: 'Content of plan.md' })).toContainText('berth two');
  const revisions = page.getByRole('list', { name: 'Revisions of plan.md' }).getByRole('listitem');
  const changes = page.getByRole('region', { name: `Changes in ${second}` });
  await timed('history: until lines are counted and words are marked', 1_000, async () => {
    await page.keyboard.press('h');
    await expect(changes.locator('mark')).toHaveText(['one', 'two']);
    await expect(revisions.nth(0)).toContainText(/owner.*\+1.*−1/);
  });
  await expect(revisions.nth(1)).toContainText('+3');
  await expect(page.getByRole('button', { name: `Restore ${second}` })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await lookAtState(page, 'file-history-unified');
  await page.getByRole('button', { name: 'Side by side' }).press('Enter');
  const sides = changes.getByRole('table').getByRole('row');
  await expect(sides.filter({ hasText: 'berth' }).getByRole('cell')).toHaveText([
    /berth one\.$/,
    /berth two\.$/,
  ]);
  await lookAtState(page, 'file-history-sides');
  await page.keyboard.press('[');
  await expect(page.getByRole('region', { name: `Changes in ${first}` })).toContainText('berth one.');
  await timed('restore: until the new state is first in the history', 1_000, async () => {
    await page.keyboard.press('r');
    await expect(revisions).toHaveCount(3);
    await expect(revisions.nth(0)).toContainText(`Restored ${first}`);
  });
  expect(await content()).toContain('berth one');
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('status').filter({ hasText: 'Restore undone.' })).toBeVisible();
  expect(await content()).toContain('berth two');
  await page.keyboard.press('h');
  await expect(page.getByRole('region', { name: 'Content of plan.md' })).toContainText('berth two');
});

jobTest('5. Compare and go back: a folder', async ({ page, filled, signIn, timed }) => {
  const { agent, product } = filled;
  const { client } = agent;
  const { workspaceId } = product;
  const read = async (file: string): Promise<string | null> =>
    (await client.readFile(workspaceId, file).catch(() => null))?.content ?? null;
  const files = Array.from({ length: 2_000 }, (_, at) => ({ path: `/archive/${at}.md`, content: `${at}\n` }));
  await client.files.writeMany(workspaceId, files);
  const changed = ['/archive/0.md', '/archive/1.md'].map((path) => ({ path, content: 'changed\n' }));
  await client.bulkWrite(workspaceId, changed);
  const added = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    path: `/archive/new-${name}.md`,
    content: 'new\n',
  }));
  await client.bulkWrite(workspaceId, added);
  await signIn();
  await page.goto(`${agent.url}/#files/archive/?workspace=${workspaceId}`);
  await page.getByRole('button', { name: 'As of…' }).click();
  const dialog = page.getByRole('dialog', { name: '/archive as of…' });
  const field = dialog.getByLabel('Time');
  const preview = dialog.getByRole('status');
  await expect(dialog.getByRole('button', { name: 'Show' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: '1 hour ago' }).click();
  await expect(preview).toHaveText('A restore of this time changes: 2,005 deleted.');
  await dialog.getByRole('button', { name: 'Yesterday' }).click();
  const shown = new Date((await field.inputValue()).replace(' ', 'T'));
  expect(Math.abs(Date.now() - 86_400_000 - shown.getTime())).toBeLessThan(3_700_000);
  await field.fill('2026-03-01 00:30');
  await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(9, 9));
  await page.keyboard.press('ArrowDown');
  await expect(field).toHaveValue('2026-02-28 00:30:00.000');
  await field.fill('2026-02-31');
  await expect(dialog.getByText('Enter a date and time in the past.')).toBeVisible();
  await timed('choose a change: until what a restore changes is said', 1_000, async () => {
    await dialog.getByRole('button', { name: 'Before owner changed 2 files' }).click();
    await expect(preview).toHaveText('A restore of this time changes: 2 reverted, 5 deleted.');
  });
  await lookAtState(page, 'files-as-of-preview');

  await dialog.getByRole('button', { name: 'Show' }).click();
  const banner = page.getByRole('region', { name: 'Point in time' });
  const grid = page.getByRole('grid', { name: 'Files in /archive', exact: true });
  await expect(banner).toContainText('Read-only.');
  await expect(grid).not.toContainText('new-a.md');
  await page
    .getByRole('row')
    .filter({ hasText: /^0\.md/ })
    .click();
  await expect(page.getByRole('region', { name: 'Content of 0.md' })).toHaveText(/0/);
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await lookAtState(page, 'files-point-in-time');
  // The link keeps the point in time.
  await page.reload();
  await expect(banner).toBeVisible();
  await page.keyboard.press('Escape');
  await banner.getByRole('button', { name: 'Restore folder…' }).click();
  const restore = page.getByRole('dialog', { name: 'Restore as of' });
  await expect(restore).toContainText('2 reverted, 5 deleted.');
  await lookAtState(page, 'files-point-in-time-restore');
  await timed('restore 7 of 2,005 files: until the banner has left', 1_000, async () => {
    await restore.getByRole('button', { name: 'Restore 7 files' }).click();
    await expect(banner).toHaveCount(0);
  });
  await expect(page.getByText('Restored 7 files of /archive as of').first()).toBeVisible();
  expect([await read('/archive/0.md'), await read('/archive/new-a.md')]).toEqual(['0\n', null]);
  const list = page.getByRole('region', { name: 'Files', exact: true });
  if ((await page.getByText('No file selected.').count()) === 0) await page.keyboard.press('Escape');
  await list.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByText('Restore undone.')).toBeVisible();
  expect([await read('/archive/0.md'), await read('/archive/new-a.md')]).toEqual(['changed\n', 'new\n']);
});
