// The log of the agent, for its owner.
import { type Static, Type } from 'typebox';
import { NextCursor, Timestamp } from './common.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** The parts of the agent that write to the log. */
export const logSources = [
  'agent',
  'api',
  'store',
  'mirror',
  'remote',
  'inbound',
  'outbound',
  'search',
] as const;
export type LogSource = (typeof logSources)[number];
export type LogLevel = (typeof logLevels)[number];

const LogId = Type.String({
  pattern: '^\\d{1,20}\\.\\d{1,15}$',
  description: 'Valid until the log has two newer files.',
  examples: ['1311.20480'],
});

const filters = {
  level: Type.Optional(Type.Enum([...logLevels], { description: 'Only this level and more severe ones.' })),
  source: Type.Optional(
    Type.Enum([...logSources], { description: 'Only entries of this part of the agent.' }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only entries with this text, in any field, case-insensitive.',
    }),
  ),
  correlationId: Type.Optional(
    Type.String({ description: 'Only entries of the request with this correlation id.' }),
  ),
  since: Type.Optional(Type.String({ description: 'RFC 3339 time: only entries at or after it.' })),
  until: Type.Optional(Type.String({ description: 'RFC 3339 time: only entries before it.' })),
};

export const LogQueryParameters = Type.Object({
  ...filters,
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of a page: older entries.' })),
  after: Type.Optional(Type.String({ description: '`newestId` of a page: only newer entries.' })),
  limit: Type.Optional(Type.Integer({ default: 100, minimum: 1, maximum: 500 })),
});

export const LogMinutesQueryParameters = Type.Object({
  ...filters,
  minutes: Type.Optional(
    Type.Integer({ default: 60, minimum: 1, maximum: 1440, description: 'Number of minutes until now.' }),
  ),
});

export const LogEntry = Type.Object({
  id: LogId,
  at: Type.Union([Timestamp, Type.Null()], {
    description: 'null: a line that is not an entry, as after a crash.',
  }),
  level: Type.Union([Type.Enum([...logLevels]), Type.Null()]),
  source: Type.Union([Type.Enum([...logSources]), Type.Null()]),
  message: Type.String(),
  correlationId: Type.Union([Type.String(), Type.Null()]),
  fields: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The other fields. Tokens, secrets, contents and query strings are removed.',
  }),
});
export type LogEntry = Static<typeof LogEntry>;

export const LogPage = Type.Object(
  {
    entries: Type.Array(LogEntry, { description: 'Newest first.' }),
    nextCursor: NextCursor,
    newestId: Type.Union([LogId, Type.Null()], {
      description: 'Of the newest entry of the log, whether it matches or not; null: the log is empty.',
    }),
    complete: Type.Boolean({
      description:
        'false: there are more entries after `after` than are listed, or `after` is no longer known.',
    }),
  },
  { $id: 'LogPage' },
);
export type LogPage = Static<typeof LogPage>;

export const LogMinutes = Type.Object(
  {
    minutes: Type.Array(
      Type.Object({
        at: Timestamp,
        count: Type.Integer({ minimum: 0 }),
        errorCount: Type.Integer({ minimum: 0, description: 'Entries of level `error` and `fatal`.' }),
      }),
      { description: 'Oldest first; the last one is not over.' },
    ),
  },
  { $id: 'LogMinutes' },
);
export type LogMinutes = Static<typeof LogMinutes>;
