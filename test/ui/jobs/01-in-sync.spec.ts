// Job 1: Overview says in one line whether all is in sync, what waits for a person first, and what happens now: who, what and where.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { lookAtState } from '../look.ts';
import { expect, jobTest, seen } from './job-test.ts';

jobTest('1. Am I in sync?', async ({ page, filled, signIn, timed }) => {
  const { agent, product, inbox, desk } = filled;
  const { client } = agent;
  const deadLetters = (await client.sync.deadLetters.list(inbox.workspaceId)).items.length;
  await page.setViewportSize({ width: 760, height: 560 });
  await signIn();
  const region = page.getByRole('region', { name: 'Needs you' });
  const rows = region.getByRole('listitem');
  const badge = page.getByRole('link', { name: /^Dead letters/ });
  await timed('open Overview: until what waits is listed', 1_000, async () => {
    await page.goto('about:blank');
    await page.goto(`${agent.url}/#overview`);
    await seen(rows.nth(3));
  });
  await expect(rows).toHaveCount(4);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/1 mirror halted\. Nothing was deleted\./);
  await expect(rows.nth(0)).toContainText('Halted');
  for (const [what, name] of [
    ['Halted', 'desk'],
    ['4 conflicts', 'product-docs'],
    [`${deadLetters} dead letters`, 'inbox'],
    ['3 failed operations', 'product-docs'],
  ] as const)
    await expect(rows.filter({ hasText: what })).toContainText(name);
  for (const row of await rows.all()) {
    await expect(row.locator('a, button')).toHaveCount(1);
    await expect(row.locator('a, button')).toBeInViewport({ ratio: 1 });
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(40);
  }
  await lookAtState(page, 'overview-needs-you');

  await page.setViewportSize({ width: 1280, height: 800 });
  const event = { provider: 'slack', event_type: 'file.updated', path: '/slack/../a.md', data: {} };
  const { id } = await timed('a dead letter: until row and badge have it', 1_000, async () => {
    const accepted = await client.sync.ingestWebhook(inbox.workspaceId, event);
    await expect(rows.filter({ hasText: `${deadLetters + 1} dead letters` })).toBeVisible();
    await expect(badge).toContainText(String(deadLetters + 1));
    return accepted;
  });
  await timed('it is acknowledged elsewhere: until row and badge follow', 1_000, async () => {
    await client.sync.deadLetters.acknowledge(inbox.workspaceId, id);
    await expect(rows.filter({ hasText: `${deadLetters} dead letters` })).toBeVisible();
    await expect(badge).toContainText(String(deadLetters));
  });

  // What happens now: in the folder, and through the API.
  const feed = page.getByRole('region', { name: 'Recent activity' });
  const newest = feed.getByRole('listitem').first();
  await timed('a save in the folder: until it is in the activity', 1_000, async () => {
    writeFileSync(path.join(product.dir, 'saved-now.md'), 'now\n');
    await seen(newest.filter({ hasText: 'saved-now.md' }));
  });
  await expect(newest).toContainText('product-docs');
  await expect(newest).toContainText(/[^\s\d] created/);
  const rate = page.getByRole('slider', { name: 'Changes per minute' });
  await expect(rate).toHaveAttribute('aria-valuetext', /^This minute: ([\d,]+ changes?|no data)$/);
  await rate.press('ArrowLeft');
  await expect(rate).toHaveAttribute('aria-valuetext', /^\d\d:\d\d: ([\d,]+ changes?|no data)$/);

  // Each action leads to where it is done.
  await region.getByRole('button', { name: 'Decide… in desk' }).press('Enter');
  const card = page.getByRole('article', { name: 'desk: Halted' });
  await expect(card).toBeFocused();
  await expect(card).toContainText(desk.dir);
  await expect(card.getByRole('button', { name: 'Show files' })).toBeInViewport();
  for (const [link, address] of [
    ['Resolve in product-docs', `#conflicts[^?]*\\?workspace=${product.workspaceId}`],
    ['Repair in inbox', `#dead-letters[^?]*\\?workspace=${inbox.workspaceId}`],
    ['Retry in product-docs', `#writeback[^?]*\\?.*workspace=${product.workspaceId}`],
  ] as const) {
    await page.getByRole('link', { name: link }).press('Enter');
    await expect(page).toHaveURL(new RegExp(address));
    await expect(page.getByRole('row', { selected: true })).toHaveCount(1);
    await page.goto(`${agent.url}/#overview`);
  }
});
