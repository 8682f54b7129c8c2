// Options that several commands share, and the parsers of their values. An invalid value is a usage error that names the option.
import { homedir } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { parseDurationMs, parseWholeNumber } from '../../platform/config/quantities.ts';

export interface CommonOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

export function withDataDir(command: Command): Command {
  return command.option('--data-dir <DIR>', 'data directory of the agent', parseFolder);
}

/** For every command that prints data. */
export function withJson(command: Command): Command {
  return withDataDir(command).option('--json', 'print one JSON object');
}

/** `500ms`, `60s`, `5m`, `24h` or `7d` in milliseconds. */
export function parseDuration(text: string): number {
  const durationMs = parseDurationMs(text);
  if (durationMs === null || durationMs === 0) {
    throw new InvalidArgumentError('Enter a duration, for example 60s, 5m, 24h or 7d.');
  }
  return durationMs;
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
