// The desktop app's bundles, built as Electron Forge would. Its window needs an Electron runtime to be shown; what the
// bundles load, and that the bundled agent works, can be seen without one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'vite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { removeFolder, tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Inside the checkout, so that the database is found as a package; laid out as in the packaged app. */
const appFolder = path.join(root, 'node_modules/.cache/mooring-test/app');
const bundles = path.join(appFolder, '.vite/build');

beforeAll(async () => {
  removeFolder(appFolder);
  mkdirSync(bundles, { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(appFolder, 'package.json'));
  for (const name of ['main', 'preload', 'agent']) {
    const configFile = path.join(root, `build/vite.${name}.ts`);
    await build({ root, configFile, logLevel: 'error', build: { outDir: bundles } });
  }
}, 180_000);

/** What the files named so load when they run, but for each other. */
function loadedBy(files: RegExp): string[] {
  const loads = readdirSync(bundles)
    .filter((name) => files.test(name))
    .flatMap((name) => {
      const text = readFileSync(path.join(bundles, name), 'utf8');
      return [
        ...text.matchAll(/^(?:(?:var|let|const) \w+ = require\(|import\b[^'";]*)\s*["']([^"']+)["']/gm),
      ];
    })
    .map(([, name]) => name ?? '')
    .filter((name) => !name.startsWith('./'));
  return [...new Set(loads)].sort();
}

function isOfNode(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

describe('the bundle of', () => {
  it('the preload script loads nothing but electron, as a sandbox demands', () => {
    expect(loadedBy(/^preload\.cjs$/)).toEqual(['electron']);
  });

  it('the main process loads nothing but electron and Node', () => {
    expect(loadedBy(/^main\.cjs$/).filter((name) => !isOfNode(name))).toEqual(['electron']);
  });

  it('the agent loads nothing but Node and the database', () => {
    expect(loadedBy(/\.mjs$/).filter((name) => !isOfNode(name))).toEqual(['better-sqlite3']);
  });
});

describe('the bundled agent', () => {
  it('says ready to the process that forked it, answers, and ends when told to', async () => {
    // Electron's parentPort, made of what Node gives a forked process.
    const shim = path.join(tempFolder(), 'parent-port.mjs');
    writeFileSync(
      shim,
      `process.parentPort = {
        on: (_event, listener) => process.on('message', (data) => listener({ data })),
        postMessage: (message) => process.send(message),
      };`,
    );
    const child = fork(path.join(bundles, 'agent.mjs'), [], {
      execArgv: ['--import', shim],
      env: {
        ...process.env,
        MOORING_DATA_DIR: tempFolder('mooring-data'),
        MOORING_LISTEN: '127.0.0.1:0',
        MOORING_UI: 'false',
        MOORING_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');

    child.send({ command: 'start', masterKey: null });
    const [message] = await once(child, 'message');
    expect(message).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ownerToken: expect.stringMatching(/^ey/),
    });
    const health = await fetch(`${(message as { url: string }).url}/health`);
    expect(health.status).toBe(200);

    child.send({ command: 'stop' });
    expect(await exited).toEqual([0, null]);
  });
});
