// What the app itself remembers on this computer: one small file beside Electron's own. A file that cannot be read is as
// good as none, since everything in it has a default; it holds nothing secret.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Pause } from './pause-plan.ts';
import type { WindowState } from './window-state.ts';

export interface DesktopFile {
  readonly window: WindowState | null;
  /** null: as the platform has it. */
  readonly keepRunning: boolean | null;
  readonly notifications: boolean;
  readonly pause: Pause | null;
  /** Where updates come from; https. null: nothing is ever asked for. Set by hand or by who installs the app. */
  readonly updateFeed: string | null;
}

const nothing: DesktopFile = {
  window: null,
  keepRunning: null,
  notifications: true,
  pause: null,
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

  /** Replaces the file as a whole. What cannot be written holds until the app ends. */
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
    return nothing;
  }
}

/** Each part on its own: one that is wrong takes no other with it. */
function parse(value: unknown): DesktopFile {
  if (typeof value !== 'object' || value === null) return nothing;
  const { window, keepRunning, notifications, pause, updateFeed } = value as Record<string, unknown>;
  return {
    window: isWindowState(window) ? window : null,
    keepRunning: typeof keepRunning === 'boolean' ? keepRunning : null,
    notifications: typeof notifications === 'boolean' ? notifications : true,
    pause: isPause(pause) ? pause : null,
    updateFeed: typeof updateFeed === 'string' ? updateFeed : null,
  };
}

function isWindowState(value: unknown): value is WindowState {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height, maximized } = value as Record<string, unknown>;
  return [x, y, width, height].every(Number.isSafeInteger) && typeof maximized === 'boolean';
}

function isPause(value: unknown): value is Pause {
  if (typeof value !== 'object' || value === null) return false;
  const { untilMs, mirrors } = value as Record<string, unknown>;
  return (
    typeof untilMs === 'number' &&
    Array.isArray(mirrors) &&
    mirrors.every(
      (one) =>
        typeof one === 'object' &&
        one !== null &&
        typeof one.workspaceId === 'string' &&
        typeof one.mirrorId === 'string',
    )
  );
}
