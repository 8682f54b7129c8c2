// The main window: sandboxed, isolated from the preload script, without Node. It shows the UI of the running agent or the
// status page, and saves its bounds.
import { BrowserWindow, dialog, type MessageBoxOptions, screen } from 'electron';
import { type AppPages, startUrl } from './app-protocol.ts';
import type { DesktopSettings } from './desktop-file.ts';
import type { AgentState, BroadcastChannel, Broadcasts } from './ipc-contract.ts';
import { broadcast } from './ipc-main.ts';
import type { QuitPrompt } from './quit.ts';
import { windowBounds, windowMin } from './window-state.ts';

/** A page that crashes twice within this time is not reloaded without a prompt. */
const crashLoopMs = 10_000;
const appName = 'Mooring';

const discardButton = 1;
const unsavedPrompt = {
  type: 'question' as const,
  message: 'Unsaved changes or a running upload',
  detail: 'Unsaved changes exist only in this window, and an upload ends when the window closes.',
  buttons: ['Keep editing', 'Discard'],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
};

export interface MainWindowOptions {
  readonly preloadFile: string;
  readonly iconFile: string;
  readonly settings: DesktopSettings;
  readonly pages: Pick<AppPages, 'servedFor'>;
  /** Whether closing hides the window and leaves the app running. */
  readonly keepRunning: () => boolean;
  readonly isQuitting: () => boolean;
  readonly onShutdown: () => void;
  readonly now: () => number;
}

export class MainWindow {
  readonly #options: MainWindowOptions;
  /** Reported by the page. */
  holdsUnsaved = false;
  #window: BrowserWindow | undefined;
  #crashedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  get isInFront(): boolean {
    return this.#openWindow()?.isFocused() ?? false;
  }

  /** Brings the window to the front and opens `location` (as after `#`). */
  open(location: string | null = null): void {
    const window = this.#openWindow();
    if (window === undefined) {
      this.#window = this.#create(location);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (location === null) return;
    if (this.#options.pages.servedFor === null) void window.loadURL(`${startUrl}#${location}`);
    else broadcast(window.webContents, 'page:go', location);
  }

  send<C extends BroadcastChannel>(channel: C, payload: Broadcasts[C]): void {
    const window = this.#openWindow();
    if (window !== undefined) broadcast(window.webContents, channel, payload);
  }

  /** A page of an agent with an unchanged URL reconnects; any other is reloaded. */
  follow(state: AgentState): void {
    const window = this.#openWindow();
    if (window === undefined) return;
    broadcast(window.webContents, 'agent:state-changed', state);
    const { servedFor } = this.#options.pages;
    const isOurs = state.kind === 'ready' ? servedFor === state.url : servedFor !== null;
    if (!isOurs || state.kind === 'failed') window.webContents.reload();
  }

  /** Shows the reason of a wait in the window's title; null: none. */
  setNotice(text: string | null): void {
    this.#openWindow()?.setTitle(text === null ? appName : `${appName}: ${text}`);
  }

  async askToQuit(question: QuitPrompt): Promise<'after' | 'now' | 'cancel'> {
    const options = {
      type: 'question' as const,
      ...question,
      buttons: ['Wait and quit', 'Quit now', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    };
    const response = await this.#prompt(options);
    return response === 0 ? 'after' : response === 1 ? 'now' : 'cancel';
  }

  /** true: unsaved changes may be discarded. */
  async confirmDiscard(): Promise<boolean> {
    return (await this.#prompt(unsavedPrompt)) === discardButton;
  }

  async chooseFolder(title: string, startIn: string | undefined): Promise<string | null> {
    const options = {
      title,
      ...(startIn === undefined ? {} : { defaultPath: startIn }),
      properties: ['openDirectory' as const, 'createDirectory' as const],
    };
    const window = this.#openWindow();
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    return canceled ? null : (filePaths[0] ?? null);
  }

  async #prompt(options: MessageBoxOptions): Promise<number> {
    const window = this.#openWindow();
    const { response } = await (window?.isVisible()
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options));
    return response;
  }

  #openWindow(): BrowserWindow | undefined {
    return this.#window === undefined || this.#window.isDestroyed() ? undefined : this.#window;
  }

  #create(location: string | null): BrowserWindow {
    const { preloadFile, iconFile, settings } = this.#options;
    const areas = screen.getAllDisplays().map((display) => display.workArea);
    const { maximized, ...bounds } = windowBounds(settings.content.window, areas);
    const window = new BrowserWindow({
      ...bounds,
      minWidth: windowMin.width,
      minHeight: windowMin.height,
      title: appName,
      icon: iconFile,
      show: false,
      webPreferences: {
        preload: preloadFile,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
    // Shown after the first paint, without a white flash.
    window.once('ready-to-show', () => {
      if (maximized) window.maximize();
      window.show();
    });
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('close', (event) => this.#onClose(window, event));
    // Windows ends the session: no time for prompts.
    window.on('query-session-end', () => this.#options.onShutdown());
    window.webContents.on('will-prevent-unload', (event) => this.#onUnsaved(window, event));
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#onPageGone(window, reason));
    void window.loadURL(location === null ? startUrl : `${startUrl}#${location}`);
    return window;
  }

  #onClose(window: BrowserWindow, event: { preventDefault(): void }): void {
    this.#options.settings.change({
      window: { ...window.getNormalBounds(), maximized: window.isMaximized() },
    });
    if (this.#options.isQuitting() || !this.#options.keepRunning()) return;
    event.preventDefault();
    window.hide();
  }

  /** Electron shows no prompt of its own and would not close the window. Before a quit the prompt was shown already. */
  #onUnsaved(window: BrowserWindow, event: { preventDefault(): void }): void {
    // preventDefault() here closes the page.
    if (this.#options.isQuitting() || dialog.showMessageBoxSync(window, unsavedPrompt) === discardButton)
      event.preventDefault();
  }

  #onPageGone(window: BrowserWindow, reason: string): void {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const isRepeated = this.#options.now() - this.#crashedAt < crashLoopMs;
    this.#crashedAt = this.#options.now();
    if (!isRepeated) {
      window.webContents.reload();
      return;
    }
    const detail = 'The agent keeps running and your folders keep syncing.';
    const message = `The window stopped working (${reason}).`;
    void dialog
      .showMessageBox(window, { type: 'error', message, detail, buttons: ['Reload', 'Close'] })
      .then(({ response }) => (response === 0 ? window.webContents.reload() : window.destroy()));
  }
}
