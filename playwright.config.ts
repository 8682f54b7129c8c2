import { defineConfig } from '@playwright/test';
import { findChromium, withoutPartsOfWindows } from './build/chromium.ts';
import './test/support/compile-cache.ts';

const executablePath = findChromium();
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'test/ui',
  globalSetup: './test/support/build-program.ts',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  snapshotPathTemplate: 'test/ui/baselines/{arg}{ext}',
  // Each test has an agent and a page of its own, so any may run at once. They wait for most of their time: with two
  // of them two processors were idle for half of it.
  fullyParallel: true,
  workers: 3,
  // `npm test` runs a test that failed a second time and names it (build/test.ts); a person wants to see the first failure.
  retries: 0,
  // Deadlines for a loaded machine: a test waits on conditions, and only one that hangs takes as long.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  forbidOnly: process.env.CI === 'true',
  projects: [
    // One after the other on one filled agent (test/ui/jobs/filled-agent.ts), beside the others: to fill it costs as much as a long walk.
    { name: 'jobs', testDir: 'test/ui/jobs', workers: 1, fullyParallel: false },
    { name: 'screens', testIgnore: '**/jobs/**' },
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // The tests of a worker share a page that is emptied between them (storage, cookies, routes): a tenth of the processor time was that of new ones.
    reuseContext: true,
    // What moves is drawn for nobody, and is waited for before each look at a state.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // A browser without windows would put letters on whole pixels, other than one with windows (test/ui/baselines).
        '--font-render-hinting=none',
        // A page of a test lives for seconds: to compile its code a second and a third time took a fifteenth of the processor time.
        '--js-flags=--no-opt --no-maglev',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        withoutPartsOfWindows,
      ],
    },
  },
});
