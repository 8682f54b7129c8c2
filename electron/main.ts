// The desktop app's main process: one instance, the app:// protocol, the agent's supervisor and one window. It
// decides nothing about files; that is the agent's, in its own process.
import { app, type BrowserWindow, ipcMain, net, protocol, session, shell, utilityProcess } from 'electron';
import { AgentHost, type Clock } from './agent-host.ts';
import { answer, appScheme } from './app-protocol.ts';
import type { AgentState } from './ipc-contract.ts';
import { broadcast, handle, noArguments } from './ipc-main.ts';
import { denyPermissions, guardContents } from './security.ts';
import { createWindow, showWindow } from './window.ts';

// The bundles lie beside each other (build/vite.{main,preload,agent}.ts).
const preloadFile = `${import.meta.dirname}/preload.cjs`;
const agentFile = `${import.meta.dirname}/agent.mjs`;

const clock: Clock = {
  now: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

let window: BrowserWindow | undefined;

const host = new AgentHost({
  clock,
  fork: () => utilityProcess.fork(agentFile, [], { serviceName: 'Mooring agent', stdio: 'inherit' }),
  onState: tellWindow,
});

function tellWindow(state: AgentState): void {
  if (window === undefined || window.isDestroyed()) return;
  broadcast(window.webContents, 'agent:state-changed', state);
  // Each of these has a page of its own, which the protocol serves: the UI, or what to know meanwhile.
  if (state.kind === 'ready' || state.kind === 'failed') window.webContents.reload();
}

function openWindow(): void {
  if (window !== undefined && !window.isDestroyed()) {
    showWindow(window);
    return;
  }
  window = createWindow(preloadFile);
}

function run(): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  app.on('second-instance', openWindow);
  app.on('activate', openWindow);
  // On macOS an app without windows goes on, and so does its agent; elsewhere nothing would be left to quit it by.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, (url) => void shell.openExternal(url));
  });

  let stopped = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void host.stop().finally(() => {
      stopped = true;
      app.quit();
    });
  });

  void app.whenReady().then(() => {
    denyPermissions(session.defaultSession);
    protocol.handle(appScheme, (request) => answer(request, host.state, (url, init) => net.fetch(url, init)));
    handle(ipcMain, 'agent:state', noArguments, () => host.state);
    handle(ipcMain, 'agent:revive', noArguments, () => {
      host.start();
      return host.state;
    });
    host.start();
    openWindow();
  });
}

if (app.requestSingleInstanceLock()) run();
else app.quit();
