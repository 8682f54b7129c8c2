// Writes structured logs to stderr. Tokens, keys, codes, file contents and query strings are removed from every line.
import { type DestinationStream, destination, multistream, type Logger as PinoLogger, pino } from 'pino';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
export type LogFields = Readonly<Record<string, unknown>>;
type Log = (fields: LogFields, message: string) => void;

/** An error belongs in the field `err`, the id of a request in `correlationId`. */
export interface Logger {
  readonly fatal: Log;
  readonly error: Log;
  readonly warn: Log;
  readonly info: Log;
  readonly debug: Log;
  readonly trace: Log;
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}

/** Fields that are never written, at any depth and in any spelling, like all names that end with one of `secretEnds`. */
const secretNames = new Set([
  'authorization',
  'bearer',
  'body',
  'contents',
  'cookie',
  'payload',
  'query',
  'querystring',
  'setcookie',
  'signature',
  'signincode',
  'text',
]);
const secretEnds = ['content', 'password', 'secret', 'token'];
const removed = '[removed]';
/** Three base64url parts separated by dots, the first starting like JSON: a token inside a text. */
const tokenInText = /eyJ[\w-]{5,}\.[\w-]*\.[\w-]*/g;
/** Query and fragment of a URL; query of a request path. */
const queryInText = /(\b(?:https?|wss?):\/\/[^\s?#"']*)[?#][^\s"']*|(\/v1\/[^\s?"']*)\?[^\s"']*/g;
/** Buffered bytes while stderr is not writable. */
const waitingBytesMax = 1024 * 1024;
const depthMax = 6;
const itemsMax = 100;

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Also written, at `level`. */
  readonly file?: DestinationStream;
  /** Of stderr, where a person reads other messages of the agent. Default: `level`. */
  readonly terminalLevel?: Exclude<LogLevel, 'silent'>;
  /** For tests, in place of stderr. */
  readonly stream?: DestinationStream;
}

/** The log uses stderr, because commands write their output to stdout. */
export function createLogger(options: LoggerOptions): Logger {
  const { level, file, terminalLevel } = options;
  // Synchronous: the line that explains a crash must not be lost in a buffer.
  const terminal = options.stream ?? destinationOfAgent();
  const stream =
    file === undefined || level === 'silent'
      ? terminal
      : multistream([
          { level: terminalLevel ?? level, stream: terminal },
          { level, stream: file },
        ]);
  return wrap(
    pino(
      {
        level,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        // Errors are already plain fields; pino would serialize them a second time.
        serializers: { err: (value: unknown) => value },
      },
      stream,
    ),
  );
}

/** A log that cannot be written (full disk, closed terminal) does not end the agent: lines are dropped until it is writable. */
function destinationOfAgent(): DestinationStream {
  const stream = destination({ fd: 2, sync: true, maxLength: waitingBytesMax });
  stream.on('error', () => undefined);
  return stream;
}

function wrap(log: PinoLogger): Logger {
  const at =
    (level: Exclude<LogLevel, 'silent'>): Log =>
    (fields, message) => {
      if (log.isLevelEnabled(level)) log[level](cleanFields(fields, 0), cleanText(message));
    };
  return {
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    child: (fields) => wrap(log.child(cleanFields(fields, 0))),
  };
}

function cleanFields(fields: LogFields, depth: number): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    clean[name] = isSecret(name) ? removed : cleanValue(value, depth + 1);
  }
  return clean;
}

function isSecret(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return secretNames.has(plain) || secretEnds.some((end) => plain.endsWith(end));
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return cleanError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= depthMax) return '[deeper]';
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => cleanValue(item, depth + 1));
  if (value instanceof Date || value instanceof URL) return cleanText(String(value));
  return cleanFields(value as LogFields, depth);
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const clean: Record<string, unknown> = { type: error.name, message: cleanText(error.message) };
  if ('code' in error) clean.code = cleanValue(error.code, depth + 1);
  if (error.stack !== undefined) clean.stack = cleanText(error.stack);
  if (error.cause !== undefined && depth < depthMax) clean.cause = cleanValue(error.cause, depth + 1);
  return clean;
}

function cleanText(text: string): string {
  return text.replaceAll(tokenInText, removed).replaceAll(queryInText, '$1$2');
}
