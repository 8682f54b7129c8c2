// Options that several commands share, and the parsers of their values. An invalid value is a usage error that names the option.
import { homedir } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { parseDurationMs, parseWholeNumber } from '../../platform/config/quantities.ts';

export interface CommonOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

export interface ProgressOptions {
  readonly progress?: true;
}

export function withDataDir(command: Command): Command {
  return command.option('--data-dir <DIR>', 'data directory of the agent', parseFolder);
}

/** For every command that prints data. */
export function withJson(command: Command): Command {
  return withDataDir(command).option('--json', 'print one JSON object');
}

/** For every command that may take long. */
export function withProgress(command: Command): Command {
  return command.option('--progress', 'print progress to stderr without a terminal too');
}

/** `500ms`, `60s`, `5m`, `24h` or `7d` in milliseconds. */
export function parseDuration(text: string): number {
  const durationMs = parseDurationMs(text);
  if (durationMs === null || durationMs === 0) {
    throw new InvalidArgumentError('Enter a duration, for example 60s, 5m, 24h or 7d.');
  }
  return durationMs;
}

const agoUnitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A date, optionally with a time and a zone, as ISO 8601 or as this program prints it. */
const timePattern =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?Z|[+-]\d{2}:\d{2})?)?$/i;

/** A time, or how long ago it was: `30s`, `10m`, `2h`, `1d`. */
export function parseSince(text: string): Date {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago === null) return parseTime(text);
  return new Date(Date.now() - Number(ago[1]) * agoUnitMs[ago[2] as keyof typeof agoUnitMs]);
}

/**
 * `2026-11-20`, `2026-11-20T15:00` or `2026-11-20 15:00:00` in local time; with `Z` or `+01:00` in that zone. Other texts are refused:
 * `Date.parse` takes `10` for October 2001, and an undo since then would take back everything.
 */
function parseTime(text: string): Date {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const timeMs = timePattern.test(text) ? Date.parse(isDate ? `${text}T00:00` : isoText(text)) : Number.NaN;
  // 31 February would be 3 March.
  if (Number.isNaN(timeMs) || !isDayOfMonth(text))
    throw new InvalidArgumentError(
      'Enter a time such as 2026-11-20T15:00 (local) or 2026-11-20T14:00:00Z, or 10m for ten minutes ago.',
    );
  return new Date(timeMs);
}

function isoText(text: string): string {
  return text
    .toUpperCase()
    .replace(/ (?=Z$)/, '')
    .replace(' ', 'T');
}

function isDayOfMonth(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** An absolute path. `~` is the home directory, for shells that do not expand it. */
export function parseFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('Enter the path of a folder.');
  const inHome = /^~(?:[\\/]|$)/.test(text) ? path.join(homedir(), text.slice(1)) : text;
  return path.resolve(inHome);
}

export function parseList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) throw new InvalidArgumentError('Enter names separated by commas.');
  return names;
}

/** A value of an option that can be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

export function parseCount(text: string): number {
  const count = parseWholeNumber(text);
  if (count === null || count < 1) throw new InvalidArgumentError('Enter a whole number of at least 1.');
  return count;
}

/** The members that have a value: an optional member of a request is absent, never undefined. */
export function defined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof defined<Members>>;
}
