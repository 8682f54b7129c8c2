// The app itself, in a real Electron, wherever there is one: from its start to its end, as a person would see it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { _electron } from '@playwright/test';
import { expect, it, onTestFinished } from 'vitest';
import { buildDesktop, findDesktop } from '../../build/start.mjs';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const desktop = findDesktop();
const minutes = 60_000;

it('opens its window on the UI of its agent, keeps the page in its sandbox, and ends with its agent', {
  timeout: 5 * minutes,
}, async ({ skip }) => {
  if ('missing' in desktop) skip(`the desktop app was not run: ${desktop.missing}`);
  const executablePath = 'run' in desktop ? desktop.run : '';
  expect(buildDesktop()).toBe(true);
  const folder = tempFolder('mooring-real-app');
  const config = path.join(folder, 'config');
  mkdirSync(config);
  const isRoot = process.getuid?.() === 0;
  const app = await _electron.launch({
    executablePath,
    args: [...(isRoot ? ['--no-sandbox'] : []), root],
    env: {
      ...(process.env as Record<string, string>),
      XDG_CONFIG_HOME: config,
      MOORING_DATA_DIR: path.join(folder, 'data'),
      MOORING_LISTEN: '127.0.0.1:0',
    },
    timeout: minutes,
  });
  const child = app.process();
  onTestFinished(() => void child.kill('SIGKILL'));
  const window = await app.firstWindow({ timeout: minutes });
  await window.getByRole('heading', { level: 1 }).waitFor({ timeout: minutes });
  await window.getByRole('navigation', { name: 'Main' }).waitFor({ timeout: minutes });
  expect(new URL(window.url()).protocol).toBe('app:');
  const seen = await window.evaluate(async () => ({
    node: [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')],
    bridge: typeof Reflect.get(window, 'mooring'),
    elsewhere: await fetch('http://127.0.0.1:9/').then(
      () => 'answered',
      () => 'refused',
    ),
  }));
  expect(seen).toEqual({ node: ['undefined', 'undefined'], bridge: 'object', elsewhere: 'refused' });
  await app.close();
  expect(child.exitCode).toBe(0);
});
