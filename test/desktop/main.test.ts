// The whole main process, with a stand-in for Electron around it and a real agent process under it.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ForkOptions } from 'electron';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { AgentClient } from '../../electron/agent-client.ts';
import type { AgentState, DesktopState } from '../../electron/ipc-contract.ts';
import { MooringClient } from '../../sdk/index.ts';
import { agentFlags } from '../../server/platform/process/engine-flags.ts';
import { processFile } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { StandInElectron } from './fake-electron.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** A whole agent starts, perhaps on a machine that does much else. */
const slow = 240_000;
const patient = { deadlineMs: 120_000 };

let electron: StandInElectron;

/** Of a utility process's command line V8 reads one switch and nothing else. */
function engineSwitches(options: ForkOptions): readonly string[] {
  const prefix = '--js-flags=';
  const [own] = (options.execArgv ?? []).filter((each) => each.startsWith(prefix));
  return own === undefined ? [] : own.slice(prefix.length).split(' ');
}

/** The utility process as a process of Node: Electron's parentPort, made of what Node gives. */
function forkAgent(dataDir: string): (file: string, options: ForkOptions) => unknown {
  const shim = path.join(tempFolder(), 'parent-port.mjs');
  writeFileSync(
    shim,
    `process.parentPort = {
      on: (_event, listener) => process.on('message', (data) => listener({ data })),
      postMessage: (message) => process.send(message),
    };`,
  );
  return (_file, options) => {
    const child: ChildProcess = fork(processFile('utility-process'), [], {
      execArgv: [...engineSwitches(options), '--import', shim],
      env: {
        ...process.env,
        MOORING_DATA_DIR: dataDir,
        MOORING_LISTEN: '127.0.0.1:0',
        MOORING_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    return {
      stdout: child.stdout,
      stderr: child.stderr,
      on: (name: string, listener: (...args: unknown[]) => void) => child.on(name, listener),
      once: (name: string, listener: (...args: unknown[]) => void) => child.once(name, listener),
      postMessage: (message: object) => child.send(message),
      kill: () => child.kill('SIGKILL'),
    };
  };
}

const children: ChildProcess[] = [];
let signalListeners: { name: 'SIGTERM' | 'SIGINT'; listeners: NodeJS.SignalsListener[] }[] = [];

beforeEach(() => {
  vi.resetModules();
  signalListeners = (['SIGTERM', 'SIGINT'] as const).map((name) => ({
    name,
    listeners: process.listeners(name) as NodeJS.SignalsListener[],
  }));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const { name, listeners } of signalListeners) {
    for (const listener of process.listeners(name)) {
      if (!listeners.includes(listener as NodeJS.SignalsListener)) process.off(name, listener);
    }
  }
});

function standIn(): { readonly folder: string; readonly dataDir: string } {
  const folder = tempFolder('mooring-desktop');
  electron = new StandInElectron({ appData: folder, userData: '', logs: path.join(folder, 'logs') });
  const { module } = electron;
  vi.doMock('electron', () => module);
  vi.doMock('electron-updater', () => ({ autoUpdater: 'made only with a feed' }));
  const dataDir = path.join(folder, 'data');
  electron.fork = forkAgent(dataDir);
  return { folder, dataDir };
}

const agentState = async () => (await electron.invoke('agent:state')) as AgentState;

async function readyUrl(): Promise<string> {
  return await waitFor(
    'the agent to be ready',
    async () => {
      const state = electron.handlers.has('agent:state') ? await agentState() : undefined;
      return state?.kind === 'ready' ? state.url : undefined;
    },
    patient,
  );
}

it('a second start hands over to the first and ends', async () => {
  standIn();
  electron.lockGranted = false;
  await import('../../electron/main.ts');
  expect(electron.exited).toBe(true);
  expect([electron.windows.length, electron.handlers.size, children.length]).toEqual([0, 0, 0]);
});

it('starts, shows the agent’s UI, survives a crash of the agent, and quits when the agent is gone', {
  timeout: slow,
}, async () => {
  const { folder, dataDir } = standIn();
  await import('../../electron/main.ts');
  const url = await readyUrl();

  // The agent has its switches of V8, and the window's processes keep theirs: those of the app are not touched.
  expect(children.at(0)?.spawnargs).toEqual(expect.arrayContaining([...agentFlags]));
  expect(electron.called('app.commandLine.appendSwitch')).toEqual([]);

  // What must stand before anything is loaded.
  const names = electron.calls.map(([name]) => name);
  expect(names.indexOf('app.enableSandbox')).toBeLessThan(names.indexOf('app.whenReady'));
  expect(electron.called('protocol.register')).toEqual([
    [[{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]],
  ]);
  expect(electron.paths.userData).toBe(path.join(folder, 'mooring-desktop'));
  expect(names).toContain('session.setPermissionRequestHandler');
  expect(electron.called('session.on')).toEqual([['will-download']]);

  // The window: a page like any other.
  const [window] = electron.windows;
  if (window === undefined) throw new Error('there is no window');
  expect(window.options.webPreferences).toEqual({
    preload: path.join(root, 'electron/preload.cjs'),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  });
  expect(window.loaded).toEqual(['app://mooring/']);

  // Its contents are guarded: it stays where it is and opens nothing; a link to the web goes to the browser.
  const leaving = { url: 'https://example.com/', preventDefault: vi.fn() };
  for (const name of ['will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
    window.webContents.emit(name, leaving);
  }
  expect(leaving.preventDefault).toHaveBeenCalledTimes(3);
  expect(window.openHandler?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' });
  expect(electron.called('shell.openExternal')).toEqual([['https://example.com/']]);

  const page = await electron.protocolHandler?.(new Request('app://mooring/'));
  expect(page?.headers.get('content-security-policy')).toContain(
    `connect-src ${url} ${url.replace('http', 'ws')};`,
  );

  // The page signs in with a code of the agent's, which works once.
  const code = (await electron.invoke('agent:sign-in-code')) as string;
  const { token } = await new MooringClient({ baseUrl: url }).agent.signIn.exchange(code);
  const client = new MooringClient({ baseUrl: url, token });
  expect((await client.agent.status()).dataDir).toBe(dataDir);

  // A mirrored file is shown and opened; a program, and what is not there, are not.
  const dir = path.join(folder, 'mirrored');
  mkdirSync(dir);
  writeFileSync(path.join(dir, 'notes.md'), 'notes');
  writeFileSync(path.join(dir, 'start.desktop'), '[Desktop Entry]');
  const { workspaceId } = await client.workspaces.create({ name: 'home' });
  await client.mirrors.add(workspaceId, dir);
  expect(await electron.invoke('path:open', { workspaceId, path: '/notes.md' })).toEqual({ ok: true });
  expect(await electron.invoke('path:reveal', { workspaceId, path: '/start.desktop' })).toEqual({
    ok: true,
  });
  expect(electron.called('shell.openPath')).toEqual([[path.join(dir, 'notes.md')]]);
  expect(electron.called('shell.showItemInFolder')).toEqual([[path.join(dir, 'start.desktop')]]);
  expect(await electron.invoke('path:open', { workspaceId, path: '/start.desktop' })).toMatchObject({
    ok: false,
    cause: 'Executable files are not opened.',
  });
  await expect(electron.invoke('path:open', dir)).rejects.toThrow('arguments');

  // What "Pause all" of the tray asks: the agent ends a pause that has an end.
  const desktop = new AgentClient(() => ({ url, ownerToken: token }), fetch);
  const [mirror] = await client.mirrors.list(workspaceId);
  if (mirror === undefined) throw new Error('there is no mirror');
  const untilMs = Date.now() + 3_600_000;
  for (const [end, pausedUntil] of [
    [untilMs, new Date(untilMs).toISOString()],
    [null, null],
  ] as const) {
    await desktop.pause(mirror, end);
    expect(await client.mirrors.list(workspaceId)).toMatchObject([{ state: 'paused', pausedUntil }]);
  }
  await desktop.resume(mirror);
  expect((await client.mirrors.list(workspaceId))[0]?.state).not.toBe('paused');

  // The folder of a run is shown while the run is open.
  const { runId } = await client.runs.create(workspaceId);
  const runFolder = await client.runs.openFolder(workspaceId, runId);
  const ofRun = { workspaceId, runId, path: '/' };
  expect(await electron.invoke('path:reveal', ofRun)).toEqual({ ok: true });
  expect(electron.called('shell.showItemInFolder').at(-1)).toEqual([realpathSync(runFolder.dir)]);
  await client.runs.discard(workspaceId, runId);
  expect(await electron.invoke('path:reveal', ofRun)).toMatchObject({
    ok: false,
    cause: 'The folder of the run was not found.',
  });

  // What Settings shows and changes.
  const before = (await electron.invoke('desktop:state')) as DesktopState;
  expect(before).toMatchObject({
    version: '0.0.0-test',
    startAtLogin: { on: false, unavailable: 'Only an installed app can start at login.' },
    secrets: { kind: 'file-permissions' },
    updates: { kind: 'off' },
  });
  await electron.invoke('desktop:change', { keepRunning: true, notifications: false });
  expect(await electron.invoke('desktop:state')).toMatchObject({
    keepRunning: { on: true },
    notifications: { on: false },
  });
  expect(existsSync(path.join(folder, 'mooring-desktop/desktop.json'))).toBe(true);

  // Closing hides; a second start with a link brings it back to that place.
  window.close();
  expect([window.visible, window.isDestroyed()]).toEqual([false, false]);
  electron.appEvents.emit('second-instance', {}, ['mooring', 'mooring://open/files/notes.md']);
  expect(window.visible).toBe(true);
  expect(window.sent.at(-1)).toEqual(['page:go', 'files/notes.md']);

  // A page with unsaved text goes only when the person says so.
  for (const [answer, goes] of [
    [0, false],
    [1, true],
  ] as const) {
    electron.messageAnswer = answer;
    let isLetGo = false;
    window.webContents.emit('will-prevent-unload', {
      preventDefault: () => {
        isLetGo = true;
      },
    });
    expect(isLetGo).toBe(goes);
  }
  electron.messageAnswer = 0;

  // The agent dies: the page is told, a report is written, another one comes.
  children.at(-1)?.kill('SIGKILL');
  await waitFor('another agent', () => children.length === 2, patient);
  const again = await readyUrl();
  expect(window.sent.map(([channel]) => channel)).toContain('agent:state-changed');
  const crash = (await electron.invoke('agent:crash')) as { reason: string; file: string };
  expect(crash.reason).toMatch(/^exited with code/);
  expect(readdirSync(path.join(folder, 'logs'))).toEqual([path.basename(crash.file)]);
  expect(again).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

  // Quitting stops the agent first.
  const child = children.at(-1);
  electron.quit();
  expect(electron.exited).toBe(false);
  await waitFor('the app to be gone', () => electron.exited, patient);
  expect(child?.exitCode).toBe(0);
  expect(existsSync(path.join(dataDir, 'agent.json'))).toBe(false);
});

it('a start by the system at login opens no window, and a link that came with it does', {
  timeout: slow,
}, async () => {
  standIn();
  const args = process.argv;
  onTestFinished(() => {
    process.argv = args;
  });
  process.argv = [...args, '--hidden'];
  await import('../../electron/main.ts');
  await readyUrl();
  expect(electron.windows).toEqual([]);
  electron.appEvents.emit('open-url', { preventDefault: () => undefined }, 'mooring://open/conflicts');
  expect(electron.windows.map(({ loaded }) => loaded)).toEqual([['app://mooring/#conflicts']]);
  electron.quit();
  await waitFor('the app to be gone', () => electron.exited, patient);
});
