// Job 11: a provider is added, tested, edited until it takes what is sent, refreshed, paused and removed; its state and the cause are the
// same on every screen.
import type { Page } from '@playwright/test';
import { providerSecret } from '../../support/provider-process.ts';
import { lookAtState } from '../look.ts';
import { expect, jobTest } from './job-test.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

jobTest('11. Providers: add, test, edit, refresh, remove', async ({ page, filled, signIn, timed }) => {
  const { agent, linear, product } = filled;
  const { providers } = agent.client;
  await linear.tell({ behaviour: { kind: 'take' } });
  await signIn();
  await page.goto(`${agent.url}/#settings/providers`);
  await expect(row(page, 'notion')).toContainText('Healthy');
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Add provider' });
  await form.getByLabel('Name').fill('tracker');
  await form.getByRole('button', { name: /^Workspace/ }).click();
  await page.getByRole('menuitemradio', { name: 'product-docs' }).click();
  await form.getByRole('button', { name: 'Send to URL' }).click();
  await form.getByRole('button', { name: 'Add provider' }).click();
  await expect(form.getByText('Enter the URL that receives the operations.')).toBeVisible();
  // Nothing listens at this port.
  await form.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/items');
  await form.getByRole('button', { name: 'Generate' }).click();
  await form.getByLabel('Allow HTTP without encryption').check();
  await form.getByLabel('Allow this computer and private networks').check();
  await timed('add: until its secret is shown', 500, async () => {
    await form.getByRole('button', { name: 'Add provider' }).click();
    await expect(page.getByRole('dialog', { name: 'Signing secret of tracker' })).toBeVisible();
  });
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const added = await providers.get(product.workspaceId, 'tracker');
  expect(added).toMatchObject({ kind: 'http', hasSecret: true, allowPrivateAddresses: true });
  await timed('test: until the reason of the failure is shown', 1_000, async () => {
    await page.getByRole('button', { name: 'Test tracker' }).click();
    await expect(row(page, 'tracker').locator('.second.bad').last()).toBeVisible();
  });

  await page.getByRole('button', { name: 'More for tracker' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit tracker' });
  const save = edit.getByRole('button', { name: 'Save and test' });
  await expect(save).toHaveAttribute('title', 'No changes yet.');
  await expect(edit.getByLabel('Signing secret')).toHaveValue('');
  await edit.getByLabel('URL', { exact: true }).fill(linear.url);
  await edit.getByLabel('Refresh URL').fill('no address');
  await edit.getByLabel('Time limit in seconds').fill('0');
  await edit.getByLabel('Signing secret').fill(providerSecret);
  await save.click();
  await expect(edit.getByRole('alert')).toHaveText([
    /^Enter a complete URL/,
    /^Enter seconds from 0.1 to 120/,
  ]);
  await lookAtState(page, 'settings-provider-edit');
  await edit.getByLabel('Refresh URL').fill(linear.refreshUrl);
  await edit.getByLabel('Time limit in seconds').fill('2.5');
  await timed('save and test: until the row says that it works', 1_000, async () => {
    await save.click();
    await expect(row(page, 'tracker').locator('.second.good')).toBeVisible();
  });
  const edited = await providers.get(product.workspaceId, 'tracker');
  expect(edited).toMatchObject({ url: linear.url, refreshUrl: linear.refreshUrl, timeoutMs: 2_500 });
  const sent = linear.calls.length;
  expect(linear.calls.at(-1)?.signed).toBe(true);

  await page.getByRole('button', { name: 'More for tracker' }).click();
  await page.getByRole('menuitem', { name: 'Refresh now' }).click();
  await expect(page.getByText('Refreshing tracker.').first()).toBeAttached();
  await expect.poll(() => linear.calls.length).toBeGreaterThan(sent);
  // A consumer comes by itself: it has no address.
  await page.getByRole('button', { name: 'More for notion' }).click();
  await expect(page.getByRole('menuitem', { name: 'Edit…' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pause sending to tracker' }).click();
  await expect(row(page, 'tracker')).toContainText('Paused');

  // The state and its cause, where else they are.
  const { cause } = await providers.get(product.workspaceId, 'linear');
  const wanted = cause ?? 'Healthy';
  await expect(row(page, 'linear').filter({ hasText: wanted })).toHaveCount(1);
  await page.goto(`${agent.url}/#writeback?workspace=${product.workspaceId}`);
  await expect(row(page, 'linear').filter({ hasText: wanted }).first()).toBeVisible();
  await page.goto(`${agent.url}/#overview`);
  const flow = page.getByRole('region', { name: 'Data flow' }).getByRole('listitem');
  await expect(flow.filter({ hasText: 'linear' })).toContainText(wanted);
  await expect(flow.filter({ hasText: 'tracker' })).toContainText('Paused');

  await page.goto(`${agent.url}/#settings/providers`);
  await page.getByRole('button', { name: 'More for tracker' }).click();
  await page.getByRole('menuitem', { name: 'Remove provider…' }).click();
  await timed('remove: until its row has left', 500, async () => {
    await page.getByRole('button', { name: 'Remove provider' }).click();
    await expect(row(page, 'tracker')).toHaveCount(0);
  });
});
