// Job 6: images are compared, lines chosen and typed, and each choice is followed by the next conflict at once.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { goByKeys, tabTo } from '../by-keys.ts';
import { lookAtState } from '../look.ts';
import { pngOf } from '../png.ts';
import { expect, jobTest } from './job-test.ts';

/** To the row of a conflict by the keys of the list. */
async function choose(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('row').filter({ hasText: name });
  await expect(wanted).toBeVisible();
  await page.keyboard.press('Home');
  await expect(async () => {
    if ((await wanted.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('j');
    await expect(wanted).toHaveAttribute('aria-selected', 'true', { timeout: 200 });
  }).toPass();
}

const selected = (page: Page): Locator => page.getByRole('row', { selected: true });

jobTest('6. Resolve conflicts of an image and of texts', async ({ page, filled, signIn, timed }) => {
  const { product } = filled;
  const inDir = (name: string): Buffer => readFileSync(path.join(product.dir, name));
  await signIn();
  await goByKeys(page, 'c', 'conflicts');
  await expect(selected(page)).toHaveCount(1);
  await choose(page, 'quay.png');

  const images = page.getByRole('region', { name: 'Images' });
  await timed('open an image: until both versions are shown', 1_000, async () => {
    await expect(images.getByRole('img', { name: /Local, 60 × 24 pixels/ })).toBeVisible();
    await expect(images.getByRole('img', { name: /Remote, 40 × 36 pixels/ })).toBeVisible();
  });
  await expect(images).toContainText(/60 × 24 and 40 × 36 pixels · \d+ % of the pixels differ/);
  await lookAtState(page, 'conflicts-images');
  await tabTo(page, images.getByRole('button', { name: 'Swipe' }));
  await page.keyboard.press('Enter');
  const slider = images.getByRole('slider');
  await tabTo(page, slider);
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '51 % Local, 49 % Remote');
  // An arrow in the slider is none of the list, and a digit no choice.
  await expect(selected(page)).toContainText('quay.png');
  await lookAtState(page, 'conflicts-images-swipe');
  await tabTo(page, images.getByRole('button', { name: 'Difference' }));
  await page.keyboard.press('Enter');
  await lookAtState(page, 'conflicts-images-difference');
  await timed('keep the remote image: until the next conflict is open', 500, async () => {
    await page.keyboard.press('2');
    await expect(page.getByRole('row').filter({ hasText: 'quay.png' })).toHaveCount(0);
    await expect(selected(page)).toHaveCount(1);
  });
  await expect.poll(() => inDir('quay.png').equals(pngOf(40, 36))).toBe(true);

  // Line choices.
  await choose(page, 'checklist.md');
  await expect(page.getByText('1 conflict to resolve')).toBeVisible();
  await page.keyboard.press('m');
  await expect(page.getByRole('button', { name: 'Local', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ready to save')).toBeVisible();
  await timed('save a merge: until the next conflict is open', 500, async () => {
    await page.keyboard.press('m');
    await expect(page.getByRole('row').filter({ hasText: 'checklist.md' })).toHaveCount(0);
    await expect(selected(page)).toHaveCount(1);
  });

  // Typing: digits and letters are text.
  await choose(page, 'handover.md');
  await page.getByRole('button', { name: 'Type…' }).click();
  const field = page.getByRole('textbox', { name: /^Text of/ });
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Shift: 2 men, jam 1');
  await page.getByRole('button', { name: 'Result' }).click();
  await expect(page.getByRole('region', { name: 'Both versions' })).toContainText('Shift: 2 men, jam 1');
  await page.getByRole('button', { name: 'Save merge' }).click();

  // What cannot wait for the eight seconds of Undo is written when the next choice is made.
  await choose(page, 'roster.md');
  await page.keyboard.press('1');
  await expect(page.getByRole('heading', { name: 'No conflicts' })).toBeVisible();
  await page.getByRole('region', { name: 'Last action' }).getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => inDir('checklist.md').toString()).toContain('Freeze: Wednesday 16:00 UTC');
  await expect.poll(() => inDir('handover.md').toString()).toBe('Shift: 2 men, jam 1\nGate: 3\n');
  await expect.poll(() => inDir('roster.md').toString()).toBe('Monday: Ben\n');
});
