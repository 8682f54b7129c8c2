// What a person does who has no pointer: to a screen by its two keys, and to anything on the page by Tab.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Long enough for a page that took the keys; one that did not gets them again. */
const arrivalMs = 2_000;
/** No screen has as many stops. */
const stopsMax = 120;

/**
 * `letter`: the second key of `G W`. `screen`: what the address names, `writeback`. A page takes two keys for one chord only
 * while they come soon after each other, and on a loaded machine the second may leave the driver too late: once more, then.
 * The code of the screen may still be loading, and keys act once it is there.
 */
export async function goByKeys(page: Page, letter: string, screen: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(new RegExp(`#${screen}\\b`), { timeout: arrivalMs });
  }).toPass();
  await expect(page.getByRole('main').locator('.screen-loading')).toHaveCount(0);
}

/** To something by Tab alone: what cannot be reached so fails the test. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  const reached = async (): Promise<boolean> =>
    await target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; stop < stopsMax && !(await reached()); stop += 1) await page.keyboard.press(key);
  await expect(target).toBeFocused();
}

/** In place of what the field that has the focus holds. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A test in which no pointer may touch the page. */
export const keysTest = test.extend({
  page: async ({ page }, use) => {
    await page.addInitScript(() => {
      const seen = window as unknown as { pointers: number };
      seen.pointers = 0;
      const note = (): void => {
        seen.pointers += 1;
      };
      for (const type of ['pointerdown', 'wheel'])
        addEventListener(type, note, { capture: true, passive: true });
    });
    await use(page);
    expect(await page.evaluate(() => (window as unknown as { pointers: number }).pointers)).toBe(0);
  },
});
