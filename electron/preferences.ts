// What Settings shows about the app on this computer, and changes. Each choice is kept where the platform keeps it: start
// at login with the system, the rest in the app's own file.
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
  /** Whether a window that is only hidden can be found again. */
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

  /** Throws what the system says of a login item. */
  change({ startAtLogin, keepRunning, notifications }: DesktopChange): void {
    const { settings, loginItem } = this.#options;
    if (startAtLogin !== undefined) loginItem.set(startAtLogin);
    if (keepRunning !== undefined) settings.change({ keepRunning });
    if (notifications !== undefined) settings.change({ notifications });
  }
}
