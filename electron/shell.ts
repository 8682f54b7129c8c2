// Wires the desktop app once Electron is ready: supervisor, window, tray, notifications, updates, quitting. Decisions about
// files belong to the agent in its own process.
import { app, ipcMain, protocol, session } from 'electron';
import { AgentClient, isHealthy } from './agent-client.ts';
import { type AgentCrash, AgentHost, type Clock, type HostedProcess } from './agent-host.ts';
import { AppPages, appScheme } from './app-protocol.ts';
import { type LastLines, reportCrash } from './crash-report.ts';
import { DesktopSettings } from './desktop-file.ts';
import type { AgentState, CrashReport, DesktopChange, DesktopState } from './ipc-contract.ts';
import { registerHandlers } from './ipc-handlers.ts';
import { LoginItem } from './login-item.ts';
import { Monitor } from './monitor.ts';
import { decideNotifications, emptyMemory, type NotificationMemory } from './notification-rules.ts';
import { Notifier } from './notifier.ts';
import { PathActions } from './openable-path-actions.ts';
import { PauseAll } from './pause-all.ts';
import { Preferences } from './preferences.ts';
import { pendingTransfers, Quit, type QuitPrompt } from './quit.ts';
import type { MasterKey } from './secrets.ts';
import { limitDownloads, limitPermissions } from './security.ts';
import { TrayIcon } from './tray.ts';
import { TrayActions } from './tray-actions.ts';
import { hasTray, trayModel } from './tray-model.ts';
import { type UpdateEngine, Updater } from './updater.ts';
import { MainWindow } from './window.ts';

export interface ShellOptions {
  readonly preloadFile: string;
  /** The UI as built. */
  readonly uiFolder: string;
  readonly iconFolder: string;
  readonly settingsFile: string;
  readonly logFolder: string;
  /** `$XDG_CONFIG_HOME` or `~/.config`. */
  readonly configFolder: string;
  /** The executable of the app: the image of an AppImage. */
  readonly executable: string;
  readonly platform: NodeJS.Platform;
  readonly currentDesktop: string | undefined;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly forkAgent: () => HostedProcess;
  readonly agentLines: LastLines;
  readonly updateEngine: () => UpdateEngine;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export class Shell {
  readonly #options: ShellOptions;
  readonly #settings: DesktopSettings;
  readonly #loginItem: LoginItem;
  readonly #host: AgentHost;
  readonly #client: AgentClient;
  readonly #window: MainWindow;
  readonly #tray: TrayIcon | null;
  readonly #notifier: Notifier;
  readonly #monitor: Monitor;
  readonly #pauseAll: PauseAll;
  readonly #paths: PathActions;
  readonly #updater: Updater;
  readonly #preferences: Preferences;
  readonly #quit: Quit;
  #memory: NotificationMemory = emptyMemory;
  #lastCrash: CrashReport | null = null;
  #quitting = false;
  #exit = () => app.quit();

  constructor(options: ShellOptions) {
    this.#options = options;
    const { clock, nowMs, platform, fetch } = options;
    this.#settings = new DesktopSettings(options.settingsFile);
    this.#loginItem = new LoginItem({ app, ...options });
    this.#host = new AgentHost({
      clock,
      fork: options.forkAgent,
      onState: (state) => this.#onAgentState(state),
      onCrash: (crash) => this.#saveCrash(crash),
      isHealthy: (url) => isHealthy(url, fetch),
      masterKey: () => options.masterKey.key,
    });
    this.#client = new AgentClient(() => this.#agentAddress(), fetch);
    const pages = new AppPages({
      folder: options.uiFolder,
      agent: () => this.#host.state,
      lastCrash: () => this.#lastCrash,
    });
    this.#window = new MainWindow({
      preloadFile: options.preloadFile,
      iconFile: `${options.iconFolder}/app-256.png`,
      settings: this.#settings,
      pages,
      keepRunning: () => this.#preferences.keepRunning,
      isQuitting: () => this.#quitting,
      onShutdown: () => this.quitNow(),
      now: clock.now,
    });
    this.#notifier = new Notifier((location) => this.open(location === '' ? null : location));
    this.#monitor = new Monitor({
      client: this.#client,
      agent: () => this.#host.state,
      clock,
      nowMs,
      onSnapshot: () => this.#update(),
    });
    this.#pauseAll = new PauseAll({ client: this.#client, settings: this.#settings });
    this.#paths = new PathActions(this.#client, platform);
    this.#updater = new Updater({
      feed: this.#settings.content.updateFeed,
      isPackaged: app.isPackaged,
      engine: options.updateEngine,
      nowMs,
      after: clock.after,
      onState: () => this.#sendDesktopState(),
    });
    this.#preferences = new Preferences({
      settings: this.#settings,
      loginItem: this.#loginItem,
      updater: this.#updater,
      secrets: options.masterKey.protection,
      hasTray: hasTray(platform, options.currentDesktop),
    });
    this.#quit = new Quit({
      canDiscard: () => this.#canDiscard(),
      busy: () => pendingTransfers(this.#client),
      ask: (question) => this.#askToQuit(question),
      onWaiting: (text) => this.#showWaiting(text),
      stopAgent: () => this.#stopAll(),
      exit: () => this.#exitApp(),
      after: clock.after,
    });
    limitPermissions(session.defaultSession);
    limitDownloads(session.defaultSession);
    protocol.handle(appScheme, (request) => pages.answer(request));
    this.#registerHandlers();
    this.#tray = this.#makeTray(platform);
  }

  /** `location`: as after `#`; null: unchanged. */
  open(location: string | null): void {
    this.#window.open(location);
  }

  start(): void {
    this.#loginItem.refresh();
    this.#updater.start();
    this.#host.start();
  }

  /** true: the app may exit now. */
  requestQuit(): boolean {
    return this.#quit.request();
  }

  /** For a system shutdown or a signal: without prompts. */
  quitNow(): boolean {
    return this.#quit.requestNow();
  }

  get keepsRunningWithoutWindows(): boolean {
    return this.#options.platform === 'darwin' || this.#preferences.keepRunning;
  }

  #agentAddress() {
    const { state, ownerToken } = this.#host;
    return state.kind === 'ready' && ownerToken !== undefined ? { url: state.url, ownerToken } : null;
  }

  #onAgentState(state: AgentState): void {
    this.#window.follow(state);
    this.#update();
    this.#monitor.refresh();
  }

  #saveCrash(crash: AgentCrash): void {
    const { agentLines, logFolder, nowMs, platform } = this.#options;
    const about = { nowMs: nowMs(), version: app.getVersion(), system: `${platform} ${process.arch}` };
    this.#lastCrash = reportCrash(crash, agentLines.lines, logFolder, about);
  }

  /** Updates tray and notifications. */
  #update(): void {
    const { snapshot } = this.#monitor;
    const agent = this.#host.state;
    const nowMs = this.#options.nowMs();
    this.#tray?.show(trayModel({ agent, view: snapshot.view, busySinceMs: snapshot.busySinceMs, nowMs }));
    const windowInFront = this.#window.isInFront;
    const decision = decideNotifications(this.#memory, { ...snapshot, nowMs, windowInFront, agent });
    this.#memory = decision.memory;
    const show = this.#settings.content.notifications ? decision.show : [];
    this.#notifier.apply({ show, withdraw: decision.withdraw });
  }

  #makeTray(platform: NodeJS.Platform): TrayIcon | null {
    if (!hasTray(platform, this.#options.currentDesktop)) return null;
    const first = { agent: this.#host.state, view: null, busySinceMs: null, nowMs: this.#options.nowMs() };
    const actions = new TrayActions({
      host: this.#host,
      pauseAll: this.#pauseAll,
      paths: this.#paths,
      openWindow: (location) => this.open(location),
      onDone: () => this.#monitor.refresh(),
    });
    return new TrayIcon(
      { iconFolder: this.#options.iconFolder, platform, onAction: (action) => actions.run(action) },
      trayModel(first),
    );
  }

  #changeDesktop(change: DesktopChange): DesktopState {
    this.#preferences.change(change);
    if (change.notifications === false) this.#notifier.withdrawAll();
    this.#sendDesktopState();
    return this.#preferences.state;
  }

  #sendDesktopState(): void {
    this.#window.send('desktop:state-changed', this.#preferences.state);
  }

  #registerHandlers(): void {
    registerHandlers(ipcMain, {
      agentState: () => this.#host.state,
      reviveAgent: () => {
        this.#host.start();
        return this.#host.state;
      },
      lastCrash: () => this.#lastCrash,
      signInCode: async () => (this.#agentAddress() === null ? null : await this.#client.signInCode()),
      chooseFolder: ({ title = 'Choose a folder', startIn }) => this.#window.chooseFolder(title, startIn),
      reveal: (target) => this.#paths.reveal(target),
      open: (target) => this.#paths.open(target),
      holdsUnsaved: (holds) => {
        this.#window.holdsUnsaved = holds;
        return null;
      },
      desktopState: () => this.#preferences.state,
      changeDesktop: (change) => this.#changeDesktop(change),
      checkForUpdates: () => this.#updater.check(),
      installUpdate: () => this.#installUpdate(),
    });
  }

  /** Quits normally first, which stops the agent; the installed update starts a new one. */
  #installUpdate(): boolean {
    if (this.#updater.state.kind !== 'downloaded') return false;
    this.#exit = () => void this.#updater.install();
    app.quit();
    return true;
  }

  /** After Cancel the window opens again, because closing it may have caused the prompt. */
  async #askToQuit(question: QuitPrompt): Promise<'after' | 'now' | 'cancel'> {
    const answer = await this.#window.askToQuit(question);
    if (answer === 'cancel') this.open(null);
    return answer;
  }

  async #canDiscard(): Promise<boolean> {
    if (!this.#window.holdsUnsaved || (await this.#window.confirmDiscard())) return true;
    this.open(null);
    return false;
  }

  #showWaiting(text: string | null): void {
    this.#window.setNotice(text);
    this.#tray?.setNotice(text);
  }

  async #stopAll(): Promise<void> {
    this.#quitting = true;
    this.#monitor.stop();
    this.#updater.stop();
    await this.#host.stop();
  }

  #exitApp(): void {
    this.#notifier.withdrawAll();
    this.#tray?.destroy();
    this.#exit();
  }
}
