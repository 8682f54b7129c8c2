// Job 13: what is wrong is found: checks with their next step, the live log up to one request, a bundle with the log and without names or
// secrets, and a proof that folder and workspace are equal.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { goByKeys } from '../by-keys.ts';
import { dataRows } from '../data-rows.ts';
import { lookAtState } from '../look.ts';
import type { UiAgent } from '../ui-agent.ts';
import { expect, jobTest } from './job-test.ts';

/** Another mirror of the agent is halted, so it never settles as a whole. */
async function mirrored(agent: UiAgent, name: string): Promise<{ workspaceId: string; dir: string }> {
  const dir = agent.folder(name);
  const { workspaceId } = await agent.client.workspaces.create({ name });
  await agent.client.mirrors.add(workspaceId, dir);
  await expect.poll(async () => (await agent.client.mirrors.list(workspaceId))[0]?.state).toBe('idle');
  return { workspaceId, dir };
}

const correlationId = 'corr-of-the-webhook';
const content = 'a secret of the harbour';

jobTest(
  '13. Diagnose: the log, the checks, the bundle, the proof',
  async ({ page, filled, signIn, timed }) => {
    const { agent, product } = filled;
    const { client } = agent;
    const { workspaceId, dir } = await mirrored(agent, 'lost-folder');
    await signIn();
    await goByKeys(page, 'l', 'logs');
    const rows = dataRows(page.getByRole('grid', { name: 'Log entries, newest first' }));
    await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Warnings' }).click();
    rmSync(dir, { recursive: true });
    await page.keyboard.press('/');
    await page.keyboard.type('lost-folder');
    const halted = rows.filter({ hasText: 'mirror halted' });
    const detail = page.getByRole('region', { name: 'Entry', exact: true });
    // Until the text filters the list, the halted mirror of the filled agent is in it, too.
    await expect(async () => {
      await halted.click({ timeout: 1_000 });
      await expect(detail.getByText(dir, { exact: true })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(halted).toContainText('Mirrors');
    await page.reload();
    await expect(detail.getByText(dir, { exact: true })).toBeVisible();
    await lookAtState(page, 'logs');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByLabel('Text, path, id or correlation id').fill('');
    await page.keyboard.press('Escape');
    await followRequest(page, async () => {
      const event = { provider: 'git', event_type: 'file.created', path: 'no/../path', data: { content } };
      await client.sync.ingestWebhook(workspaceId, event, { correlationId });
    });
    await timed('a search that finds nothing: until it says so', 1_000, async () => {
      await page.keyboard.press('/');
      await page.keyboard.type(' and more');
      await expect(page.getByRole('heading', { name: 'No matching entries' })).toBeVisible();
    });

    await page.goto(`${agent.url}/#settings/diagnostics`);
    await expect(page.getByRole('row', { name: /^Store OK/ })).toBeVisible();
    await expect(row(page, dir)).toContainText('Problem');
    await expect(row(page, dir)).toContainText('Next:');
    const shown = page.getByRole('region', { name: 'Content of the bundle' });
    await timed('create the bundle: until all of it is shown', 2_000, async () => {
      await page.getByRole('button', { name: 'Create bundle…' }).click();
      await expect(shown).toContainText('"madeAt"');
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^mooring-diagnostics-\d{4}-\d\d-\d\d\.json$/);
    const saved = readFileSync(await download.path(), 'utf8');
    expect(await shown.textContent()).toBe(saved);
    expect(JSON.parse(saved).log.length).toBeGreaterThan(10);
    for (const hidden of [dir, product.dir, agent.ownerToken, content, 'README.md', '127.0.0.1'])
      expect(saved).not.toContain(hidden);
    await page.keyboard.press('Escape');
    await client.workspaces.remove(workspaceId);
  },
);

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Paused, what comes is counted; then the lines of one request alone are shown and exported. */
async function followRequest(page: Page, request: () => Promise<void>): Promise<void> {
  const rows = dataRows(page.getByRole('grid', { name: 'Log entries, newest first' }));
  await page.getByRole('main').getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  const first = await rows.first().textContent();
  await request();
  await expect(page.getByRole('button', { name: /Resume \(\d+ new\)/ })).toBeVisible();
  expect(await rows.first().textContent()).toBe(first);
  await page.getByRole('button', { name: /Resume \(\d+ new\)/ }).click();
  await rows.filter({ hasText: 'a webhook is a dead letter' }).first().click();
  await page
    .getByRole('region', { name: 'Entry', exact: true })
    .getByRole('button', { name: 'Lines with this id' })
    .click();
  await expect(page.getByLabel('Text, path, id or correlation id')).toHaveValue(correlationId);
  await expect(rows.filter({ hasText: 'mirror halted' })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line).correlationId).toBe(correlationId);
}

jobTest(
  '13. Diagnose: prove that folder and workspace are equal',
  async ({ page, filled, signIn, timed }) => {
    const { agent } = filled;
    const { workspaceId, dir } = await mirrored(agent, 'harbour');
    writeFileSync(path.join(dir, 'a.md'), 'one\n');
    await expect.poll(async () => (await agent.client.mirrors.list(workspaceId))[0]?.files).toBe(1);
    await signIn();
    const meter = page.getByRole('region', { name: 'Mirrors' });
    const line = meter.getByRole('article', { name: /^harbour: / });
    await timed('prove: until the time of the proof is shown', 2_000, async () => {
      await meter.getByRole('button', { name: 'Prove now' }).press('Enter');
      await expect(line).toContainText('1 file compared, all read from disk');
    });
    await expect(line).toContainText(/Equal\d\d:\d\d:\d\d/);
    await expect(meter).toContainText('compares all paths and contents');
    await lookAtState(page, 'overview-proof');
    const [mirror] = await agent.client.mirrors.list(workspaceId);
    await agent.client.mirrors.pause(workspaceId, mirror?.mirrorId ?? '');
    await expect(line).toContainText('Equal until pause');
    await agent.client.workspaces.remove(workspaceId);
  },
);
