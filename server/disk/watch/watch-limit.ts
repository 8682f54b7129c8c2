// How many watches this system gives to a user: on Linux a number that an administrator can raise, elsewhere not known.
import { readFileSync } from 'node:fs';

/** The setting that a refused watch ran into. */
const settingOf: Readonly<Record<string, string>> = {
  ENOSPC: 'max_user_watches',
  EMFILE: 'max_user_instances',
};

export interface WatchLimit {
  /** As sysctl knows it. */
  readonly setting: string;
  readonly value: number;
}

/** null: it is not known, or not the limit that was reached. */
export function readWatchLimit(code: string, folder = '/proc/sys/fs/inotify'): WatchLimit | null {
  const name = settingOf[code];
  if (name === undefined) return null;
  try {
    const value = Number.parseInt(readFileSync(`${folder}/${name}`, 'utf8'), 10);
    return Number.isSafeInteger(value) ? { setting: `fs.inotify.${name}`, value } : null;
  } catch {
    return null;
  }
}
