// Job 12: a limit is changed by keyboard alone in config.json, says that it holds after a restart, and holds after it; a setting names the
// flag or the file that set it.
import { readFileSync, rmSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { goByKeys, retype, tabTo } from '../by-keys.ts';
import { lookAtState } from '../look.ts';
import { expect, jobTest } from './job-test.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

jobTest('12. Change a limit, and see what sets a value', async ({ page, filled, signIn, timed }) => {
  const { agent } = filled;
  const { configFile } = await agent.client.agent.settings();
  await signIn();
  await goByKeys(page, ',', 'settings');
  await tabTo(page, page.getByRole('link', { name: 'App', exact: true }));
  await page.keyboard.press('Enter');
  const limit = row(page, 'History retention');
  await expect(limit).toContainText('Default');
  // A flag wins over the file, and is named.
  await expect(row(page, 'Listen address')).toContainText('--listen');
  const change = limit.getByRole('button', { name: 'Change… History retention', exact: true });
  const names = await page
    .getByRole('button', { name: 'Change…' })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  expect(new Set(names).size).toBe(names.length);
  await tabTo(page, change);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change History retention' });
  const field = dialog.getByLabel('History retention');
  await expect(field).toHaveValue('30');
  await tabTo(page, field);
  await retype(page, '0');
  await timed('save what is not valid: until the reason is shown', 500, async () => {
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText(
      '"0" is not valid. Use a whole number from 1 to 36500.',
    );
  });
  await lookAtState(page, 'settings-limit-refused');
  await retype(page, '60');
  await timed('save: until the row has the value', 500, async () => {
    await page.keyboard.press('Enter');
    await expect(limit).toContainText('60 days after a restart');
  });
  await expect(page.getByText('Restart the agent to apply the changes')).toBeVisible();
  await expect(change).toBeFocused();
  await lookAtState(page, 'settings-limit-changed');
  expect(JSON.parse(readFileSync(configFile, 'utf8'))).toEqual({ historyDays: 60 });

  await agent.kill();
  await agent.start();
  await timed('after the restart: until the value is shown as set by the file', 5_000, async () => {
    await page.reload();
    await expect(limit).toContainText('60 days');
    await expect(limit).toContainText('config.json');
  });
  await expect(limit).not.toContainText('after a restart');
  await tabTo(page, change);
  await page.keyboard.press('Enter');
  await tabTo(page, field);
  await retype(page, '30');
  await page.keyboard.press('Enter');
  await expect(limit).toContainText('30 days after a restart');
  rmSync(configFile);
});
