// /v1/agent/logs: entries of the agent's log, newest first, and their number per minute.
import {
  type LogEntry,
  LogMinutes,
  LogMinutesQueryParameters,
  LogPage,
  LogQueryParameters,
  logLevels,
  logSources,
} from '../../../contract/logs.ts';
import { type LogFilter, type LogRecord, parseLogId } from '../../../platform/observe/log-search.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { logLimit, logMinutes, logTextCharactersMax } from '../../base/limits.ts';
import type { Query } from '../../base/query.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { queryOf } from '../../plugins/auth.ts';
import { whileConnected } from '../../request/while-connected.ts';
import { wireTime } from '../../wire/records.ts';

const url = '/v1/agent/logs';

export function registerLogs(app: App, dependencies: HttpDependencies): void {
  registerGetLogs(app, dependencies);
  registerGetLogMinutes(app, dependencies);
}

function registerGetLogs(app: App, { logs }: HttpDependencies): void {
  app.get(
    url,
    route('owner', {
      operationId: 'getLogs',
      tag: 'Agent',
      summary: 'Read the log',
      points: [
        'Newest first. Tokens, secrets, contents and query strings are removed before an entry is written.',
        'The log is two files of up to 5 MiB: older entries are deleted.',
        'Live: repeat with `after` and the `newestId` of the last answer.',
      ],
      query: LogQueryParameters,
      answers: { 200: jsonAnswer(LogPage, 'A page of entries.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const { records, next, newest, isComplete } = await logs.read(
        filterOf(query),
        {
          before: idOf(query, 'cursor'),
          after: idOf(query, 'after'),
          limit: query.integer('limit', logLimit),
        },
        whileConnected(reply),
      );
      return sendJson(reply, LogPage, 200, {
        entries: records.map(wireEntry),
        nextCursor: next,
        newestId: newest,
        complete: isComplete,
      });
    },
  );
}

function registerGetLogMinutes(app: App, { logs }: HttpDependencies): void {
  app.get(
    `${url}/minutes`,
    route('owner', {
      operationId: 'getLogMinutes',
      tag: 'Agent',
      summary: 'Count the log entries of each minute',
      points: ['Of the last minutes, with the filters of the log.'],
      query: LogMinutesQueryParameters,
      answers: { 200: jsonAnswer(LogMinutes, 'The counts.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const counts = await logs.minutes(
        filterOf(query),
        query.integer('minutes', logMinutes),
        whileConnected(reply),
      );
      return sendJson(reply, LogMinutes, 200, {
        minutes: counts.map(({ fromMs, count, errors }) => ({
          at: wireTime(fromMs),
          count,
          errorCount: errors,
        })),
      });
    },
  );
}

function wireEntry({ id, atMs, level, source, message, correlationId, fields }: LogRecord): LogEntry {
  return {
    id,
    at: atMs === null ? null : wireTime(atMs),
    level: logLevels.find((known) => known === level) ?? null,
    source: logSources.find((known) => known === source) ?? null,
    message,
    correlationId,
    fields,
  };
}

function filterOf(query: Query): LogFilter {
  const text = query.text('q') ?? null;
  if (text !== null && text.length > logTextCharactersMax)
    throw new ApiError('bad_request', `q is longer than ${logTextCharactersMax} characters`);
  return {
    level: oneOf(query, 'level', logLevels),
    source: oneOf(query, 'source', logSources),
    text,
    correlationId: query.text('correlationId') ?? null,
    sinceMs: timeOf(query, 'since'),
    untilMs: timeOf(query, 'until'),
  };
}

function oneOf(query: Query, name: string, known: readonly string[]): string | null {
  const value = query.text(name);
  if (value === undefined) return null;
  if (known.includes(value)) return value;
  throw new ApiError('bad_request', `invalid ${name}: use one of ${known.join(', ')}`);
}

function timeOf(query: Query, name: string): number | null {
  const value = query.text(name);
  if (value === undefined) return null;
  const atMs = Date.parse(value);
  if (Number.isNaN(atMs)) throw new ApiError('bad_request', `invalid ${name}: use an RFC 3339 time`);
  return atMs;
}

function idOf(query: Query, name: string) {
  const value = query.text(name);
  if (value === undefined) return null;
  const position = parseLogId(value);
  if (position === null) throw new ApiError('bad_request', `invalid ${name}: use a value of an answer`);
  return position;
}
