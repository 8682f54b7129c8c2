// Job 8, adding a folder: completion, `~`, the count before the start, an existing workspace, overlaps and cloud folders.
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

const files = 2_000;
const tooLargeBytes = 64 * 1024 * 1024 + 1;

/** The same folder, as a path of the home. */
function fromHome(dir: string): string {
  return `~/${path.relative(homedir(), dir)}`;
}

test('a folder is found by completion, counted before the start, and added to an existing workspace', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.mirror('team');
  const dir = agent.folder('papers');
  mkdirSync(path.join(dir, '.git'));
  writeFileSync(path.join(dir, '.git/config'), 'ignored\n');
  for (let at = 0; at < files; at += 1) writeFileSync(path.join(dir, `${at}.md`), 'x'.repeat(1000));
  writeFileSync(path.join(dir, 'video'), '');
  truncateSync(path.join(dir, 'video'), tooLargeBytes);
  await signIn();
  const beganMs = performance.now();
  await expect(page.getByRole('button', { name: 'Mirror a folder…' })).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  const field = dialog.getByLabel('Folder');
  await expect(field).toBeFocused();
  await page.keyboard.type(fromHome(dir).slice(0, -3));
  const proposals = dialog.getByRole('option');
  await expect(proposals).toHaveText([fromHome(dir)]);
  await look(page, 'folder-picker');
  await page.keyboard.press('Tab');
  await expect(field).toHaveValue(`${fromHome(dir)}/`);
  await expect(field).toBeFocused();
  const note = dialog.getByRole('status');
  await expect(note).toContainText('2,000 files, 2.0 MB, 1 too large (over 67 MB)');
  await look(page, 'folder-picker-count');
  await expect(dialog.getByLabel('Workspace name')).toHaveValue('papers');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'team' }).press('Enter');
  await expect(dialog.getByLabel('Workspace name')).toBeHidden();
  await dialog.getByRole('button', { name: 'Mirror folder' }).click();
  await expect(dialog).toBeHidden();
  const mirrors = await agent.client.mirrors.list(workspaceId);
  expect(mirrors.map((mirror) => mirror.dir)).toContain(dir);
  console.log(`job 8, add a folder: ${Math.round(performance.now() - beganMs)} ms`);
});

test('arrows choose a completion, Escape closes the list alone, and a new folder is announced', async ({
  page,
  agent,
  signIn,
}) => {
  const parent = agent.folder('many');
  for (const name of ['part10', 'part2', 'other']) mkdirSync(path.join(parent, name));
  await agent.mirror('notes');
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

test('an overlap with another mirror and a cloud folder are explained before the start', async ({
  page,
  agent,
  signIn,
}) => {
  const { dir } = await agent.mirror('outer');
  const shared = agent.folder('shared');
  mkdirSync(path.join(shared, '.stfolder'));
  await signIn();
  await expect(page.getByRole('button', { name: 'Mirror a folder…' })).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  const field = dialog.getByLabel('Folder');
  await field.fill(path.join(dir, 'inner'));
  await expect(dialog.getByRole('status')).toContainText(`it overlaps the mirrored folder ${dir}`);
  await look(page, 'folder-picker-overlap');
  await field.fill(shared);
  await expect(dialog.getByRole('status')).toContainText('is inside the Syncthing folder');
  await expect(dialog.getByRole('status')).toContainText('0 files, 0 B');
  await page.keyboard.press('Escape');
  expect((await agent.client.workspaces.list()).map(({ name }) => name)).toEqual(['outer']);
});
