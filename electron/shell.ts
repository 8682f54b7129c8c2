// The desktop app, put together once Electron is ready: supervisor, window, tray, notifications, updates, and the way
// everything ends. It decides nothing about files; that is the agent's, in its own process.
import { app, ipcMain, protocol, session } from 'electron';
import { AgentClient, answersHealth } from './agent-client.ts';
import { type AgentCrash, AgentHost, type Clock, type HostedProcess } from './agent-host.ts';
import { AppPages, appScheme } from './app-protocol.ts';
import { type LastLines, reportCrash } from './crash-report.ts';
import { DesktopSettings } from './desktop-file.ts';
import type { AgentState, CrashReport, DesktopChange, DesktopState } from './ipc-contract.ts';
import { registerHandlers } from './ipc-handlers.ts';
import { LoginItem } from './login-item.ts';
import { Monitor } from './monitor.ts';
import { decideNotices, type Memory, nothingRemembered } from './notification-rules.ts';
import { Notifier } from './notifier.ts';
import { PlaceActions } from './openable-path-actions.ts';
import { Pauser } from './pause-all.ts';
import { Preferences } from './preferences.ts';
import { busyOf, type Question, Quit } from './quit.ts';
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
  /** What starts the app: inside an AppImage, the image. */
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
  readonly #pauser: Pauser;
  readonly #places: PlaceActions;
  readonly #updater: Updater;
  readonly #preferences: Preferences;
  readonly #quit: Quit;
  #memory: Memory = nothingRemembered;
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
      onState: (state) => this.#follow(state),
      onCrash: (crash) => this.#keepCrash(crash),
      isHealthy: (url) => answersHealth(url, fetch),
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
    this.#notifier = new Notifier((place) => this.open(place === '' ? null : place));
    this.#monitor = new Monitor({
      client: this.#client,
      agent: () => this.#host.state,
      clock,
      nowMs,
      onSight: () => this.#look(),
    });
    this.#pauser = new Pauser({ client: this.#client, settings: this.#settings, nowMs });
    this.#places = new PlaceActions(this.#client, platform);
    this.#updater = new Updater({
      feed: this.#settings.content.updateFeed,
      isPackaged: app.isPackaged,
      engine: options.updateEngine,
      nowMs,
      after: clock.after,
      onState: () => this.#tellDesktop(),
    });
    this.#preferences = new Preferences({
      settings: this.#settings,
      loginItem: this.#loginItem,
      updater: this.#updater,
      secrets: options.masterKey.protection,
      hasTray: hasTray(platform, options.currentDesktop),
    });
    this.#quit = new Quit({
      mayLose: () => this.#mayLose(),
      busy: () => busyOf(this.#client),
      ask: (question) => this.#askToQuit(question),
      onWaiting: (text) => this.#tellWaiting(text),
      stopAgent: () => this.#stopAll(),
      exit: () => this.#leave(),
      after: clock.after,
    });
    limitPermissions(session.defaultSession);
    limitDownloads(session.defaultSession);
    protocol.handle(appScheme, (request) => pages.answer(request));
    this.#registerHandlers();
    this.#tray = this.#makeTray(platform);
  }

  /** `place`: as after `#`; null: where the window is. */
  open(place: string | null): void {
    this.#window.open(place);
  }

  start(): void {
    this.#loginItem.refresh();
    this.#updater.start();
    this.#host.start();
  }

  /** true: the app may go at once. */
  requestQuit(): boolean {
    return this.#quit.request();
  }

  /** The system or a signal ends the app; no question is asked. */
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

  #follow(state: AgentState): void {
    this.#window.follow(state);
    this.#look();
    this.#monitor.poke();
  }

  #keepCrash(crash: AgentCrash): void {
    const { agentLines, logFolder, nowMs, platform } = this.#options;
    const about = { nowMs: nowMs(), version: app.getVersion(), system: `${platform} ${process.arch}` };
    this.#lastCrash = reportCrash(crash, agentLines.lines, logFolder, about);
  }

  /** What follows from how things are now. */
  #look(): void {
    const { sight } = this.#monitor;
    const agent = this.#host.state;
    const nowMs = this.#options.nowMs();
    this.#tray?.show(trayModel({ agent, view: sight.view, movingSinceMs: sight.movingSinceMs, nowMs }));
    const windowInFront = this.#window.isInFront;
    const decision = decideNotices(this.#memory, { ...sight, nowMs, windowInFront, agent });
    this.#memory = decision.memory;
    const show = this.#settings.content.notifications ? decision.show : [];
    this.#notifier.carryOut({ show, withdraw: decision.withdraw });
    void this.#pauser.look(sight.view);
  }

  #makeTray(platform: NodeJS.Platform): TrayIcon | null {
    if (!hasTray(platform, this.#options.currentDesktop)) return null;
    const first = { agent: this.#host.state, view: null, movingSinceMs: null, nowMs: this.#options.nowMs() };
    const actions = new TrayActions({
      host: this.#host,
      pauser: this.#pauser,
      places: this.#places,
      openWindow: (place) => this.open(place),
      onDone: () => this.#monitor.poke(),
    });
    return new TrayIcon(
      { iconFolder: this.#options.iconFolder, platform, onAction: (action) => actions.run(action) },
      trayModel(first),
    );
  }

  #changeDesktop(change: DesktopChange): DesktopState {
    this.#preferences.change(change);
    if (change.notifications === false) this.#notifier.withdrawAll();
    this.#tellDesktop();
    return this.#preferences.state;
  }

  #tellDesktop(): void {
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
      reveal: (place) => this.#places.reveal(place),
      open: (place) => this.#places.open(place),
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

  /** The agent is stopped first, in the usual way: what replaces the app starts the next one at once. */
  #installUpdate(): boolean {
    if (this.#updater.state.kind !== 'downloaded') return false;
    this.#exit = () => void this.#updater.install();
    app.quit();
    return true;
  }

  /** Whoever stays must find the window again, which may have been closed to get here. */
  async #askToQuit(question: Question): Promise<'after' | 'now' | 'cancel'> {
    const answer = await this.#window.askToQuit(question);
    if (answer === 'cancel') this.open(null);
    return answer;
  }

  async #mayLose(): Promise<boolean> {
    if (!this.#window.holdsUnsaved || (await this.#window.askToLose())) return true;
    this.open(null);
    return false;
  }

  #tellWaiting(text: string | null): void {
    this.#window.tell(text);
    this.#tray?.tell(text);
  }

  async #stopAll(): Promise<void> {
    this.#quitting = true;
    this.#monitor.stop();
    this.#updater.stop();
    await this.#host.stop();
  }

  #leave(): void {
    this.#notifier.withdrawAll();
    this.#tray?.destroy();
    this.#exit();
  }
}
