import { defineConfig } from '@playwright/test';
import { findChromium } from './build/chromium.ts';

const executablePath = findChromium();
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'test/ui',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Two cores: the browser and the agent have one each.
  workers: 1,
  retries: 0,
  // Deadlines for a loaded machine: a test waits on conditions, and only one that hangs takes as long.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env.CI === 'true',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
