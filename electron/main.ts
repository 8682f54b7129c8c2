// Entry point of the desktop app's main process: single instance, folders, and the restrictions that must be in place before
// any page loads; then shell.ts takes over.
import { homedir } from 'node:os';
import path from 'node:path';
import { app, Menu, powerMonitor, protocol, safeStorage, shell as system, utilityProcess } from 'electron';
import { autoUpdater } from 'electron-updater';
import { agentEnvironment, agentFlags } from '../server/platform/process/engine-flags.ts';
import type { Clock, HostedProcess } from './agent-host.ts';
import { appScheme } from './app-protocol.ts';
import { LastLines } from './crash-report.ts';
import { linkScheme, locationInArguments, locationOfLink } from './deep-link.ts';
import { hiddenArgument } from './login-item.ts';
import { loadMasterKey } from './secrets.ts';
import { restrictContents } from './security.ts';
import { Shell } from './shell.ts';

// The bundles share one folder (build/vite.{main,preload,agent}.ts); Electron Forge adds the UI.
const here = import.meta.dirname;
const preloadFile = path.join(here, 'preload.cjs');
const agentFile = path.join(here, 'agent.mjs');
const iconFolder = path.join(here, 'icons');
const uiFolder = path.join(here, '../dist/renderer');

const clock: Clock = {
  now: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

const agentLines = new LastLines();

function forkAgent(): HostedProcess {
  const child = utilityProcess.fork(agentFile, [], {
    serviceName: 'Mooring agent',
    stdio: 'pipe',
    env: { ...agentEnvironment, ...process.env },
    // V8 reads its switches only from Chromium's command line. Set here and not for the app, so that the window's processes
    // keep their protections.
    execArgv: [`--js-flags=${agentFlags.join(' ')}`],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      agentLines.append(chunk.toString('utf8'));
      process.stderr.write(chunk);
    });
  }
  return child;
}

/** Electron's default on macOS is the agent's data directory, which only the agent may use. */
function chooseFolders(): void {
  const name = process.platform === 'linux' ? 'mooring-desktop' : 'Mooring Desktop';
  app.setPath('userData', path.join(app.getPath('appData'), name));
  // Windows identifies the app by this name in notifications and the taskbar.
  if (process.platform === 'win32') app.setAppUserModelId('org.mooring.app');
}

/** macOS needs a menu for shortcuts such as copy and paste; elsewhere they work without one. */
function setMenu(): void {
  const roles = [
    { role: 'appMenu' as const },
    { role: 'editMenu' as const },
    { role: 'windowMenu' as const },
  ];
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate(roles) : null);
}

async function createShell(): Promise<Shell> {
  const userData = app.getPath('userData');
  return new Shell({
    preloadFile,
    uiFolder,
    iconFolder,
    settingsFile: path.join(userData, 'desktop.json'),
    logFolder: app.getPath('logs'),
    configFolder: process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'),
    executable: process.env.APPIMAGE ?? process.execPath,
    platform: process.platform,
    currentDesktop: process.env.XDG_CURRENT_DESKTOP,
    masterKey: await loadMasterKey(safeStorage, path.join(userData, 'master.key'), process.platform),
    clock,
    nowMs: () => Date.now(),
    forkAgent,
    agentLines,
    updateEngine: () => autoUpdater,
    fetch: (url, init) => fetch(url, init),
  });
}

/** Locations that arrive before the app is ready are opened by the shell later. */
function run(): void {
  let shell: Shell | undefined;
  let location = locationInArguments(process.argv);
  const open = (requested: string | null) => {
    if (shell === undefined) location = requested ?? location;
    else shell.open(requested);
  };
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  app.on('second-instance', (_event, args) => open(locationInArguments(args)));
  app.on('activate', () => open(null));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(locationOfLink(url));
  });
  app.on('window-all-closed', () => {
    if (shell?.keepsRunningWithoutWindows !== true) app.quit();
  });
  app.on('web-contents-created', (_event, contents) => {
    restrictContents(contents, (url) => void system.openExternal(url));
  });
  app.on('before-quit', (event) => {
    if (shell !== undefined && !shell.requestQuit()) event.preventDefault();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => (shell === undefined ? app.quit() : shell.quitNow()));
  }
  void app.whenReady().then(async () => {
    if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
    setMenu();
    shell = await createShell();
    const ready = shell;
    powerMonitor.on('shutdown', (...args: readonly unknown[]) => {
      // Documented by Electron, but missing in its types.
      const [event] = args as readonly [{ preventDefault(): void }?];
      if (!ready.quitNow()) event?.preventDefault();
    });
    ready.start();
    const hidden = process.argv.includes(hiddenArgument) || app.getLoginItemSettings().wasOpenedAtLogin;
    if (!hidden || location !== null) ready.open(location);
  });
}

chooseFolders();
if (app.requestSingleInstanceLock()) run();
else app.quit();
