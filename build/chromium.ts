// Which Chromium the UI's tests run in: one on the PATH, else the one that Playwright has installed. Before all others the one without
// windows, Debian's package chromium-headless-shell: the same engine, and two thirds of the processor time of the tests.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

const namesOnPath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** What Chromium builds for each window of a person beside the page, a process of its own: a fifth of the tests' time. */
const partsOfWindows = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'] as const;
/** Features that Playwright disables. Of two such switches Chromium uses the last one only, so ours repeats these. */
const offInPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
] as const;

/** For a browser that shows pages to tests only. test/ui/browser.spec.ts guards it. */
export const withoutPartsOfWindows = `--disable-features=${[...offInPlaywright, ...partsOfWindows].join(',')}`;

/** The command that gives this system a browser for the tests. */
export const installChromiumCommand =
  process.platform === 'linux' ? 'sudo apt-get install chromium' : 'npx playwright install chromium';

/** The absolute path of a usable Chromium, or undefined. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const onPath = namesOnPath
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find(isExecutable);
  if (onPath !== undefined) return onPath;
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
