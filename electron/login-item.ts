// Start at login: a login item on macOS and Windows, a file of the XDG Autostart Specification on Linux. The app then starts
// without a window. Only an installed app can be started by the system.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import type { DesktopState } from './ipc-contract.ts';

/** The argument of a start at login: no window. */
export const hiddenArgument = '--hidden';

export interface LoginItemOptions {
  readonly app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  /** The executable of the app: the image of an AppImage. */
  readonly executable: string;
  /** `$XDG_CONFIG_HOME` or `~/.config`. */
  readonly configFolder: string;
}

export class LoginItem {
  readonly #options: LoginItemOptions;

  constructor(options: LoginItemOptions) {
    this.#options = options;
  }

  get state(): DesktopState['startAtLogin'] {
    const { app, platform } = this.#options;
    const unavailable = app.isPackaged ? null : 'Only an installed app can start at login.';
    const on =
      platform === 'linux'
        ? this.#autostartText() !== null
        : app.getLoginItemSettings({ args: [hiddenArgument] }).openAtLogin;
    return { on, unavailable };
  }

  /** Throws the system's error. */
  set(on: boolean): void {
    const { app, platform, executable } = this.#options;
    if (!app.isPackaged) return;
    if (platform !== 'linux') {
      app.setLoginItemSettings({ openAtLogin: on, args: [hiddenArgument] });
      return;
    }
    const file = this.#autostartFile();
    if (!on) {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, autostartEntry(executable));
  }

  /** Updates the path in the entry if the app has moved. Call at each start. */
  refresh(): void {
    const { app, platform, executable } = this.#options;
    if (!app.isPackaged || platform !== 'linux') return;
    const text = this.#autostartText();
    if (text !== null && text !== autostartEntry(executable)) this.set(true);
  }

  #autostartFile(): string {
    return path.join(this.#options.configFolder, 'autostart', 'mooring.desktop');
  }

  #autostartText(): string | null {
    try {
      return readFileSync(this.#autostartFile(), 'utf8');
    } catch {
      return null;
    }
  }
}

function autostartEntry(executable: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Mooring',
    `Exec=${quoteExec(executable)} ${hiddenArgument}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Desktop Entry Specification, "The Exec key": quoted for its own rules, then once more as a string of the file. */
function quoteExec(executable: string): string {
  const quoted = executable.replaceAll(/["`$\\]/g, (char) => `\\${char}`).replaceAll('%', '%%');
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
}
