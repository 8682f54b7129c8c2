// What a person waits for: the first paint of the UI beside that of a page that holds one word, and the way of a new user from
// starting the agent to the first file of their folder in the UI. In a real Chromium, against a real agent process.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../build/chromium.ts';
import { UiAgent } from '../ui/ui-agent.ts';
import { median, percentile, print } from './report.ts';

const loads = 15;
const firstPaintMsMax = 1_000;

const executablePath = findChromium();
if (executablePath === undefined) {
  console.log('no Chromium was found: nothing is measured');
} else {
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    await firstPaint(browser);
    await newUser(browser);
  } finally {
    await browser.close();
  }
}

async function firstPaint(browser: Browser): Promise<void> {
  const floorServer = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>floor</title><p>Mooring</p>');
  });
  await new Promise<void>((resolve) => floorServer.listen(0, '127.0.0.1', resolve));
  const floorUrl = `http://127.0.0.1:${(floorServer.address() as AddressInfo).port}/`;
  const agent = new UiAgent(null);
  try {
    await agent.start();
    // Turn by turn, so that both see the same machine.
    const floor: number[] = [];
    const ui: number[] = [];
    for (let load = 0; load < loads; load += 1) {
      floor.push(await paintMs(browser, floorUrl));
      ui.push(await paintMs(browser, (await agent.client.agent.signIn.link()).url));
    }
    print({ name: 'first paint of a page with one word, median', value: median(floor), unit: 'ms' });
    print({
      name: 'first paint of the UI, nothing cached, median',
      value: median(ui),
      unit: 'ms',
      reach: { at: 'most', value: firstPaintMsMax },
      note: `p95 ${Math.round(percentile(ui, 0.95))} ms`,
    });
    print({ name: 'the same / one word', value: median(ui) / median(floor), unit: 'x' });
  } finally {
    await agent.dispose();
    floorServer.close();
  }
}

/** First contentful paint, from the beginning of the navigation, in a profile of its own. */
async function paintMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const paint = list.getEntriesByName('first-contentful-paint')[0];
            if (paint !== undefined) resolve(paint.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
  } finally {
    await context.close();
  }
}

/** As quickly as a program can click. */
async function newUser(browser: Browser): Promise<void> {
  const agent = new UiAgent(null);
  const begun = performance.now();
  const since = (): number => performance.now() - begun;
  try {
    await agent.start();
    const answers = since();
    const dir = agent.folder('notes');
    writeFileSync(path.join(dir, 'first.md'), '# First\n');
    const page = await browser.newPage();
    await page.goto((await agent.client.agent.signIn.link()).url);
    await page.getByLabel('Folder').fill(dir);
    const seen = since();
    await throughFirstRun(page);
    await page.getByRole('article', { name: 'notes: Up to date' }).filter({ hasText: '1 file' }).waitFor();
    print({ name: 'a new user: the agent answers after', value: answers, unit: 'ms' });
    print({ name: '... the page can be filled in after', value: seen, unit: 'ms' });
    print({ name: '... the first mirrored file is seen after', value: since(), unit: 'ms' });
  } finally {
    await agent.dispose();
  }
}

async function throughFirstRun(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create and mirror' }).click();
  await page.getByRole('heading', { name: 'Copy a token' }).waitFor();
  await page.getByRole('link', { name: 'Skip, I know the way' }).click();
}
