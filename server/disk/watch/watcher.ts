// What a watcher of a folder is: inotify-watcher.ts on Linux, chokidar-watcher.ts elsewhere; and the limits of watches in the system.
import { readFileSync } from 'node:fs';
import type { WatchTrouble } from '../port/folder.ts';
import type { NameHint } from '../scan/write-stability.ts';

export interface WatchEvents {
  /** `directory` is a wire path; `name` null: the directory as a whole. */
  onHint(directory: string, name: string | null, hint: NameHint): void;
  /** Hints have been lost or may be. `final`: there will be no more of them; poll. */
  onTrouble(detail: string, final: boolean): void;
}

export interface Watcher {
  /** Resolves when every directory is watched, or watching was given up (false). */
  start(): Promise<boolean>;
  stop(): Promise<void>;
}

/** The kernel's budget is spent; watching on would only pretend. */
const budgetCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

export function isBudgetSpent(code: string): boolean {
  return budgetCodes.has(code);
}

const limitsFolder = '/proc/sys/fs/inotify';

/** How many events the kernel keeps until they are read; null: unknown. */
export function readQueueLimit(folder = limitsFolder): number | null {
  return readLimit(folder, 'max_queued_events');
}

function readLimit(folder: string, name: string): number | null {
  try {
    const value = Number.parseInt(readFileSync(`${folder}/${name}`, 'utf8'), 10);
    return Number.isSafeInteger(value) ? value : null;
  } catch {
    return null;
  }
}

/** Error code of a refused watch -> the setting that limits it. */
const settingOf: Readonly<Record<string, string>> = {
  ENOSPC: 'max_user_watches',
  EMFILE: 'max_user_instances',
};

/** null: unknown, or another limit. */
export function readWatchLimit(code: string, folder = limitsFolder): WatchTrouble['limit'] {
  const name = settingOf[code];
  const value = name === undefined ? null : readLimit(folder, name);
  return value === null ? null : { setting: `fs.inotify.${name}`, value };
}
