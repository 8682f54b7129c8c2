// Path and query parameters, and the re-exported headers. Handlers read query parameters leniently, so these schemas only document
// and type them (docs/wire-contract.md#identifiers-and-numbers).
import { type TString, Type } from 'typebox';

import { globsMax } from './runs.ts';

export * from './headers.ts';

export const WorkspaceParams = Type.Object({
  workspaceId: Type.String({
    description:
      'Workspace id, `rw_` and 8 characters of a-z and 0-9. Application UUIDs are refused with 404.',
    examples: ['rw_a1b2c3d4'],
  }),
});

const id = (description: string) => Type.String({ description });
const inWorkspace = <Ids extends Record<string, TString>>(ids: Ids) =>
  Type.Object({ ...WorkspaceParams.properties, ...ids });

export const OperationParams = inWorkspace({ opId: id('Operation id, `op_<n>`.') });
export const WritebackItemParams = inWorkspace({ itemId: id('Operation id, `op_<n>`.') });
export const ProviderParams = inWorkspace({ provider: id('Name of the provider, case-insensitive.') });
export const WebhookParams = inWorkspace({ subscriptionId: id('Id of the webhook endpoint.') });
export const WebhookDeliveryParams = inWorkspace({ deliveryId: id('Id of the delivery, its `webhook-id`.') });
export const SubscriptionParams = inWorkspace({ subscriptionId: id('Id of the subscription.') });
export const SubscriptionDeliveryParams = inWorkspace({ deliveryId: id('Id of the delivery.') });
export const TarballJobParams = inWorkspace({ jobId: id('Id of the job.') });
export const ForkParams = inWorkspace({ forkId: id('Fork id.') });
export const RunParams = inWorkspace({ runId: id('Run id.') });
export const AnyOperationParams = Type.Object({ opId: OperationParams.properties.opId });
export const TokenParams = inWorkspace({ tokenId: id('Token id.') });
export const UserParams = Type.Object({ userId: id('User id.') });
export const WorkspaceUserParams = inWorkspace({ userId: id('User id.') });
export const SignInSessionParams = Type.Object({ sessionId: id('Sign-in session id.') });
export const MirrorParams = inWorkspace({ mirrorId: id('Mirror id.') });
export const RemoteParams = inWorkspace({ remoteId: id('Remote id.') });
export const ConflictParams = inWorkspace({ conflictId: id('Conflict id.') });
export const DeadLetterParams = inWorkspace({ envelopeId: id('Envelope id.') });
export const ReplayEnvelopeParams = Type.Object({ envelopeId: id('Envelope id, of any workspace.') });

const listedPath = (description: string) =>
  Type.Optional(Type.String({ default: '/', description, examples: ['/docs'] }));
const cursor = (source: string) =>
  Type.Optional(Type.String({ description: `${source} of the previous page.` }));
const limit = (defaultValue: number, maximum: number) =>
  Type.Optional(
    Type.Integer({
      default: defaultValue,
      minimum: 1,
      maximum,
      description: 'Not an integer or below 1: the default. Above the maximum: the maximum.',
    }),
  );

const forkId = Type.Optional(
  Type.String({
    description: 'Reads from or writes to this fork instead of the workspace. Unknown: 404. Expired: 410.',
    examples: ['fork_5f0c9a4e-8d5b-4c0e-9b7e-0d5c1f1e2a3b'],
  }),
);
export const ForkQueryParameters = Type.Object({ forkId });
export const RunsQueryParameters = Type.Object({
  cursor: cursor('`nextCursor`'),
  limit: limit(50, 200),
});
const chosenPaths = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    maxItems: globsMax,
    description:
      'Only paths that one of these globs matches: `*`, `?` and `**`; without a leading slash at any depth. Repeat the parameter for more than one.',
    examples: [['/docs/**']],
  }),
);

export const RunSummaryQueryParameters = Type.Object({ glob: chosenPaths });

export const ForkChangesQueryParameters = Type.Object({
  cursor: cursor('A path: `nextCursor`'),
  limit: limit(100, 1000),
  glob: chosenPaths,
  patch: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: adds a patch to each change; at most 20 changes per page.',
    }),
  ),
});
/** Of the changes of ignored files in the folder of a run. */
export const IgnoredChangesQueryParameters = Type.Omit(ForkChangesQueryParameters, ['glob']);
export const TreeQueryParameters = Type.Object({
  path: listedPath('Directory to list. A file or a missing path has an empty list.'),
  depth: Type.Optional(
    Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 100,
      description: 'Levels below the path. Values outside the range are clamped.',
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
const pointInTime = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-20T12:31:22.481Z'] }));
export const ReadFileQueryParameters = Type.Object({
  path: FileQueryParameters.properties.path,
  revision: revisionId('A retained revision of this file, also from before a move. Absent: the current one.'),
  at: pointInTime('Instead of `revision`: the revision at this path at this point in time.'),
  forkId,
});
export const HistoryQueryParameters = Type.Object({
  path: listedPath('A file, or with `below` or `batch` a directory.'),
  below: Type.Optional(
    Type.Boolean({ default: false, description: '`true`: includes the descendants of the path.' }),
  ),
  deleted: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        '`true`: only deletions, at or below the path, of files that do not exist now. A move is no deletion.',
    }),
  ),
  batch: Type.Optional(
    Type.String({
      description: 'Only changes of this request, at or below the path.',
      examples: ['batch_42'],
    }),
  ),
  follow: Type.Optional(
    Type.Boolean({ default: true, description: '`false`: stops where the file was moved to this path.' }),
  ),
  cursor: cursor('`nextCursor`'),
  limit: limit(100, 1000),
});
export const TreeAtQueryParameters = Type.Object({
  at: pointInTime('RFC 3339 time; required. A time in the future shows the current state.'),
  path: listedPath('Directory to list. A file or a missing path has an empty list.'),
  depth: TreeQueryParameters.properties.depth,
  cursor: cursor('`nextCursor`'),
});
export const DiffQueryParameters = Type.Object({
  path: FileQueryParameters.properties.path,
  from: revisionId('The first revision; `0`: no file. Absent: the one before the second.'),
  to: revisionId('The second revision. Absent: the current file.'),
});
export const WriteFileQueryParameters = Type.Object({
  path: Type.Optional(
    Type.String({
      description:
        'Absolute path of the file; either here or in the body. If both are present, they must be equal.',
      examples: ['/docs/readme.md'],
    }),
  ),
  contentType: Type.Optional(
    Type.String({
      description:
        'Content type of a body of raw bytes. Default: that of the existing file, else by its extension.',
    }),
  ),
  identityKind: Type.Optional(
    Type.String({
      maxLength: 255,
      description: '`contentIdentity` of a body of raw bytes: its kind, with `identityKey`.',
    }),
  ),
  identityKey: Type.Optional(Type.String({ maxLength: 1024 })),
  identityTtlSeconds: Type.Optional(Type.Integer()),
  forkId,
});

export const EventsQueryParameters = Type.Object({
  path: listedPath('Only events of this path and its descendants; also confines the required scope.'),
  provider: Type.Optional(Type.String({ description: 'Only events of this provider.' })),
  cursor: cursor('An event id, `evt_<n>`: `nextCursor`'),
  limit: limit(200, 1000),
  direction: Type.Optional(
    Type.Enum(['asc', 'desc'], { default: 'asc', description: 'Oldest first or newest first.' }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50_000,
      description:
        'Milliseconds to wait for an event where the page would be empty (`asc`). Default: no wait.',
    }),
  ),
});

export const ChangedListsParameters = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'The `cursor` of an earlier answer. Absent: of now.' }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50_000,
      description: 'Milliseconds to wait for a change. Default: no wait.',
    }),
  ),
});

export const ChangesQueryParameters = Type.Object({
  since: Type.Optional(
    Type.String({
      description: 'RFC 3339 time: changes at or after it.',
      examples: ['2026-11-20T00:00:00Z'],
    }),
  ),
  last: limit(100, 1000),
  path: listedPath('Only changes of this path and its descendants; also confines the required scope.'),
  provider: Type.Optional(Type.String({ description: 'Only changes of this provider.' })),
  limit: limit(100, 1000),
  cursor: cursor('With `since`: `nextCursor`'),
});
export const ChangedResourceQueryParameters = Type.Object({
  eventId: Type.String({ description: 'Id of a change.', examples: ['evt_42'] }),
});

export const QueryQueryParameters = Type.Object({
  path: listedPath('Only this path and its descendants.'),
  provider: Type.Optional(Type.String({ description: 'First path segment, case-insensitive.' })),
  relation: Type.Optional(Type.String({ description: 'A relation of the file.' })),
  permission: Type.Optional(
    Type.String({
      description: 'An effective permission of the file: its own or that of a parent directory.',
    }),
  ),
  comment: Type.Optional(Type.String({ description: 'A comment of the file.' })),
  'property.<key>': Type.Optional(
    Type.String({ description: 'Value of one property; any number of them, all must match.' }),
  ),
  cursor: cursor('`nextCursor`'),
  limit: limit(100, 1000),
  forkId,
});

export const SearchQueryParameters = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 1000,
    description:
      '`text`: words and "phrases", all of which must occur; `word*` is a prefix. `literal`: a substring. `regex`: an RE2 expression. `name`: parts of a path.',
    examples: ['retry backoff'],
  }),
  mode: Type.Optional(
    Type.Enum(['text', 'literal', 'regex', 'name'], { default: 'text', description: 'How `q` is read.' }),
  ),
  path: listedPath('Only this path and its descendants; also confines the required scope.'),
  glob: Type.Optional(
    Type.String({ description: 'Only paths that match: `*`, `?`, `**`.', examples: ['src/**/*.ts'] }),
  ),
  provider: Type.Optional(Type.String({ description: 'First path segment, case-insensitive.' })),
  changedSince: Type.Optional(
    Type.String({
      description: 'RFC 3339 time: only files changed at or after it.',
      examples: ['2026-11-20T00:00:00Z'],
    }),
  ),
  limit: limit(50, 500),
  cursor: cursor('`nextCursor`'),
  context: Type.Optional(
    Type.Integer({ default: 0, minimum: 0, maximum: 10, description: 'Lines before and after each match.' }),
  ),
  caseSensitive: Type.Optional(
    Type.Boolean({ default: false, description: '`true`: upper and lower case differ. Not with `name`.' }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'Milliseconds to wait until everything that is committed now is indexed. Default: no wait.',
    }),
  ),
  forkId,
});

export const ExportQueryParameters = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'tar', 'patch'], { default: 'json', description: 'Format of the export.' }),
  ),
  path: listedPath('Only this path and its descendants.'),
  level: Type.Optional(
    Type.Integer({
      default: 1,
      minimum: 0,
      maximum: 9,
      description:
        'Gzip level of `tar`, from fast to small; 0: an uncompressed tar. Other values and formats: 400.',
    }),
  ),
  forkId,
});

export const SocketQueryParameters = Type.Object({
  token: Type.String({ description: 'The access token.' }),
  from: Type.Optional(Type.Enum(['now'], { description: '`now`: no catch-up.' })),
  cursor: Type.Optional(Type.String({ description: 'Starts with the events after this event id.' })),
  path: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 64,
      description:
        'Filters; an event must match one of them: an exact path, `*` for one segment, `**` at the end for all descendants.',
    }),
  ),
});

export const OperationsQueryParameters = Type.Object({
  status: Type.Optional(Type.String({ description: 'Only operations in this status.' })),
  action: Type.Optional(Type.String({ description: '`file_upsert` or `file_delete`.' })),
  provider: Type.Optional(Type.String({ description: 'Only operations of this provider.' })),
  registered: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: only operations of registered providers, and those that have not succeeded. Not with `status`, `action` or `provider`.',
    }),
  ),
  text: Type.Optional(
    Type.String({
      description:
        'Only operations whose path contains it, in any case, or whose id or correlation id it is. A page can be short and still have a cursor.',
    }),
  ),
  cursor: cursor('An operation id, `op_<n>`: `nextCursor`'),
  limit: limit(100, 1000),
});

export const WorkspaceListQueryParameters = Type.Object({
  deleted: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true`: includes deleted workspaces.' }),
  ),
});

const ofProvider = Type.Optional(Type.String({ description: 'Only this provider, case-insensitive.' }));
export const SyncQueryParameters = Type.Object({ provider: ofProvider });
export const HeldDeletionsQueryParameters = Type.Object({
  cursor: cursor('A path: `nextCursor`'),
  limit: limit(200, 1000),
});
export const MirrorProblemsQueryParameters = Type.Object({
  kind: Type.Optional(Type.String({ description: 'Only problems of this cause, such as `symlink`.' })),
  cursor: cursor('A position: `nextCursor`'),
  limit: limit(200, 1000),
});
export const DeadLettersQueryParameters = Type.Object({
  provider: ofProvider,
  cause: Type.Optional(Type.String({ description: 'Only dead letters with this cause code.' })),
  text: Type.Optional(Type.String({ description: 'Part of the path, the delivery id or the error text.' })),
  cursor: cursor('An envelope id: `nextCursor`'),
  limit: limit(100, 1000),
});

export const WebhookDeadLettersQueryParameters = Type.Object({
  cursor: cursor('A delivery id: `nextCursor`'),
  limit: limit(100, 1000),
});

const strictCount = (defaultValue: number, minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ default: defaultValue, minimum, maximum, description }));
const alertThreshold = (defaultValue: number, description: string) =>
  strictCount(defaultValue, 1, 1_000_000_000, description);
const flag = (defaultValue: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: defaultValue, description }));
const adminParameters = {
  workspaceId: Type.Optional(Type.String({ description: 'Only this workspace.' })),
  provider: ofProvider,
  nonZeroOnly: flag(false, 'Omits workspaces whose counts are all 0.'),
  maxAlerts: strictCount(200, 0, 10_000, 'Maximum number of listed alerts; the totals count all.'),
  cursor: Type.Optional(Type.String({ description: 'A workspace id: `nextCursor` of the previous page.' })),
  limit: strictCount(200, 1, 5000, 'Workspaces per page.'),
  includeWorkspaces: flag(true, '`false`: only totals.'),
  includeAlerts: flag(true, '`false`: omits the list of alerts.'),
};
export const AdminIngressQueryParameters = Type.Object({
  ...adminParameters,
  alertProfile: Type.Optional(
    Type.Enum(['strict', 'balanced', 'relaxed'], {
      default: 'balanced',
      description: 'A set of thresholds; a separate threshold parameter replaces its value.',
    }),
  ),
  pendingThreshold: alertThreshold(100, 'Minimum number of pending envelopes for an alert.'),
  deadLetterThreshold: alertThreshold(1, 'Minimum number of dead letters for an alert.'),
  staleThreshold: alertThreshold(10, 'Minimum number of stale events for an alert.'),
  dropRateThreshold: Type.Optional(
    Type.Number({
      default: 0.05,
      minimum: 0,
      maximum: 1,
      description: 'Minimum share of refused events for an alert.',
    }),
  ),
});
export const AdminSyncQueryParameters = Type.Object({
  ...adminParameters,
  statusErrorThreshold: alertThreshold(1, 'Minimum number of providers in error for an alert.'),
  lagSecondsThreshold: alertThreshold(30, 'Minimum lag in seconds for an alert.'),
  deadLetteredEnvelopesThreshold: alertThreshold(1, 'Minimum number of dead letters for an alert.'),
  deadLetteredOpsThreshold: alertThreshold(1, 'Minimum number of dead-lettered operations for an alert.'),
});

export const PreviewQueryParameters = Type.Object({
  send: Type.Optional(
    Type.Enum(['current', 'original'], {
      description: 'The replay to preview. Absent: the pending operation.',
    }),
  ),
});
