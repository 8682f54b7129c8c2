// The settings of the desktop app: start at login is stored by the system, the others in the app's settings file.
import { app } from 'electron';
import type { DesktopSettings } from './desktop-file.ts';
import type { DesktopChange, DesktopState, SecretsProtection } from './ipc-contract.ts';
import type { LoginItem } from './login-item.ts';
import { Notifier } from './notifier.ts';
import type { Updater } from './updater.ts';

export interface PreferencesOptions {
  readonly settings: DesktopSettings;
  readonly loginItem: LoginItem;
  readonly updater: Pick<Updater, 'state'>;
  readonly secrets: SecretsProtection;
  /** Whether a hidden window can be opened from a tray. */
  readonly hasTray: boolean;
}

export class Preferences {
  readonly #options: PreferencesOptions;

  constructor(options: PreferencesOptions) {
    this.#options = options;
  }

  get keepRunning(): boolean {
    return this.#options.settings.content.keepRunning ?? this.#options.hasTray;
  }

  get state(): DesktopState {
    const { settings, loginItem, updater, secrets } = this.#options;
    return {
      version: app.getVersion(),
      startAtLogin: loginItem.state,
      keepRunning: { on: this.keepRunning, unavailable: null },
      notifications: { on: settings.content.notifications, unavailable: Notifier.unavailable },
      secrets,
      updates: updater.state,
    };
  }

  /** Throws the system's error for a login item. */
  change({ startAtLogin, keepRunning, notifications }: DesktopChange): void {
    const { settings, loginItem } = this.#options;
    if (startAtLogin !== undefined) loginItem.set(startAtLogin);
    if (keepRunning !== undefined) settings.change({ keepRunning });
    if (notifications !== undefined) settings.change({ notifications });
  }
}
