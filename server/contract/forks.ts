// Forks: a view of a workspace as it stood at a moment, with changes of its own that are committed as one or given up.
import { type Static, Type } from 'typebox';
import { ContentHash, NextCursor, Revision, Timestamp } from './common.ts';
import { FileDiff } from './history.ts';

const ttlSecondsMax = 2_592_000;

export const CreateForkBody = Type.Object({
  proposalId: Type.String({
    minLength: 1,
    maxLength: 512,
    description: 'Free text of the caller. Asking again for the same proposal answers the fork that it has.',
    examples: ['proposal-1'],
  }),
  ttlSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `How long it lives; default 7 days (also for 0), longest ${ttlSecondsMax} seconds: more is cut.`,
    }),
  ),
});
export type CreateForkBody = Static<typeof CreateForkBody>;

const handle = {
  forkId: Type.String({
    description: 'Goes as `forkId` into the query of the filesystem routes.',
    examples: ['fork_5f0c9a4e-8d5b-4c0e-9b7e-0d5c1f1e2a3b'],
  }),
  proposalId: Type.String(),
  workspaceId: Type.String(),
  expiresAt: Timestamp,
  parentRevision: Type.String({
    description: 'The newest revision of the moment that the fork shows.',
    examples: ['rev_42'],
  }),
};

export const ForkHandle = Type.Object(handle, { $id: 'ForkHandle' });
export type ForkHandle = Static<typeof ForkHandle>;

export const Fork = Type.Object(
  {
    ...handle,
    createdBy: Type.String({ description: 'The agent of the token.' }),
    createdAt: Timestamp,
    writtenCount: Type.Integer({ description: 'Files that it has staged.' }),
    deletedCount: Type.Integer({ description: 'Deletions that it has staged.' }),
    bytes: Type.Integer({ description: 'Bytes of the contents that it has staged.' }),
  },
  { $id: 'Fork' },
);
export type Fork = Static<typeof Fork>;

export const ForkList = Type.Object({ forks: Type.Array(Fork) }, { $id: 'ForkList' });
export type ForkList = Static<typeof ForkList>;

export const ForkCommitted = Type.Object(
  {
    revision: Type.String({ description: 'The newest revision after the commit.', examples: ['rev_43'] }),
    writtenCount: Type.Integer({ minimum: 0 }),
    deletedCount: Type.Integer({ minimum: 0 }),
  },
  { $id: 'ForkCommitted' },
);
export type ForkCommitted = Static<typeof ForkCommitted>;

const conflict = {
  path: Type.String(),
  forkType: Type.Enum(['write', 'delete'], { description: 'What the fork has staged there.' }),
  liveExists: Type.Boolean(),
  liveRevision: Type.String({
    description:
      'Revision of the workspace’s file; `0` when there is none. As `If-Match` it settles the conflict.',
  }),
};

export const ForkConflict = Type.Object({
  ...conflict,
  liveContentPreview: Type.Optional(Type.String({ maxLength: 4000 })),
});
export type ForkConflict = Static<typeof ForkConflict>;

export const ForkRebased = Type.Object(
  {
    parentRevision: Type.String({ examples: ['rev_43'] }),
    cleanCount: Type.Integer({ minimum: 0, description: 'Staged paths that nobody else has changed.' }),
    conflicts: Type.Array(ForkConflict),
  },
  { $id: 'ForkRebased' },
);
export type ForkRebased = Static<typeof ForkRebased>;

const ForkChange = Type.Object({
  ...conflict,
  conflicts: Type.Boolean({
    description: 'The workspace’s file was changed since, to something else: a commit would be refused.',
  }),
  madeOn: Type.Union([Revision, Type.Null()], {
    description: 'The workspace’s revision that the change was made on; null: nothing stood there.',
  }),
  revision: Type.Optional(Revision),
  contentHash: Type.Optional(ContentHash),
  size: Type.Optional(Type.Integer({ description: 'Bytes of the content.' })),
  contentType: Type.Optional(Type.String()),
  diff: Type.Optional(
    Type.Object(
      {
        kind: FileDiff.properties.kind,
        patch: Type.Optional(
          Type.String({
            description: 'Takes the workspace’s file to the fork’s; empty when the bytes are the same.',
          }),
        ),
        liveSize: Type.Optional(
          Type.Integer({ description: 'Bytes of the workspace’s file; absent: there is none.' }),
        ),
      },
      { description: 'With `patch=true`. Absent where the token may not read the workspace’s file.' },
    ),
  ),
});
export type ForkChange = Static<typeof ForkChange>;

export const ForkChanges = Type.Object(
  { changes: Type.Array(ForkChange), nextCursor: NextCursor },
  { $id: 'ForkChanges' },
);
export type ForkChanges = Static<typeof ForkChanges>;
