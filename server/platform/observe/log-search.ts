// Finds entries of the log: a page of those that match, newest first, and their number per minute.
import type { LogFiles } from './log-file.ts';
import { type LogLine, type LogPosition, linesBackwards } from './log-history.ts';

/** Most severe first. */
const severities = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];
const errorRank = severities.indexOf('error');
const minuteMs = 60_000;
/** A page ends after as many bytes of the log. */
const pageBytesMax = 1024 * 1024;
/** The clock may have been set back: reading ends only at entries that are older than the searched time by more. */
const clockSlackMs = 3_600_000;
const ownFields = new Set(['time', 'level', 'source', 'msg', 'correlationId', 'pid']);

/** Each null: any. */
export interface LogFilter {
  /** This level and more severe ones. */
  readonly level: string | null;
  readonly source: string | null;
  /** Anywhere in the line, case-insensitive. */
  readonly text: string | null;
  readonly correlationId: string | null;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

export interface LogRecord {
  /** `<inode>.<offset>` of its line. */
  readonly id: string;
  /** null: the line is not an entry, as after a crash. */
  readonly atMs: number | null;
  readonly level: string | null;
  readonly source: string | null;
  readonly message: string;
  readonly correlationId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LogSlice {
  /** Newest first. */
  readonly records: readonly LogRecord[];
  /** Where older ones are; null: there are none. */
  readonly next: string | null;
  /** Id of the newest line, whether it matches or not; null: the log is empty. */
  readonly newest: string | null;
  /** false: between `after` and the last record are others, or `after` is not known. */
  readonly isComplete: boolean;
}

export interface LogRange {
  readonly before: LogPosition | null;
  readonly after: LogPosition | null;
  readonly limit: number;
}

export const anyLogEntry: LogFilter = {
  level: null,
  source: null,
  text: null,
  correlationId: null,
  sinceMs: null,
  untilMs: null,
};

export async function readLogSlice(
  files: LogFiles,
  filter: LogFilter,
  { before, after, limit }: LogRange,
  signal?: AbortSignal,
): Promise<LogSlice> {
  const records: LogRecord[] = [];
  let newest: string | null = null;
  let bytes = 0;
  for await (const line of linesBackwards(files, before)) {
    signal?.throwIfAborted();
    newest ??= idOf(line);
    if (after !== null && line.inode === after.inode && line.offset <= after.offset)
      return { records, next: null, newest, isComplete: true };
    const record = recordOf(line);
    if (isBefore(record, filter)) break;
    if (!isMatch(line, record, filter)) continue;
    if (records.length === limit || bytes >= pageBytesMax)
      return { records, next: records.at(-1)?.id ?? null, newest, isComplete: after === null };
    records.push(record);
    bytes += line.text.length;
  }
  return { records, next: null, newest, isComplete: after === null };
}

export interface LogMinute {
  readonly fromMs: number;
  readonly count: number;
  readonly errors: number;
}

/** The last `minutes` minutes, oldest first; the last one is not over. */
export async function countLogMinutes(
  files: LogFiles,
  filter: LogFilter,
  { nowMs, minutes }: { readonly nowMs: number; readonly minutes: number },
  signal?: AbortSignal,
): Promise<readonly LogMinute[]> {
  const firstMs = (Math.floor(nowMs / minuteMs) - minutes + 1) * minuteMs;
  const counts = Array.from({ length: minutes }, (_, index) => ({
    fromMs: firstMs + index * minuteMs,
    count: 0,
    errors: 0,
  }));
  const within = { ...filter, sinceMs: Math.max(firstMs, filter.sinceMs ?? 0) };
  for await (const line of linesBackwards(files)) {
    signal?.throwIfAborted();
    const record = recordOf(line);
    if (isBefore(record, within)) break;
    const { atMs, level } = record;
    if (atMs === null || !isMatch(line, record, within)) continue;
    const minute = counts[Math.floor((atMs - firstMs) / minuteMs)];
    if (minute === undefined) continue;
    minute.count += 1;
    if (level !== null && severities.indexOf(level) <= errorRank) minute.errors += 1;
  }
  return counts;
}

/** null: not the id of a line. */
export function parseLogId(id: string): LogPosition | null {
  const parts = /^(\d{1,20})\.(\d{1,15})$/.exec(id);
  return parts === null ? null : { inode: parts[1] ?? '', offset: Number(parts[2]) };
}

function idOf({ inode, offset }: LogPosition): string {
  return `${inode}.${offset}`;
}

function recordOf(line: LogLine): LogRecord {
  const fields = fieldsOf(line.text);
  const { time, level, source, msg, correlationId } = fields;
  const atMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return {
    id: idOf(line),
    atMs: Number.isNaN(atMs) ? null : atMs,
    level: typeof level === 'string' && severities.includes(level) ? level : null,
    source: typeof source === 'string' ? source : null,
    message: typeof msg === 'string' ? msg : line.text,
    correlationId: typeof correlationId === 'string' ? correlationId : null,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !ownFields.has(name))),
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The searched time is over: older lines are not read. */
function isBefore({ atMs }: LogRecord, { sinceMs }: LogFilter): boolean {
  return sinceMs !== null && atMs !== null && atMs < sinceMs - clockSlackMs;
}

function isMatch(line: LogLine, record: LogRecord, filter: LogFilter): boolean {
  const { level, source, text, correlationId, sinceMs, untilMs } = filter;
  if (source !== null && record.source !== source) return false;
  if (correlationId !== null && record.correlationId !== correlationId) return false;
  if (
    level !== null &&
    (record.level === null || severities.indexOf(record.level) > severities.indexOf(level))
  )
    return false;
  if (sinceMs !== null && !(record.atMs !== null && record.atMs >= sinceMs)) return false;
  if (untilMs !== null && !(record.atMs !== null && record.atMs < untilMs)) return false;
  return text === null || line.text.toLowerCase().includes(text.toLowerCase());
}
