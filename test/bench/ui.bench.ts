// What a person waits for: the first paint of the UI beside that of a page that holds one word, and the way of a new user from
// starting the agent to the first file of their folder in the UI. In a real Chromium, against a real agent process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../build/chromium.ts';
import { UiAgent } from '../ui/ui-agent.ts';
import { alternate, median, percentile, print, printComparison, roundsMin } from './report.ts';

const loads = 15;
const firstPaintMsMax = 1_000;
const firstPaintRatioMax = 8;
const newUserRatioMax = 12;

const onePage = `require('node:http').createServer((request, response) => response.end('<title>floor</title><p>Mooring</p>'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

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
    const { own, floor } = await alternate(
      loads,
      async () => await paintMs(browser, (await agent.client.agent.signIn.link()).url),
      async () => await paintMs(browser, floorUrl),
    );
    printComparison({
      name: 'first paint of the UI, nothing cached',
      unit: 'ms',
      floorName: 'a page with one word',
      own,
      floor,
      reach: { at: 'most', value: firstPaintRatioMax },
    });
    print({
      name: 'first paint of the UI, p95',
      value: percentile(own, 0.95),
      unit: 'ms',
      reach: { at: 'most', value: firstPaintMsMax },
    });
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

/** Floor: a new Node process with a server of one page, and its first paint. */
async function newUser(browser: Browser): Promise<void> {
  const steps = { answers: [] as number[], seen: [] as number[] };
  const { own, floor } = await alternate(
    roundsMin,
    async () => {
      const { answers, seen, mirrored } = await firstFile(browser);
      steps.answers.push(answers);
      steps.seen.push(seen);
      return mirrored;
    },
    async () => await firstPage(browser),
  );
  print({ name: 'a new user: the agent answers after', value: median(steps.answers), unit: 'ms' });
  print({ name: 'a new user: the page can be filled in after', value: median(steps.seen), unit: 'ms' });
  printComparison({
    name: 'a new user: the first mirrored file is seen after',
    unit: 'ms',
    floorName: 'a new server and its page with one word',
    own,
    floor,
    reach: { at: 'most', value: newUserRatioMax },
  });
}

async function firstPage(browser: Browser): Promise<number> {
  const begun = performance.now();
  const server = spawn(process.execPath, ['-e', onePage], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    await paintMs(browser, `http://127.0.0.1:${String(port).trim()}/`);
    return performance.now() - begun;
  } finally {
    server.kill();
  }
}

/** As quickly as a program can click. */
async function firstFile(browser: Browser): Promise<{ answers: number; seen: number; mirrored: number }> {
  const agent = new UiAgent(null);
  const begun = performance.now();
  const since = (): number => performance.now() - begun;
  const context = await browser.newContext();
  try {
    await agent.start();
    const answers = since();
    const dir = agent.folder('notes');
    writeFileSync(path.join(dir, 'first.md'), '# First\n');
    const page = await context.newPage();
    await page.goto((await agent.client.agent.signIn.link()).url);
    await page.getByLabel('Folder').fill(dir);
    const seen = since();
    await throughFirstRun(page);
    await page.getByRole('article', { name: 'notes: Up to date' }).filter({ hasText: '1 file' }).waitFor();
    return { answers, seen, mirrored: since() };
  } finally {
    await context.close();
    await agent.dispose();
  }
}

async function throughFirstRun(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create and mirror' }).click();
  await page.getByRole('heading', { name: 'Copy a token' }).waitFor();
  await page.getByRole('link', { name: 'Skip setup' }).click();
}
