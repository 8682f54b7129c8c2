// A few screens that hold nothing of their own, against pictures in baselines/: a layout that broke is seen, another version's way
// to draw a letter is not. What varies is masked: ids, the address. `npx playwright test baselines -u` makes the pictures anew;
// look at them before they are committed.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.skip(
  process.platform !== 'linux',
  'the pictures are of Linux: other systems draw letters in their own way',
);
test.use({ viewport: { width: 1000, height: 660 } });

/**
 * Other hinting changes 10 of the 660,000 pixels by more than `threshold` (a distance of colours, of 1), text without positions
 * between pixels up to 2,400; a navigation that became 160 px wider changes 9,600.
 */
const likeness = { maxDiffPixels: 3_000, threshold: 0.35 } as const;

async function look(page: Page): Promise<{ readonly mask: Locator[]; readonly maskColor: string }> {
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  // A press that left the pointer above something would show in it.
  await page.mouse.move(0, 0);
  return {
    mask: [page.locator('.switcher'), page.getByRole('contentinfo')],
    maskColor: '#808080',
    ...likeness,
  };
}

/** As a broken sheet would do it; a style element would be refused by the page's policy. */
async function breakLayout(page: Page, rule: string): Promise<void> {
  await page.evaluate(
    (text) => document.styleSheets[0]?.insertRule(text, document.styleSheets[0].cssRules.length),
    rule,
  );
}

test.beforeEach(async ({ page }) => {
  // Today: a session of another day would have ended. No time is shown here.
  await page.clock.setFixedTime(new Date());
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
});

test('the page of who has no token looks as it did', async ({ page, agent }) => {
  await page.goto(`${agent.url}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open Mooring from your terminal');
  await expect(page).toHaveScreenshot('sign-in.png', await look(page));
});

test('the first run, Settings and an empty screen look as they did, and a broken layout does not', async ({
  page,
  agent,
  signIn,
}) => {
  await signIn();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick a folder');
  await expect(page).toHaveScreenshot('first-run.png', await look(page));
  await page.goto(`${agent.url}/#settings/tokens`);
  await expect(page.getByText('No tokens yet.')).toBeVisible();
  await expect(page).toHaveScreenshot('no-tokens.png', await look(page));

  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  await page.goto(`${agent.url}/#conflicts?workspace=${workspaceId}`);
  await expect(page.getByRole('heading', { name: 'No conflicts' })).toBeVisible();
  await expect(page).toHaveScreenshot('no-conflicts.png', await look(page));
  await breakLayout(page, '.shell { --width-nav: 208px; grid-template-columns: 208px minmax(0, 1fr); }');
  await expect(page).not.toHaveScreenshot('no-conflicts.png', await look(page));
});
