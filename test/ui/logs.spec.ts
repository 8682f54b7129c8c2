// The log of the agent: live, filtered, paused; an entry with its fields, and the lines of one request; by mouse and by keyboard.
import { readFileSync, rmSync } from 'node:fs';
import { goByKeys } from './by-keys.ts';
import { dataRows } from './data-rows.ts';
import { expect, ownAgent, test } from './fixtures.ts';
import { look } from './look.ts';

test(
  'what the agent logs is there as it happens, filtered and explained',
  ownAgent,
  async ({ page, agent, signIn }) => {
    const { client } = agent;
    const { workspaceId } = await client.workspaces.create({ name: 'notes' });
    const dir = agent.folder('notes');
    await client.mirrors.add(workspaceId, dir);
    await agent.settle();
    await signIn();
    await goByKeys(page, 'l', 'logs');
    const rows = dataRows(page.getByRole('grid', { name: 'Log entries, newest first' }));
    await expect(rows.filter({ hasText: 'agent is ready' })).toContainText('Agent');
    await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible();
    // A halt, while the screen is open.
    rmSync(dir, { recursive: true });
    const halted = rows.filter({ hasText: 'mirror halted' });
    await expect(halted).toContainText('Mirrors');
    await page.getByRole('button', { name: 'Warnings' }).click();
    await expect(rows.filter({ hasText: 'agent is ready' })).toHaveCount(0);
    await halted.first().click();
    const detail = page.getByRole('region', { name: 'Entry', exact: true });
    await expect(detail.getByText(dir, { exact: true })).toBeVisible();
    await page.reload();
    await expect(detail.getByText(dir, { exact: true })).toBeVisible();
    await look(page, 'logs');
    await page.keyboard.press('Escape');

    // Paused: what comes is counted.
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect(rows.filter({ hasText: 'agent is ready' })).toBeVisible();
    await page.keyboard.press('p');
    const shown = await rows.count();
    await client.sync
      .ingestWebhook(
        workspaceId,
        { provider: 'git', event_type: 'file.created', path: 'no/../path', data: {} },
        {
          correlationId: 'corr-of-the-webhook',
        },
      )
      .catch(() => undefined);
    await expect(page.getByRole('button', { name: /Resume \(\d+ new\)/ })).toBeVisible();
    expect(await rows.count()).toBe(shown);
    await page.keyboard.press('p');
    const dead = rows.filter({ hasText: 'a webhook is a dead letter' });
    await dead.click();
    await detail.getByRole('button', { name: 'Lines with this id' }).click();
    await expect(page.getByLabel('Text, path, id or correlation id')).toHaveValue('corr-of-the-webhook');
    await expect(dead).toBeVisible();
    await expect(rows.filter({ hasText: 'mirror halted' })).toHaveCount(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).correlationId)).toEqual(
      lines.map(() => 'corr-of-the-webhook'),
    );

    // Nothing matches.
    await page.keyboard.press('/');
    await page.keyboard.type(' and more');
    await expect(page.getByRole('heading', { name: 'No matching entries' })).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rows.filter({ hasText: 'agent is ready' })).toBeVisible();
  },
);
