// Entries of the log for people: names of levels and sources, the facts of an entry in one line, and the filters of the address. Pure.
import type { LogEntry, LogLevel, LogSource } from '../../../sdk/index.ts';
import type { Meaning } from '../../parts/feedback/icon.tsx';
import type { RateMinute } from '../inbound/event-rate.ts';
import { parseRange, type TimeRange } from '../inbound/time-range.ts';

export const levelNames: Readonly<Record<LogLevel, string>> = {
  fatal: 'Fatal',
  error: 'Error',
  warn: 'Warning',
  info: 'Info',
  debug: 'Debug',
  trace: 'Trace',
};

export const levelIcons: Readonly<Record<LogLevel, Meaning>> = {
  fatal: 'failed',
  error: 'failed',
  warn: 'warning',
  info: 'info',
  debug: 'info',
  trace: 'info',
};

export const sourceNames: Readonly<Record<LogSource, string>> = {
  agent: 'Agent',
  api: 'API',
  store: 'Store',
  mirror: 'Mirrors',
  remote: 'Remotes',
  inbound: 'Inbound',
  outbound: 'Outbound',
  search: 'Search',
};

/** Filters of the address; '' and null: all. */
export interface LogFilters {
  readonly level: LogLevel | '';
  readonly source: LogSource | '';
  readonly text: string;
  readonly range: TimeRange | null;
}

export function logFilters(field: (name: string) => string): LogFilters {
  const [level, source] = [field('level'), field('source')];
  return {
    level: isLevel(level) ? level : '',
    source: isSource(source) ? source : '',
    text: field('text'),
    range: parseRange(field('range')),
  };
}

function isLevel(text: string): text is LogLevel {
  return Object.hasOwn(levelNames, text);
}

function isSource(text: string): text is LogSource {
  return Object.hasOwn(sourceNames, text);
}

/** What the API is asked for. */
export function logQuery({ level, source, text, range }: LogFilters) {
  return {
    ...(level === '' ? {} : { level }),
    ...(source === '' ? {} : { source }),
    ...(text.trim() === '' ? {} : { q: text.trim() }),
    ...(range === null ? {} : { since: new Date(range.fromMs), until: new Date(range.toMs) }),
  };
}

/** `mirrorId mir_1 · code ENOSPC`: values of one line each. */
export function factsLine({ fields }: LogEntry): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${shortText(value)}`)
    .join(' · ');
}

/** An error is its message. */
function shortText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  return JSON.stringify(value);
}

/** Of the detail: an object as indented JSON, the stack of an error as its lines. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { stack, ...rest } = value as { readonly stack?: unknown };
  const text = JSON.stringify(rest, null, 2);
  return typeof stack === 'string' ? `${text}\n${stack}` : text;
}

export function minutesOf(
  minutes: readonly { readonly at: string; readonly count: number; readonly errorCount: number }[],
): readonly RateMinute[] {
  return minutes.map(({ at, count, errorCount }) => ({
    fromMs: Date.parse(at),
    events: count,
    errors: errorCount,
  }));
}
