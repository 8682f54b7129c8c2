// Log entries for the diagnostics bundle. What is not known to be harmless is left out: every text but the message, ids and codes of the
// agent, and the names of functions in a stack.
import { sha256Hex } from '../platform/crypto/hashes.ts';
import type { LogRecord } from '../platform/observe/log-search.ts';

/** `rw_a1b2c3d4`, `mir_…`: made by the agent. */
const ownId = /^(?:rw|mir|rem|run|fork|op|evt|env|tok|whs|sub|batch|rev|job|prov)_[A-Za-z0-9-]{1,64}$/;
/** Codes of the agent, of the system and of SQLite. */
const codeWord = /^(?:[a-z]+(?:_[a-z]+){0,5}|E[A-Z0-9]{2,20}|ERR_[A-Z0-9_]{1,40}|SQLITE_[A-Z_]{1,40})$/;
/** Fields with one of a fixed set of words. */
const codeFields = new Set([
  'code',
  'state',
  'kind',
  'type',
  'outcome',
  'command',
  'part',
  'circuit',
  'fault',
  'syscall',
]);
const frame =
  /^\s*at (?:(?<what>(?:async |new )?[\w.#$<>[\] ]{1,120}) \()?(?:[^()]*[/\\])?(?<file>[\w.-]{1,80}:\d+:\d+)\)?$/;
const errorFields = new Set(['err', 'cause']);
const errorType = /^[A-Za-z]{1,60}Error$|^Error$/;
const framesMax = 12;
const depthMax = 3;
const masked = '[masked]';

export interface MaskedEntry {
  readonly at: string | null;
  readonly level: string | null;
  readonly source: string | null;
  readonly message: string;
  /** The same for entries of one request; null: of none. */
  readonly request: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `salt`: of one bundle; without it an id could be guessed from its hash. */
export function maskedEntry(record: LogRecord, salt: string): MaskedEntry {
  const { atMs, level, source, message, correlationId, fields } = record;
  return {
    at: atMs === null ? null : new Date(atMs).toISOString(),
    level,
    source: source !== null && codeWord.test(source) ? source : null,
    message: atMs === null ? masked : maskedMessage(message),
    request: correlationId === null ? null : shortHash(correlationId, salt),
    fields: maskedFields(fields),
  };
}

/** Messages are constant sentences. A text with anything else in it was not written by the agent. */
function maskedMessage(message: string): string {
  const words = message.split(' ');
  return words.every((word) => /^\(?[A-Za-z]+(?:['’-][A-Za-z]+)*\)?[,;:.]?$/.test(word)) ? message : masked;
}

function maskedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, maskedValue(name, value, 0)]),
  );
}

function maskedValue(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'string') return isHarmless(name, value) ? value : masked;
  if (Array.isArray(value)) return `[${value.length} values]`;
  if (typeof value !== 'object') return masked;
  if (!errorFields.has(name) || depth === depthMax) return `[${Object.keys(value).length} fields]`;
  return maskedError(value, depth);
}

/** Of an error only its own fields: the names of others may be data, such as paths. */
function maskedError(
  { type, code, stack, cause }: { type?: unknown; code?: unknown; stack?: unknown; cause?: unknown },
  depth: number,
) {
  return {
    ...(typeof type === 'string' && errorType.test(type) ? { type } : {}),
    ...(code === undefined ? {} : { code: maskedValue('code', code, depth) }),
    stack: frames(stack),
    ...(cause === undefined ? {} : { cause: maskedValue('cause', cause, depth + 1) }),
  };
}

const routePattern = /^\/(?:v1|api|docs|mcp|health|metrics|\.well-known)(?:\/[\w:.*-]{1,60}){0,10}$/;

function isHarmless(name: string, value: string): boolean {
  if (ownId.test(value) || (codeFields.has(name) && codeWord.test(value))) return true;
  // The pattern of a route, never the requested path.
  if (name === 'route') return routePattern.test(value);
  return name === 'method' && /^[A-Z]{3,7}$/.test(value);
}

/** `read log-history.ts:31:9`: without the message, and without folders. */
function frames(stack: unknown): readonly string[] {
  if (typeof stack !== 'string') return [];
  return stack
    .split('\n')
    .map((line) => frame.exec(line)?.groups)
    .filter((groups) => groups !== undefined)
    .slice(0, framesMax)
    .map(({ what, file }) => (what === undefined ? String(file) : `${what} ${file}`));
}

function shortHash(text: string, salt: string): string {
  return sha256Hex(new TextEncoder().encode(salt + text)).slice(0, 8);
}
