// Job 8: a folder is found by completion and `~`, counted before the start, added to an existing workspace; overlaps and folders of other
// sync programs are explained.
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { lookAtState } from '../look.ts';
import { expect, jobTest, seen } from './job-test.ts';

const files = 2_000;
const tooLargeBytes = 64 * 1024 * 1024 + 1;

/** The same folder, as a path of the home. */
function fromHome(dir: string): string {
  return `~/${path.relative(homedir(), dir)}`;
}

jobTest('8. Add a folder to a workspace', async ({ page, filled, signIn, timed }) => {
  const { agent } = filled;
  const { workspaceId } = await agent.client.workspaces.create({ name: 'team' });
  const dir = agent.folder('papers');
  mkdirSync(path.join(dir, '.git'));
  writeFileSync(path.join(dir, '.git/config'), 'ignored\n');
  for (let at = 0; at < files; at += 1) writeFileSync(path.join(dir, `${at}.md`), 'x'.repeat(1000));
  writeFileSync(path.join(dir, 'video'), '');
  truncateSync(path.join(dir, 'video'), tooLargeBytes);
  await signIn();
  await expect(page.getByRole('button', { name: 'Mirror a folder…' })).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  const field = dialog.getByLabel('Folder');
  await expect(field).toBeFocused();
  const proposals = dialog.getByRole('option');
  await page.keyboard.type(fromHome(dir).slice(0, -4));
  await timed('type a letter of the path: until it is completed', 300, async () => {
    await page.keyboard.type(fromHome(dir).slice(-4, -3));
    await seen(proposals.filter({ hasText: fromHome(dir) }));
  });
  await expect(proposals).toHaveText([fromHome(dir)]);
  await lookAtState(page, 'folder-picker');
  const note = dialog.getByRole('status');
  await timed('choose a folder of 2,000 files: until it is counted', 1_000, async () => {
    await page.keyboard.press('Tab');
    await expect(note).toContainText('2,000 files, 2.0 MB, 1 too large (over 67 MB)');
  });
  await expect(field).toHaveValue(`${fromHome(dir)}/`);
  await expect(field).toBeFocused();
  await lookAtState(page, 'folder-picker-count');
  await expect(dialog.getByLabel('Workspace name')).toHaveValue('papers');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'team' }).press('Enter');
  await expect(dialog.getByLabel('Workspace name')).toBeHidden();
  await timed('mirror it: until all files are in the workspace', 5_000, async () => {
    await dialog.getByRole('button', { name: 'Mirror folder' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('article', { name: 'team: Up to date' })).toContainText('2,000 files');
  });
  const mirrors = await agent.client.mirrors.list(workspaceId);
  expect(mirrors.map((mirror) => mirror.dir)).toContain(dir);
});

jobTest('8. Add a folder: completion by arrows, and a new folder', async ({ page, filled, signIn }) => {
  const { agent } = filled;
  const parent = agent.folder('many');
  for (const name of ['part10', 'part2', 'other']) mkdirSync(path.join(parent, name));
  await signIn();
  await expect(page.getByRole('button', { name: 'Mirror a folder…' })).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  const field = dialog.getByLabel('Folder');
  await expect(field).toBeFocused();
  await page.keyboard.type(`${parent}/p`);
  const proposals = dialog.getByRole('option');
  await expect(proposals).toHaveText([`${parent}/part2`, `${parent}/part10`]);
  await page.keyboard.press('Tab');
  await expect(field).toHaveValue(`${parent}/part`);
  await expect(proposals).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('option', { selected: true })).toHaveText(`${parent}/part10`);
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(`${parent}/part10/`);
  await field.fill(`${parent}/p`);
  await expect(proposals).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(proposals).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await field.fill(`${parent}/part-new`);
  await expect(dialog.getByRole('status')).toContainText(`A new folder: Mooring creates ${parent}/part-new.`);
  await proposals.first().waitFor({ state: 'hidden' });
  await field.fill(`${parent}/o`);
  await proposals.click();
  await expect(field).toHaveValue(`${parent}/other/`);
});

jobTest('8. Add a folder: an overlap and a cloud folder', async ({ page, filled, signIn }) => {
  const { agent, product } = filled;
  const shared = agent.folder('shared');
  mkdirSync(path.join(shared, '.stfolder'));
  await signIn();
  await expect(page.getByRole('button', { name: 'Mirror a folder…' })).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  const field = dialog.getByLabel('Folder');
  await field.fill(path.join(product.dir, 'inner'));
  await expect(dialog.getByRole('status')).toContainText(`it overlaps the mirrored folder ${product.dir}`);
  await lookAtState(page, 'folder-picker-overlap');
  await field.fill(shared);
  await expect(dialog.getByRole('status')).toContainText('is inside the Syncthing folder');
  await expect(dialog.getByRole('status')).toContainText('0 files, 0 B');
  // Such a folder is mirrored only when that is said a second time; another path is asked about anew.
  await field.fill(path.join(shared, 'notes'));
  await dialog.getByRole('button', { name: 'Mirror folder' }).click();
  await expect(dialog.getByRole('alert')).toContainText('is inside the Syncthing folder');
  await lookAtState(page, 'mirror-dialog-cloud-folder');
  await field.fill(path.join(shared, 'others'));
  await dialog.getByRole('button', { name: 'Mirror folder' }).click();
  await dialog.getByRole('button', { name: 'Mirror anyway' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name: 'others: Up to date' })).toBeVisible();
  const names = (await agent.client.workspaces.list()).map(({ name }) => name);
  expect(names).not.toContain('notes');
  expect(names).not.toContain('inner');
});
