// Remotes: workspaces of other servers that a workspace is synced with.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

export const remoteStates = [
  'connecting',
  'listing',
  'syncing',
  'idle',
  'offline',
  'unauthorized',
  'halted',
  'paused',
  'error',
] as const;
export type RemoteState = (typeof remoteStates)[number];

const RemoteProblem = Type.Object({
  kind: Type.String({ examples: ['refused', 'held', 'too_large', 'no_access'] }),
  path: Type.String(),
  cause: Type.String(),
  next: Type.String(),
  retryAt: Timestamp,
});

const RemoteHalt = Type.Object({
  side: Type.Enum(['here', 'there'], {
    description: '`here`: the files would be deleted in this workspace. `there`: on the other server.',
  }),
  deletions: Type.Integer({ description: 'Number of files that would be deleted or truncated.' }),
  files: Type.Integer({ description: 'Number of files that both sides had.' }),
  cause: Type.String(),
  next: Type.String(),
});

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const RemoteProgress = Type.Object({
  done: Type.Integer({ description: 'Files that were listed, sent or received.' }),
  total: orNull(Type.Integer(), 'null: the list is not complete.'),
  bytesDone: Type.Integer(),
  filesPerSecond: orNull(Type.Number(), 'Average of the last 10 seconds; null: not measured yet.'),
  bytesPerSecond: orNull(Type.Number(), 'As above.'),
  leftMs: orNull(Type.Integer(), 'Estimated remaining milliseconds; null: unknown.'),
});

const bytesPerSecond = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} null: no limit.` });

export const Remote = Type.Object(
  {
    remoteId: Type.String(),
    workspaceId: Type.String(),
    url: Type.String({ examples: ['https://hub.example.com'] }),
    remoteWorkspaceId: Type.String(),
    tokenFile: Type.String({ description: 'The file with the token. The token itself is never stored.' }),
    insecureHttp: Type.Boolean(),
    path: Type.String({ description: 'The synced directory, the same on both sides.' }),
    ignoreRules: Type.String({
      description: 'Files that are not synced, in gitignore syntax, relative to `path`. Empty: none.',
    }),
    state: Type.Enum([...remoteStates]),
    cause: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is `offline`, `unauthorized` or in `error`.',
    }),
    files: Type.Integer({ description: 'Number of files that both sides have.' }),
    progress: Type.Union([RemoteProgress, Type.Null()], {
      description: 'null: it neither lists nor syncs.',
    }),
    pendingLocal: Type.Integer(),
    pendingRemote: Type.Integer(),
    conflicts: Type.Integer(),
    problems: Type.Integer(),
    problemList: Type.Array(RemoteProblem, { description: 'At most 100.' }),
    lastSyncAt: Type.Union([Timestamp, Type.Null()]),
    offlineSince: Type.Union([Timestamp, Type.Null()]),
    nextTryAt: Type.Union([Timestamp, Type.Null()]),
    tokenExpiresAt: Type.Union([Timestamp, Type.Null()], {
      description: 'null: the token does not state it.',
    }),
    server: Type.Union([Type.Enum(['mooring', 'other']), Type.Null()], {
      description: 'The kind of server; null: not connected yet.',
    }),
    halt: Type.Union([RemoteHalt, Type.Null()]),
    upBytesPerSecond: bytesPerSecond('Limit of sending.'),
    downBytesPerSecond: bytesPerSecond('Limit of receiving.'),
  },
  { $id: 'Remote' },
);
export type Remote = Static<typeof Remote>;
export const RemoteList = Type.Object({ remotes: Type.Array(Remote) }, { $id: 'RemoteList' });
export type RemoteList = Static<typeof RemoteList>;

const limit = (direction: string) =>
  Type.Optional(Type.Integer({ minimum: 1024, description: `Maximum bytes per second of ${direction}.` }));

export const RemoteCreateBody = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  remoteWorkspaceId: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$',
      description: 'The workspace on the server. Absent: the one that the token is for.',
    }),
  ),
  tokenFile: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'Absolute path on this machine; only its owner may have access to it.',
  }),
  insecureHttp: Type.Optional(Type.Boolean({ description: 'Allow http beyond this machine.' })),
  path: Type.Optional(Type.String({ description: 'Sync only this directory.' })),
  ignoreRules: Type.Optional(
    Type.String({
      maxLength: 64 * 1024,
      description:
        'Files that are not synced, in gitignore syntax, relative to `path`. They are kept on the side that has them.',
      examples: ['*.tmp\n/build/'],
    }),
  ),
  upBytesPerSecond: limit('sending'),
  downBytesPerSecond: limit('receiving'),
});
export type RemoteCreateBody = Static<typeof RemoteCreateBody>;

export const RemoteResumeBody = Type.Object({
  answer: Type.Optional(
    Type.Enum(['delete', 'restore'], {
      description:
        'For a halt: `delete` applies the deletions, `restore` gives the files back to the side that lost them.',
    }),
  ),
});
export type RemoteResumeBody = Static<typeof RemoteResumeBody>;
