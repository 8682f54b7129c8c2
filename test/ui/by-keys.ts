// To a screen by its two keys, as a person would who sees that nothing happened: once more. The page takes two keys for one
// chord only while they come soon after each other, and on a loaded machine the second one may leave the driver too late.
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Long enough for a page that took the keys; one that did not gets them again. */
const arrivalMs = 2_000;

/** `letter`: the second key of `G W`. `screen`: what the address names, `writeback`. */
export async function goByKeys(page: Page, letter: string, screen: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(new RegExp(`#${screen}\\b`), { timeout: arrivalMs });
  }).toPass();
}
