// Parameters of requests, under one roof: of the path, of the headers, and here those of the query. The server reads every query
// parameter leniently (list integers clamp), so these are documentation and types, not a gate.
import { Type } from 'typebox';

export * from './headers.ts';
export * from './path-parameters.ts';

const listedPath = (what: string) =>
  Type.Optional(Type.String({ default: '/', description: what, examples: ['/docs'] }));
const cursor = (of: string) => Type.Optional(Type.String({ description: `${of} of the page before.` }));
const limit = (defaultValue: number, maximum: number) =>
  Type.Optional(
    Type.Integer({
      default: defaultValue,
      minimum: 1,
      maximum,
      description:
        'Anything else than an integer of at least 1 means the default; more than the maximum, the maximum.',
    }),
  );

const forkId = Type.Optional(
  Type.String({
    description:
      'Reads from or writes to this fork instead of the workspace. Unknown: 404, past its time: 410.',
    examples: ['fork_5f0c9a4e-8d5b-4c0e-9b7e-0d5c1f1e2a3b'],
  }),
);
export const ForkQueryParameters = Type.Object({ forkId });
export const ForkChangesQueryParameters = Type.Object({
  cursor: cursor('A path: `nextCursor`'),
  limit: limit(100, 1000),
  patch: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: with what differs, as a patch; then 20 changes a page at most.',
    }),
  ),
});
export const TreeQueryParameters = Type.Object({
  path: listedPath('Directory to list. A file or nothing there answers an empty list.'),
  depth: Type.Optional(
    Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 100,
      description: 'Levels below the path. Clamped, never refused.',
    }),
  ),
  cursor: cursor('`nextCursor`'),
  forkId,
});

export const FileQueryParameters = Type.Object({
  path: Type.String({ description: 'Absolute path of the file.', examples: ['/docs/readme.md'] }),
});
export const DeleteFileQueryParameters = Type.Object({
  path: FileQueryParameters.properties.path,
  forkId,
});
const revisionId = (description: string) => Type.Optional(Type.String({ description, examples: ['rev_42'] }));
const moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-20T12:31:22.481Z'] }));
export const ReadFileQueryParameters = Type.Object({
  path: FileQueryParameters.properties.path,
  revision: revisionId('A kept revision of this file, also from before a rename. Absent: the current one.'),
  at: moment('Instead of `revision`: what stood at this path at this moment.'),
  forkId,
});
export const HistoryQueryParameters = Type.Object({
  path: listedPath('A file, or with `below` or `batch` a directory.'),
  below: Type.Optional(Type.Boolean({ default: false, description: '`true`: all below the path, too.' })),
  batch: Type.Optional(
    Type.String({
      description: 'Only what one request changed at or below the path.',
      examples: ['batch_42'],
    }),
  ),
  follow: Type.Optional(
    Type.Boolean({ default: true, description: '`false`: stop where the file was moved to this path.' }),
  ),
  cursor: cursor('`nextCursor`'),
  limit: limit(100, 1000),
});
export const TreeAtQueryParameters = Type.Object({
  at: moment('RFC 3339 time; needed. One that is to come shows what stands there now.'),
  path: listedPath('Directory to list. A file or nothing there answers an empty list.'),
  depth: TreeQueryParameters.properties.depth,
  cursor: cursor('`nextCursor`'),
});
export const DiffQueryParameters = Type.Object({
  path: FileQueryParameters.properties.path,
  from: revisionId('The first revision; `0` for nothing. Absent: the one before the second.'),
  to: revisionId('The second revision. Absent: what stands there now.'),
});
export const WriteFileQueryParameters = Type.Object({
  path: Type.Optional(
    Type.String({
      description: 'Absolute path of the file; may stand in the body instead, but not different in both.',
      examples: ['/docs/readme.md'],
    }),
  ),
  contentType: Type.Optional(
    Type.String({
      description:
        'Of a body of bare bytes: the type of the file. Default: the existing one’s, else by its name.',
    }),
  ),
  forkId,
});

export const EventsQueryParameters = Type.Object({
  path: listedPath('Only events of this path and what is below it; also narrows the scope that is needed.'),
  provider: Type.Optional(Type.String({ description: 'Only events of this provider.' })),
  cursor: cursor('An event id, `evt_<n>`: `nextCursor`'),
  limit: limit(200, 1000),
  direction: Type.Optional(
    Type.Enum(['asc', 'desc'], { default: 'asc', description: 'Oldest first or newest first.' }),
  ),
});

export const ChangesQueryParameters = Type.Object({
  since: Type.Optional(
    Type.String({
      description: 'RFC 3339 time: changes at it and after it.',
      examples: ['2026-11-20T00:00:00Z'],
    }),
  ),
  last: limit(100, 1000),
  path: listedPath('Only changes of this path and what is below it; also narrows the scope that is needed.'),
  provider: Type.Optional(Type.String({ description: 'Only changes of this provider.' })),
  limit: limit(100, 1000),
  cursor: cursor('With `since`: `nextCursor`'),
});
export const ChangedResourceQueryParameters = Type.Object({
  eventId: Type.String({ description: 'Id of a change.', examples: ['evt_42'] }),
});

export const QueryQueryParameters = Type.Object({
  path: listedPath('Only this path and what is below it.'),
  provider: Type.Optional(Type.String({ description: 'First path segment; case does not count.' })),
  relation: Type.Optional(Type.String({ description: 'A relation that the file must carry.' })),
  permission: Type.Optional(
    Type.String({
      description: 'A permission that holds for the file: its own or one of a directory above it.',
    }),
  ),
  comment: Type.Optional(Type.String({ description: 'A comment that the file must carry.' })),
  'property.<key>': Type.Optional(
    Type.String({ description: 'Equality on one property; any number of them, all must hold.' }),
  ),
  cursor: cursor('`nextCursor`'),
  limit: limit(100, 1000),
  forkId,
});

export const ExportQueryParameters = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'tar', 'patch'], { default: 'json', description: 'What the answer is.' }),
  ),
  path: listedPath('Only this path and what is below it.'),
  forkId,
});

export const SocketQueryParameters = Type.Object({
  token: Type.String({ description: 'The access token.' }),
  from: Type.Optional(Type.Enum(['now'], { description: '`now`: no catch-up.' })),
  cursor: Type.Optional(Type.String({ description: 'Everything after this event id first.' })),
  path: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 64,
      description:
        'Filters, any of which may match: an exact path, `*` for one segment, `**` at the end for all below.',
    }),
  ),
});

export const OperationsQueryParameters = Type.Object({
  status: Type.Optional(Type.String({ description: 'Only operations in this status.' })),
  action: Type.Optional(Type.String({ description: '`file_upsert` or `file_delete`.' })),
  provider: Type.Optional(Type.String({ description: 'Only operations of this provider.' })),
  cursor: cursor('An operation id, `op_<n>`: `nextCursor`'),
  limit: limit(100, 1000),
});

export const WorkspaceListQueryParameters = Type.Object({
  deleted: Type.Optional(Type.Enum(['true', 'false'], { description: '`true`: deleted ones, too.' })),
});

const ofProvider = Type.Optional(Type.String({ description: 'Only this provider; case does not count.' }));
export const SyncQueryParameters = Type.Object({ provider: ofProvider });
export const HeldDeletionsQueryParameters = Type.Object({
  cursor: cursor('A path: `nextCursor`'),
  limit: limit(200, 1000),
});
export const MirrorProblemsQueryParameters = Type.Object({
  kind: Type.Optional(Type.String({ description: 'Only problems of this cause, such as `symlink`.' })),
  cursor: cursor('The place in the list: `nextCursor`'),
  limit: limit(200, 1000),
});
export const DeadLettersQueryParameters = Type.Object({
  provider: ofProvider,
  cause: Type.Optional(Type.String({ description: 'Only dead letters of this cause, a code.' })),
  text: Type.Optional(
    Type.String({ description: 'Part of the path, the delivery id or the cause’s words.' }),
  ),
  cursor: cursor('An envelope id: `nextCursor`'),
  limit: limit(100, 1000),
});

export const WebhookDeadLettersQueryParameters = Type.Object({
  cursor: cursor('A delivery id: `nextCursor`'),
  limit: limit(100, 1000),
});

const strictCount = (defaultValue: number, minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ default: defaultValue, minimum, maximum, description }));
const thresholdMax = 1_000_000_000;
const flag = (defaultValue: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: defaultValue, description }));
const adminParameters = {
  workspaceId: Type.Optional(Type.String({ description: 'Only this workspace.' })),
  provider: ofProvider,
  nonZeroOnly: flag(false, 'Leave out what has nothing to show.'),
  maxAlerts: strictCount(200, 0, 10_000, 'Alerts that are listed; the totals count all.'),
  cursor: Type.Optional(Type.String({ description: 'A workspace id: `nextCursor` of the page before.' })),
  limit: strictCount(200, 1, 5000, 'Workspaces of a page.'),
  includeWorkspaces: flag(true, '`false`: totals only.'),
  includeAlerts: flag(true, '`false`: no list of alerts.'),
};
export const AdminIngressQueryParameters = Type.Object({
  ...adminParameters,
  alertProfile: Type.Optional(
    Type.Enum(['strict', 'balanced', 'relaxed'], {
      default: 'balanced',
      description: 'A set of thresholds; any given by itself replaces that one.',
    }),
  ),
  pendingThreshold: strictCount(100, 1, thresholdMax, 'Waiting envelopes that are an alert.'),
  deadLetterThreshold: strictCount(1, 1, thresholdMax, 'Dead letters that are an alert.'),
  staleThreshold: strictCount(10, 1, thresholdMax, 'Stale events that are an alert.'),
  dropRateThreshold: Type.Optional(
    Type.Number({
      default: 0.05,
      minimum: 0,
      maximum: 1,
      description: 'Share of refused ones that is an alert.',
    }),
  ),
});
export const AdminSyncQueryParameters = Type.Object({
  ...adminParameters,
  statusErrorThreshold: strictCount(1, 1, thresholdMax, 'Providers in error that are an alert.'),
  lagSecondsThreshold: strictCount(30, 1, thresholdMax, 'Seconds behind that are an alert.'),
  deadLetteredEnvelopesThreshold: strictCount(1, 1, thresholdMax, 'Dead letters that are an alert.'),
  deadLetteredOpsThreshold: strictCount(1, 1, thresholdMax, 'Dead-lettered operations that are an alert.'),
});

export const PreviewQueryParameters = Type.Object({
  send: Type.Optional(
    Type.Enum(['current', 'original'], {
      description: 'What a replay would send. Absent: the item as it is.',
    }),
  ),
});
