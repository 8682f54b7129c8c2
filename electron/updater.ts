// Updates: off until a feed URL is configured; then downloaded in the background and installed when the app quits, without
// prompts. electron-updater verifies them (SHA-512 of each file, the publisher's signature on macOS and Windows).
import type { UpdateState } from './ipc-contract.ts';

/** The part of electron-updater's AppUpdater that is used here. */
export interface UpdateEngine {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  setFeedURL(options: { provider: 'generic'; url: string }): void;
  checkForUpdates(): Promise<unknown>;
  quitAndInstall(): void;
  on(event: 'update-available', listener: (info: { readonly version: string }) => void): unknown;
  on(event: 'update-not-available', listener: () => void): unknown;
  on(event: 'download-progress', listener: (progress: { readonly percent: number }) => void): unknown;
  on(event: 'update-downloaded', listener: (info: { readonly version: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface UpdaterOptions {
  readonly feed: string | null;
  readonly isPackaged: boolean;
  /** Created only with a feed. */
  readonly engine: () => UpdateEngine;
  readonly nowMs: () => number;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly onState: (state: UpdateState) => void;
}

/** Not at the start, and four times a day. */
const firstCheckAfterMs = 5 * 60_000;
const checkEveryMs = 6 * 3_600_000;

export class Updater {
  readonly #options: UpdaterOptions;
  readonly #engine: UpdateEngine | null = null;
  #state: UpdateState;
  #version = '';
  #cancel: () => void = () => undefined;

  constructor(options: UpdaterOptions) {
    this.#options = options;
    const why = whyOff(options);
    if (why !== null || options.feed === null) {
      this.#state = { kind: 'off', why: why ?? '' };
      return;
    }
    this.#state = { kind: 'idle', checkedAt: null };
    this.#engine = options.engine();
    this.#listen(this.#engine, options.feed);
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** Starts periodic checks. */
  start(): void {
    this.#plan(firstCheckAfterMs);
  }

  stop(): void {
    this.#cancel();
  }

  /** Resolves with the result of the check; a download continues in the background. Does nothing during a check or download. */
  async check(): Promise<UpdateState> {
    if (this.#engine === null || (this.#state.kind !== 'idle' && this.#state.kind !== 'failed')) {
      return this.#state;
    }
    this.#set({ kind: 'checking' });
    try {
      await this.#engine.checkForUpdates();
    } catch (error) {
      this.#failed(error);
    }
    return this.#state;
  }

  /** false: no downloaded update. Otherwise the app quits and is replaced. */
  install(): boolean {
    if (this.#engine === null || this.#state.kind !== 'downloaded') return false;
    this.#engine.quitAndInstall();
    return true;
  }

  #listen(engine: UpdateEngine, url: string): void {
    engine.autoDownload = true;
    engine.autoInstallOnAppQuit = true;
    engine.setFeedURL({ provider: 'generic', url });
    engine.on('update-available', ({ version }) => {
      this.#version = version;
      this.#set({ kind: 'downloading', version, percent: 0 });
    });
    engine.on('update-not-available', () => this.#set({ kind: 'idle', checkedAt: this.#now() }));
    engine.on('download-progress', ({ percent }) => {
      this.#set({ kind: 'downloading', version: this.#version, percent: Math.floor(percent) });
    });
    engine.on('update-downloaded', ({ version }) => this.#set({ kind: 'downloaded', version }));
    engine.on('error', (error) => this.#failed(error));
  }

  #plan(delayMs: number): void {
    if (this.#engine === null) return;
    this.#cancel = this.#options.after(delayMs, () => {
      void this.check().then(() => this.#plan(checkEveryMs));
    });
  }

  #failed(error: unknown): void {
    const cause = error instanceof Error ? error.message : String(error);
    this.#set({ kind: 'failed', cause, checkedAt: this.#now() });
  }

  #now(): string {
    return new Date(this.#options.nowMs()).toISOString();
  }

  #set(state: UpdateState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

function whyOff({ feed, isPackaged }: UpdaterOptions): string | null {
  if (feed === null) return 'No update feed is configured.';
  const url = URL.parse(feed);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    return 'The configured feed URL is not https, or contains credentials.';
  }
  return isPackaged ? null : 'Only an installed app can be updated.';
}
