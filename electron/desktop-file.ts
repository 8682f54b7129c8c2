// The settings file of the app on this computer, in Electron's userData. An unreadable file counts as absent, because every
// setting has a default. It contains no secrets.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WindowState } from './window-state.ts';

export interface DesktopFile {
  readonly window: WindowState | null;
  /** null: the platform's default. */
  readonly keepRunning: boolean | null;
  readonly notifications: boolean;
  /** Ids of the mirrors that "Pause all" paused. */
  readonly pausedTogether: readonly string[];
  /** The update feed (https); null: no requests. Set manually or by the installer of the app. */
  readonly updateFeed: string | null;
}

const defaults: DesktopFile = {
  window: null,
  keepRunning: null,
  notifications: true,
  pausedTogether: [],
  updateFeed: null,
};

export class DesktopSettings {
  readonly #file: string;
  #content: DesktopFile;

  constructor(file: string) {
    this.#file = file;
    this.#content = read(file);
  }

  get content(): DesktopFile {
    return this.#content;
  }

  /** Replaces the file. A change that cannot be written is valid until the app exits. */
  change(change: Partial<DesktopFile>): void {
    this.#content = { ...this.#content, ...change };
    const temp = `${this.#file}.tmp`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(temp, `${JSON.stringify(this.#content, null, 2)}\n`);
      renameSync(temp, this.#file);
    } catch (error) {
      console.error(`${this.#file} could not be written:`, error);
    }
  }
}

function read(file: string): DesktopFile {
  try {
    return parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return defaults;
  }
}

/** Invalid fields get their defaults; the others are kept. */
function parse(value: unknown): DesktopFile {
  if (typeof value !== 'object' || value === null) return defaults;
  const { window, keepRunning, notifications, pausedTogether, updateFeed } = value as Record<string, unknown>;
  return {
    window: isWindowState(window) ? window : null,
    keepRunning: typeof keepRunning === 'boolean' ? keepRunning : null,
    notifications: typeof notifications === 'boolean' ? notifications : true,
    pausedTogether: isTexts(pausedTogether) ? pausedTogether : [],
    updateFeed: typeof updateFeed === 'string' ? updateFeed : null,
  };
}

function isWindowState(value: unknown): value is WindowState {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height, maximized } = value as Record<string, unknown>;
  return [x, y, width, height].every(Number.isSafeInteger) && typeof maximized === 'boolean';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
