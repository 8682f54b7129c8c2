// Forks: staged changes over a base revision of a workspace, committed atomically or discarded.
import { type Static, Type } from 'typebox';
import { ContentHash, NextCursor, Revision, StagedRevision, Timestamp } from './common.ts';
import { FileDiff } from './history.ts';

const ttlSecondsMax = 2_592_000;

export const CreateForkBody = Type.Object({
  proposalId: Type.String({
    minLength: 1,
    maxLength: 512,
    description: 'Free text of the caller. The same proposal returns its existing fork.',
    examples: ['proposal-1'],
  }),
  ttlSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `Lifetime; default 7 days (also for 0), maximum ${ttlSecondsMax} seconds: larger values are clamped.`,
    }),
  ),
});
export type CreateForkBody = Static<typeof CreateForkBody>;

const handle = {
  forkId: Type.String({
    description: 'Value of `forkId` in the query of the filesystem routes.',
    examples: ['fork_5f0c9a4e-8d5b-4c0e-9b7e-0d5c1f1e2a3b'],
  }),
  proposalId: Type.String(),
  workspaceId: Type.String(),
  expiresAt: Timestamp,
  parentRevision: Type.String({
    description: 'The revision of the workspace on which the fork is based.',
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
    writtenCount: Type.Integer({ description: 'Number of staged writes.' }),
    deletedCount: Type.Integer({ description: 'Number of staged deletions.' }),
    bytes: Type.Integer({ description: 'Bytes of the staged contents.' }),
  },
  { $id: 'Fork' },
);
export type Fork = Static<typeof Fork>;

export const ForkList = Type.Object({ forks: Type.Array(Fork) }, { $id: 'ForkList' });
export type ForkList = Static<typeof ForkList>;

export const SeenRevision = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'The `stagedRevision` of the first page of changes, or of the summary, that was read. If the commit would contain changes that were staged later: 409 `staged_changed`, and nothing is committed. Absent: everything that is staged.',
});

export const CommitForkBody = Type.Object({ stagedRevision: Type.Optional(SeenRevision) });
export type CommitForkBody = Static<typeof CommitForkBody>;

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
  forkType: Type.Enum(['write', 'delete'], { description: 'The staged change.' }),
  liveExists: Type.Boolean(),
  liveRevision: Type.String({
    description:
      'Revision of the workspace’s file; `0` if there is none. A write with it as `If-Match` resolves the conflict.',
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
    cleanCount: Type.Integer({ minimum: 0, description: 'Number of staged paths without a conflict.' }),
    conflicts: Type.Array(ForkConflict),
  },
  { $id: 'ForkRebased' },
);
export type ForkRebased = Static<typeof ForkRebased>;

const ForkChange = Type.Object({
  ...conflict,
  conflicts: Type.Boolean({
    description: 'true: the workspace’s file changed since, to other content; a commit would be refused.',
  }),
  madeOn: Type.Union([Revision, Type.Null()], {
    description: 'Base revision of the change; null: no file.',
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
            description: 'Patch from the workspace’s file to the fork’s; empty when they are equal.',
          }),
        ),
        liveSize: Type.Optional(
          Type.Integer({ description: 'Bytes of the workspace’s file; absent: no file.' }),
        ),
      },
      { description: 'With `patch=true`. Absent if the token may not read the workspace’s file.' },
    ),
  ),
});
export type ForkChange = Static<typeof ForkChange>;

export const ForkChanges = Type.Object(
  { changes: Type.Array(ForkChange), stagedRevision: StagedRevision, nextCursor: NextCursor },
  { $id: 'ForkChanges' },
);
export type ForkChanges = Static<typeof ForkChanges>;
