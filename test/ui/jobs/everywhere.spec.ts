// Everywhere: how long a screen takes from its key or link until it is painted, beside a filled workspace.
import type { Page } from '@playwright/test';
import { expect, jobTest } from './job-test.ts';

/** Milliseconds from the click on the link of a screen until its heading or list is painted, as the page itself measures them. */
async function switchTo(page: Page, screen: string): Promise<number> {
  return await page.evaluate(async (id) => {
    const link = document.querySelector<HTMLElement>(`nav a[href^="#${id}"]`);
    if (link === null) throw new Error(`no link to ${id}`);
    const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
    const before = document.querySelector('main')?.firstElementChild;
    const begunMs = performance.now();
    link.click();
    // The content of the screen before it has left.
    do await painted();
    while (
      document.querySelector('main')?.firstElementChild === before ||
      !location.hash.startsWith(`#${id}`)
    );
    return performance.now() - begunMs;
  }, screen);
}

jobTest('Everywhere: from screen to screen', async ({ page, signIn, filled }, info) => {
  await signIn();
  await page.goto(`${filled.agent.url}/#overview`);
  // What waits depends on the walks before this one.
  await expect(page.getByRole('article', { name: /^product-docs: / })).toBeVisible();
  const links = page.getByRole('navigation').locator('a[href^="#"]');
  const screens = await links.evaluateAll((all) =>
    all.map((link) => /^#([a-z-]+)/.exec(link.getAttribute('href') ?? '')?.[1] ?? ''),
  );
  expect(screens.length).toBeGreaterThan(10);
  // Overview is shown: it is the last one, as each switch needs another screen before it.
  screens.sort((a, b) => Number(a === 'overview') - Number(b === 'overview'));
  // A first round loads the code of the screens, which the page otherwise does while it is idle.
  for (const screen of screens) await switchTo(page, screen);
  const claimMs = 100;
  for (const screen of screens) {
    const tookMs = Math.round(await switchTo(page, screen));
    info.annotations.push({
      type: 'time',
      description: JSON.stringify({ step: `switch to ${screen}`, tookMs, claimMs }),
    });
    // As the other walks: a loaded machine may take a multiple of the claim.
    expect(tookMs).toBeLessThan(claimMs * 15);
  }
});
