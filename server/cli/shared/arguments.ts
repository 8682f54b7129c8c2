// Arguments that several commands share, and how their text becomes a value. A bad one is a usage error that names it.
import { homedir } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { parseDurationMs, parseWholeNumber } from '../../platform/config/quantities.ts';

export interface CommonOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

export function withDataDir(command: Command): Command {
  return command.option('--data-dir <dir>', 'where the agent keeps its data', parseFolder);
}

/** For every command that shows something. */
export function withJson(command: Command): Command {
  return withDataDir(command).option('--json', 'print one JSON object');
}

/** `500ms`, `60s`, `5m`, `24h`, `7d`. Milliseconds come out. */
export function parseDuration(text: string): number {
  const durationMs = parseDurationMs(text);
  if (durationMs === null || durationMs === 0) {
    throw new InvalidArgumentError('It must be a duration such as 60s, 5m, 24h or 7d.');
  }
  return durationMs;
}

/** An absolute path; `~` is the home directory where no shell has put it in. */
export function parseFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a folder.');
  const inHome = /^~(?:[\\/]|$)/.test(text) ? path.join(homedir(), text.slice(1)) : text;
  return path.resolve(inHome);
}

export function parseList(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => part === ''))
    throw new InvalidArgumentError('It must be names with commas between them.');
  return parts;
}

export function parseCount(text: string): number {
  const count = parseWholeNumber(text);
  if (count === null || count < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}
