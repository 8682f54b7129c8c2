// The desktop app's main process begins here: one instance, names and folders of the platform, the guards that must
// stand before anything is loaded; then shell.ts takes over.
import { homedir } from 'node:os';
import path from 'node:path';
import { app, Menu, powerMonitor, protocol, safeStorage, shell as system, utilityProcess } from 'electron';
import { autoUpdater } from 'electron-updater';
import { agentFlags } from '../server/platform/process/engine-flags.ts';
import type { Clock, HostedProcess } from './agent-host.ts';
import { appScheme } from './app-protocol.ts';
import { LastLines } from './crash-report.ts';
import { linkScheme, placeInArguments, placeOfLink } from './deep-link.ts';
import { hiddenArgument } from './login-item.ts';
import { loadMasterKey } from './secrets.ts';
import { guardContents } from './security.ts';
import { Shell } from './shell.ts';

// The bundles lie beside each other (build/vite.{main,preload,agent}.ts), the UI where Electron Forge puts it.
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
    // Chromium's command line: V8 reads its switches from this one alone. Set here and not for the app, so that the window's
    // processes keep every guard that they have.
    execArgv: [`--js-flags=${agentFlags.join(' ')}`],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      agentLines.take(chunk.toString('utf8'));
      process.stderr.write(chunk);
    });
  }
  return child;
}

/** Not Electron's own choice: on macOS that is the agent's data directory, which is the agent's alone. */
function chooseFolders(): void {
  const name = process.platform === 'linux' ? 'mooring-desktop' : 'Mooring Desktop';
  app.setPath('userData', path.join(app.getPath('appData'), name));
  // Notifications and the taskbar know the app by this name on Windows.
  if (process.platform === 'win32') app.setAppUserModelId('org.mooring.app');
}

/** macOS needs a menu for its shortcuts, copy and paste among them; elsewhere a window without one has them too. */
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

/** Events of the app that may come before it is ready are kept until the shell is there. */
function run(): void {
  let shell: Shell | undefined;
  let place = placeInArguments(process.argv);
  const open = (wanted: string | null) => {
    if (shell === undefined) place = wanted ?? place;
    else shell.open(wanted);
  };
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  app.on('second-instance', (_event, args) => open(placeInArguments(args)));
  app.on('activate', () => open(null));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(placeOfLink(url));
  });
  app.on('window-all-closed', () => {
    if (shell?.keepsRunningWithoutWindows !== true) app.quit();
  });
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, (url) => void system.openExternal(url));
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
      // Electron's documentation gives the listener an event, its types do not.
      const [event] = args as readonly [{ preventDefault(): void }?];
      if (!ready.quitNow()) event?.preventDefault();
    });
    ready.start();
    const hidden = process.argv.includes(hiddenArgument) || app.getLoginItemSettings().wasOpenedAtLogin;
    if (!hidden || place !== null) ready.open(place);
  });
}

chooseFolders();
if (app.requestSingleInstanceLock()) run();
else app.quit();
