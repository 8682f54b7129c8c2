// The one window. Its page is a web page like any other: sandboxed, isolated from the preload script, without Node.
import { BrowserWindow } from 'electron';
import { startUrl } from './app-protocol.ts';

export function createWindow(preloadFile: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1180,
    height: 780,
    minWidth: 640,
    minHeight: 480,
    title: 'Mooring',
    show: false,
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  // Shown when there is something to see, so that it does not flash white.
  window.once('ready-to-show', () => window.show());
  void window.loadURL(startUrl);
  return window;
}

/** Brings the window to the front, whatever state it is in. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
