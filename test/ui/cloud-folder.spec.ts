// A folder that another sync program manages is asked about, in the dialog and in the first run.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

test('a folder of another sync program is mirrored only when that is said a second time', async ({
  page,
  agent,
  signIn,
}) => {
  const shared = agent.folder('shared');
  mkdirSync(path.join(shared, '.stfolder'));
  await agent.mirror('other');
  await signIn();
  await page.getByRole('button', { name: 'Mirror a folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  await dialog.getByLabel('Folder').fill(path.join(shared, 'notes'));
  await dialog.getByRole('button', { name: 'Mirror folder' }).click();
  await expect(dialog.getByRole('alert')).toContainText('is inside the Syncthing folder');
  await look(page, 'mirror-dialog-cloud-folder');
  // Another path is asked about anew.
  await dialog.getByLabel('Folder').fill(path.join(shared, 'others'));
  await dialog.getByRole('button', { name: 'Mirror folder' }).click();
  await dialog.getByRole('button', { name: 'Mirror anyway' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name: 'others: Up to date' })).toBeVisible();

  await page.goto(`${agent.url}/#first-run`);
  await page.getByLabel('Folder').fill(path.join(shared, 'first'));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create and mirror' }).click();
  await expect(page.getByRole('alert')).toContainText('is inside the Syncthing folder');
  await page.getByRole('button', { name: 'Mirror anyway' }).click();
  await expect(page.getByRole('heading', { name: 'Copy a token' })).toBeVisible();
});
