// The one window. Its page is a web page like any other: sandboxed, isolated from the preload script, without Node. It
// shows the UI of the agent that runs, or the page that says why none does, and remembers where it stood.
import { BrowserWindow, dialog, screen } from 'electron';
import { type AppPages, startUrl } from './app-protocol.ts';
import type { DesktopSettings } from './desktop-file.ts';
import type { AgentState, BroadcastChannel, Broadcasts } from './ipc-contract.ts';
import { broadcast } from './ipc-main.ts';
import type { Question } from './quit.ts';
import { placeWindow, windowMin } from './window-state.ts';

/** A page that ends twice within this time is not simply loaded again. */
const crashLoopMs = 10_000;
const appName = 'Mooring';

const loseIt = 1;
const unsavedQuestion = {
  type: 'question' as const,
  message: 'A file that you edit is not saved.',
  detail: 'What you typed exists only in this window.',
  buttons: ['Go on editing', 'Throw it away'],
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
  /** As the page says it. */
  holdsUnsaved = false;
  #window: BrowserWindow | undefined;
  #crashedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  get isInFront(): boolean {
    return this.#living()?.isFocused() ?? false;
  }

  /** Brings the window to the front, whatever state it is in; with a place, as after `#`, goes there. */
  open(place: string | null = null): void {
    const window = this.#living();
    if (window === undefined) {
      this.#window = this.#create(place);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (place === null) return;
    if (this.#options.pages.servedFor === null) void window.loadURL(`${startUrl}#${place}`);
    else broadcast(window.webContents, 'page:go', place);
  }

  send<C extends BroadcastChannel>(channel: C, payload: Broadcasts[C]): void {
    const window = this.#living();
    if (window !== undefined) broadcast(window.webContents, channel, payload);
  }

  /** The page of an agent that went on at its address heals by itself; any other is loaded again. */
  follow(state: AgentState): void {
    const window = this.#living();
    if (window === undefined) return;
    broadcast(window.webContents, 'agent:state-changed', state);
    const { servedFor } = this.#options.pages;
    const isOurs = state.kind === 'ready' ? servedFor === state.url : servedFor !== null;
    if (!isOurs || state.kind === 'failed') window.webContents.reload();
  }

  /** What is being waited for, as the window's title; null: nothing. */
  tell(text: string | null): void {
    this.#living()?.setTitle(text === null ? appName : `${appName}: ${text}`);
  }

  async askToQuit(question: Question): Promise<'after' | 'now' | 'cancel'> {
    const options = {
      type: 'question' as const,
      ...question,
      buttons: ['Quit after them', 'Quit now', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    };
    const window = this.#living();
    const { response } = await (window?.isVisible()
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options));
    return response === 0 ? 'after' : response === 1 ? 'now' : 'cancel';
  }

  /** true: text that is not saved may go. */
  async askToLose(): Promise<boolean> {
    const window = this.#living();
    const { response } = await (window?.isVisible()
      ? dialog.showMessageBox(window, unsavedQuestion)
      : dialog.showMessageBox(unsavedQuestion));
    return response === loseIt;
  }

  async chooseFolder(title: string, startIn: string | undefined): Promise<string | null> {
    const options = {
      title,
      ...(startIn === undefined ? {} : { defaultPath: startIn }),
      properties: ['openDirectory' as const, 'createDirectory' as const],
    };
    const window = this.#living();
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    return canceled ? null : (filePaths[0] ?? null);
  }

  #living(): BrowserWindow | undefined {
    return this.#window === undefined || this.#window.isDestroyed() ? undefined : this.#window;
  }

  #create(place: string | null): BrowserWindow {
    const { preloadFile, iconFile, settings } = this.#options;
    const areas = screen.getAllDisplays().map((display) => display.workArea);
    const { maximized, ...bounds } = placeWindow(settings.content.window, areas);
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
    // Shown when there is something to see, so that it does not flash white.
    window.once('ready-to-show', () => {
      if (maximized) window.maximize();
      window.show();
    });
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('close', (event) => this.#onClose(window, event));
    // Windows ends the session: there is no time for questions.
    window.on('query-session-end', () => this.#options.onShutdown());
    window.webContents.on('will-prevent-unload', (event) => this.#onUnsaved(window, event));
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#onPageGone(window, reason));
    void window.loadURL(place === null ? startUrl : `${startUrl}#${place}`);
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

  /** A browser asks by itself; here nothing would be said, and nothing would close. Before a quit it was asked already. */
  #onUnsaved(window: BrowserWindow, event: { preventDefault(): void }): void {
    // Preventing here lets the page go.
    if (this.#options.isQuitting() || dialog.showMessageBoxSync(window, unsavedQuestion) === loseIt)
      event.preventDefault();
  }

  #onPageGone(window: BrowserWindow, reason: string): void {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const lately = this.#options.now() - this.#crashedAt < crashLoopMs;
    this.#crashedAt = this.#options.now();
    if (!lately) {
      window.webContents.reload();
      return;
    }
    const detail = 'The agent goes on: your folders are mirrored as before.';
    const message = `The window stopped working (${reason}).`;
    void dialog
      .showMessageBox(window, { type: 'error', message, detail, buttons: ['Load it again', 'Close it'] })
      .then(({ response }) => (response === 0 ? window.webContents.reload() : window.destroy()));
  }
}
