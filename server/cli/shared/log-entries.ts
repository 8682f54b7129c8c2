// Reads the entries of the agent's log files, whole lines only, and follows the current file over its renaming.
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import type { LogSource } from '../../../sdk/index.ts';
import type { LogFiles } from '../../platform/observe/log-file.ts';

export const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** The parts of the agent that write to the log. */
export const sources: readonly LogSource[] = [
  'agent',
  'api',
  'store',
  'mirror',
  'remote',
  'inbound',
  'outbound',
  'search',
];

export interface LogEntry {
  readonly line: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LogFilter {
  readonly level?: (typeof levels)[number];
  readonly source?: LogSource;
  readonly correlationId?: string;
  readonly since?: Date;
}

/** Read at once while following. */
const readBytesMax = 1024 * 1024;
const lineEnd = 0x0a;

export function isWithin({ fields }: LogEntry, { level, source, correlationId, since }: LogFilter): boolean {
  if (source !== undefined && fields.source !== source) return false;
  if (correlationId !== undefined && fields.correlationId !== correlationId) return false;
  if (since !== undefined && !(Date.parse(String(fields.time)) >= since.getTime())) return false;
  if (level === undefined) return true;
  const rank = levels.indexOf(fields.level as (typeof levels)[number]);
  return rank !== -1 && rank <= levels.indexOf(level);
}

export class LogReader {
  /** Whether a log file exists. */
  found = false;
  readonly #files: LogFiles;
  #handle: number | null = null;
  #position = 0;
  /** The start of a line whose end is not written yet. */
  #begun: Buffer = Buffer.alloc(0);

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /** Oldest first. Each file has a bounded size. */
  readAll(): readonly LogEntry[] {
    const older = readIfThere(this.#files.older);
    if (older !== null) this.found = true;
    return [...(older === null ? [] : entriesOf(older)), ...this.readNew()];
  }

  /** Entries of the current file since the last call. */
  readNew(): readonly LogEntry[] {
    const entries: LogEntry[] = [];
    this.#handle ??= this.#open();
    if (this.#handle === null) return entries;
    entries.push(...this.#readRest(this.#handle));
    if (!this.#isCurrent(this.#handle)) {
      // The file was renamed after it was read: its last lines, then the new file.
      entries.push(...this.#readRest(this.#handle));
      this.close();
      this.#handle = this.#open();
      if (this.#handle !== null) entries.push(...this.#readRest(this.#handle));
    }
    return entries;
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
    this.#position = 0;
    this.#begun = Buffer.alloc(0);
  }

  #open(): number | null {
    try {
      const handle = openSync(this.#files.current, 'r');
      this.found = true;
      return handle;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #isCurrent(handle: number): boolean {
    const current = statSync(this.#files.current, { throwIfNoEntry: false });
    return current === undefined || current.ino === fstatSync(handle).ino;
  }

  #readRest(handle: number): LogEntry[] {
    const entries: LogEntry[] = [];
    const buffer = Buffer.alloc(readBytesMax);
    for (;;) {
      const count = readSync(handle, buffer, 0, buffer.length, this.#position);
      if (count === 0) return entries;
      this.#position += count;
      const bytes = Buffer.concat([this.#begun, buffer.subarray(0, count)]);
      const end = bytes.lastIndexOf(lineEnd) + 1;
      this.#begun = Buffer.from(bytes.subarray(end));
      entries.push(...entriesOf(bytes.toString('utf8', 0, end)));
    }
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A line that is not JSON, as after a crash, is an entry without fields. */
function entriesOf(text: string): LogEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, fields: fieldsOf(line) }));
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
