// Job 10: a halted mirror says why and what would be deleted, all others are paused for an hour, also over a restart of the agent, and
// only these are resumed.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { lookAtState } from '../look.ts';
import { expect, jobTest } from './job-test.ts';

const card = (page: Page, name: string): Locator =>
  page.getByRole('article', { name: new RegExp(`^${name}: `) });

jobTest(
  '10. Understand a halt, pause for an hour, resume only what was paused',
  async ({ page, filled, signIn, timed }) => {
    const { agent, product, desk } = filled;
    const notes = await agent.client.workspaces.create({ name: 'notes' });
    const { mirrorId } = await agent.client.mirrors.add(notes.workspaceId, agent.folder('notes'));
    await agent.client.mirrors.pause(notes.workspaceId, mirrorId);
    await signIn();

    // The halt: cause, files, and one way that deletes nothing.
    await expect(card(page, 'desk')).toContainText('Halted');
    await expect(card(page, 'desk')).toContainText('Cause');
    await card(page, 'desk').getByRole('button', { name: 'Show files' }).press('Enter');
    const pending = page.getByRole('dialog', { name: 'Pending deletions in desk' });
    await expect(pending.getByRole('listitem')).toHaveCount(60);
    await page.keyboard.press('Escape');
    await expect(pending).toBeHidden();

    // Keyboard alone: the first choice of the menu.
    const pauseAll = page.getByRole('button', { name: 'Pause all' });
    await pauseAll.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'For 1 hour' })).toBeFocused();
    await timed('pause for 1 hour: until its end is shown', 1_000, async () => {
      await page.keyboard.press('Enter');
      await expect(card(page, 'product-docs')).toContainText(/Paused until (\d+ \w+, )?\d\d:\d\d/);
    });
    await expect(card(page, 'desk')).toContainText('Halted');
    await expect(card(page, 'notes')).toHaveAccessibleName('notes: Paused');
    await lookAtState(page, 'paused-until');

    // A restart keeps the pause and its end.
    await agent.kill();
    await agent.start();
    await expect(page.getByRole('button', { name: 'Resume all' })).toBeEnabled();
    await expect(card(page, 'product-docs')).toContainText('Paused until');
    writeFileSync(path.join(product.dir, 'while-paused.md'), 'later\n');
    const synced = async (): Promise<boolean> =>
      await agent.client.files.stat(product.workspaceId, '/while-paused.md').then(
        () => true,
        () => false,
      );
    expect(await synced()).toBe(false);
    await timed('resume what was paused: until it syncs', 2_000, async () => {
      await page.getByRole('button', { name: 'Resume all' }).click();
      await expect.poll(synced, { intervals: [20] }).toBe(true);
    });
    await expect(card(page, 'notes')).toHaveAccessibleName('notes: Paused');

    // The end comes without a request. The page shows an end that is far first: one that is near may have passed before it is drawn.
    const pauseFor = async (ms: number): Promise<number> => {
      const untilMs = Date.now() + ms;
      await agent.client.mirrors.pause(notes.workspaceId, mirrorId, { until: new Date(untilMs) });
      return untilMs;
    };
    await pauseFor(3_600_000);
    await expect(card(page, 'notes')).toContainText('Paused until');
    const untilMs = await timed('a pause ends: until it is shown', 4_500, async () => {
      const end = await pauseFor(2_500);
      await expect(card(page, 'notes')).toHaveAccessibleName('notes: Up to date');
      return end;
    });
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs);

    await timed('restore the missing files of the halt', 3_000, async () => {
      await card(page, 'desk').getByRole('button', { name: 'Restore 60 files' }).click();
      await expect(card(page, 'desk')).toHaveAccessibleName('desk: Up to date');
    });
    expect(existsSync(path.join(desk.dir, 'note-59.md'))).toBe(true);
  },
);
