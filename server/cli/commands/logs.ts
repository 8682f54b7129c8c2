// mooring logs: prints the log of the agent from its files, also after a crash; --follow prints new entries as they are written.
import { setTimeout } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { resolveDataDir } from '../../platform/files/paths.ts';
import { logFiles } from '../../platform/observe/log-file.ts';
import { parseCount, parseSince, withDataDir } from '../shared/arguments.ts';
import { formatTime, type Style } from '../shared/display.ts';
import { failure } from '../shared/failure.ts';
import {
  isWithin,
  type LogEntry,
  type LogFilter,
  LogReader,
  levels,
  sources,
} from '../shared/log-entries.ts';
import { endLine, note, print } from '../shared/output.ts';

const listedDefault = 100;
const followEveryMs = 250;
const shownFields: ReadonlySet<string> = new Set(['time', 'level', 'msg', 'pid']);
const levelStyles: Readonly<Record<string, Style>> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  debug: 'dim',
  trace: 'dim',
};

interface LogsOptions extends LogFilter {
  readonly dataDir?: string;
  readonly follow?: true;
  readonly limit?: number;
  readonly json?: true;
}

export function registerLogs(program: Command): void {
  withDataDir(program.command('logs').description('print the log of the agent'))
    .option('--follow', 'print new entries until Ctrl-C')
    .addOption(new Option('--level <LEVEL>', 'only this level and more severe ones').choices(levels))
    .addOption(new Option('--source <PART>', 'only this part of the agent').choices(sources))
    .option('--correlation-id <ID>', 'only the request with this correlation id')
    .option('--since <TIME>', 'only since a time, or 30s, 10m, 2h, 1d ago', parseSince)
    .option('--limit <N>', `maximum number of entries (default: ${listedDefault})`, parseCount)
    .option('--json', 'print each entry as one line of JSON')
    .addHelpText('after', '\nThe newest entries, oldest first. The agent need not be running.')
    .action(logs);
}

async function logs(options: LogsOptions): Promise<void> {
  const dataDir = resolveDataDir(options.dataDir);
  const files = logFiles(dataDir);
  const reader = new LogReader(files);
  const limit = options.limit ?? listedDefault;
  const entries = reader.readAll().filter((entry) => isWithin(entry, options));
  if (!reader.found && !options.follow) {
    throw failure(
      `There is no log in ${dataDir}.`,
      'The agent writes it when it runs. Pass its data directory with --data-dir.',
    );
  }
  for (const entry of entries.slice(-limit)) printEntry(entry, options);
  if (entries.length > limit) note(`${limit} of ${entries.length} entries printed. Print more with --limit.`);
  if (entries.length === 0 && !options.follow) note('No matching entries.');
  if (options.follow) await follow(reader, options);
}

async function follow(reader: LogReader, options: LogsOptions): Promise<void> {
  const ended = new AbortController();
  process.once('SIGINT', () => ended.abort());
  while (!ended.signal.aborted) {
    for (const entry of reader.readNew()) if (isWithin(entry, options)) printEntry(entry, options);
    await setTimeout(followEveryMs, null, { signal: ended.signal }).catch(() => undefined);
  }
  reader.close();
  endLine();
}

function printEntry(entry: LogEntry, { json }: LogsOptions): void {
  if (json) {
    print(entry.line);
    return;
  }
  const { time, level, msg } = entry.fields;
  const rest = Object.entries(entry.fields)
    .filter(([name]) => !shownFields.has(name))
    .map(([name, value]) => `${name}=${valueText(value)}`);
  const when = typeof time === 'string' ? formatTime(time) : '';
  const severity = String(level ?? '');
  const text = [when, severity.toUpperCase().padEnd(5), String(msg ?? entry.line), ...rest].join('  ');
  print(text, levelStyles[severity]);
}

/** An error is its message; its stack is in the entry with --json. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'object' && value !== null && 'message' in value) return JSON.stringify(value.message);
  return JSON.stringify(value);
}
