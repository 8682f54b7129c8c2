// How a command displays its results: width, colour and time zone, from the terminal, the environment and the options of the command.
import { homedir } from 'node:os';
import path from 'node:path';
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

export interface DisplayOptions {
  /** false: `--no-color`. */
  readonly color?: boolean;
  readonly utc?: boolean;
}

/** Columns of a table where there is no terminal. */
const widthDefault = 100;
const widthMin = 40;
const widthMax = 500;

let options: DisplayOptions = {};

/** Once for each command, because one process may run several. */
export function setDisplay(chosen: DisplayOptions): void {
  options = chosen;
}

/** The columns of the terminal, else `COLUMNS`, else 100. */
export function displayWidth(): number {
  const columns = process.stdout.columns || Number(process.env.COLUMNS) || widthDefault;
  return Math.min(Math.max(Math.floor(columns), widthMin), widthMax);
}

/** https://no-color.org: any value of NO_COLOR but the empty one. A file or a pipe has no colours. */
export function hasColor(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY === true && options.color !== false && !NO_COLOR && TERM !== 'dumb';
}

/** `text` must not have control characters of others: it is printed unchanged. */
export function paint(text: string, style: Style | undefined, stream: { readonly isTTY?: boolean }): string {
  if (style === undefined || text === '' || !hasColor(stream)) return text;
  return styleText(style, text, { validateStream: false });
}

/** `2026-11-23 14:05:09` in local time; with `--utc` `2026-11-23 13:05:09Z`. */
export function formatTime(timestamp: string | Date): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return String(timestamp);
  const local = new Date(time.getTime() - (options.utc ? 0 : time.getTimezoneOffset()) * 60_000);
  const text = local.toISOString().slice(0, 19).replace('T', ' ');
  return options.utc ? `${text}Z` : text;
}

/** `14:05:09` if the time is of today, else with its day. */
export function formatTimeOfDay(timestamp: string): string {
  const text = formatTime(timestamp);
  const today = formatTime(new Date()).slice(0, 10);
  return text.startsWith(today) ? text.slice(11) : text;
}

/** The home directory as `~`, which every option that takes a folder accepts. */
export function displayFolder(dir: string): string {
  const home = homedir();
  return dir === home || dir.startsWith(home + path.sep) ? `~${dir.slice(home.length)}` : dir;
}
