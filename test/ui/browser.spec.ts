// The browser of these tests itself: what is switched off in it beyond what Playwright switches off.
import { expect, test } from '@playwright/test';
import { findChromium, withoutPartsOfWindows } from '../../build/chromium.ts';

const featuresOf = (argument: string): readonly string[] => argument.replace(/^.*=/, '').split(',');

test('all that Playwright switches off stays off', async ({ playwright }) => {
  const executablePath = findChromium();
  const server = await playwright.chromium.launchServer({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const given = server.process().spawnargs.filter((argument) => argument.startsWith('--disable-features='));
  await server.close();
  expect(given).toHaveLength(1);
  expect(featuresOf(withoutPartsOfWindows)).toEqual(
    expect.arrayContaining(given.flatMap((argument) => featuresOf(argument))),
  );
});

test('a page comes alone, without a process for a part of a window that nobody sees', async ({
  browser,
  page,
}) => {
  await page.goto('data:text/html,one');
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
  expect(targetInfos.map(({ type }) => type).filter((type) => type === 'browser_ui')).toEqual([]);
  await session.detach();
});
