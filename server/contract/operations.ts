// Operations and writeback.
import { type Static, Type } from 'typebox';
import { NextCursor, nothingElse, Timestamp } from './common.ts';
import { ContentIdentity } from './files.ts';
import { operationActions, operationStatuses } from './words.ts';

export const Operation = Type.Object(
  {
    opId: Type.String({ examples: ['op_42'] }),
    path: Type.Optional(Type.String()),
    revision: Type.Optional(Type.String()),
    action: Type.Optional(Type.Enum([...operationActions])),
    provider: Type.Optional(Type.String()),
    status: Type.Enum([...operationStatuses]),
    attemptCount: Type.Integer(),
    nextAttemptAt: Type.Optional(Type.Union([Timestamp, Type.Null()])),
    lastError: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    providerResult: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    contentIdentity: Type.Optional(ContentIdentity),
    correlationId: Type.Optional(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    completedAt: Type.Optional(Timestamp),
  },
  { $id: 'Operation' },
);
export type Operation = Static<typeof Operation>;

export const OperationPage = Type.Object(
  {
    items: Type.Array(Operation),
    nextCursor: NextCursor,
    plainSaves: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Succeeded operations that `registered` omits, counted up to 100,000. Only for the owner, on the first page with `registered`.',
      }),
    ),
  },
  { $id: 'OperationPage' },
);
export type OperationPage = Static<typeof OperationPage>;

export const WritebackItem = Type.Object({
  id: Type.String(),
  workspaceId: Type.String(),
  path: Type.String(),
  revision: Type.String(),
  correlationId: Type.String(),
  contentIdentity: Type.Optional(ContentIdentity),
});
export type WritebackItem = Static<typeof WritebackItem>;
export const WritebackItemList = Type.Array(WritebackItem);

export const WritebackAckBody = Type.Object({
  success: Type.Optional(Type.Unknown({ description: 'Boolean; without a body: true.' })),
  error: Type.Optional(Type.String()),
  externalId: Type.Optional(Type.String()),
  canonicalPath: Type.Optional(Type.String()),
  providerResult: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type WritebackAckBody = Static<typeof WritebackAckBody>;

export const WritebackAcknowledged = Type.Object(
  {
    status: Type.Literal('acknowledged'),
    id: Type.String(),
    correlationId: Type.String(),
    success: Type.Boolean(),
    draft: Type.Optional(
      Type.Object({
        action: Type.Enum(['renamed', 'removed', 'none']),
        from: Type.Optional(Type.String()),
        to: Type.Optional(Type.String()),
      }),
    ),
  },
  { $id: 'WritebackAcknowledged' },
);
export type WritebackAcknowledged = Static<typeof WritebackAcknowledged>;

/** A step of an operation: an attempt, or an action of a person. */
export const OperationStep = Type.Object({
  kind: Type.Enum([
    'written',
    'attempt',
    'waiting',
    'acknowledged',
    'replayed',
    'hastened',
    'canceled',
    'superseded',
    'settled',
  ]),
  at: Timestamp,
  endedAt: Type.Optional(Timestamp),
  attempt: Type.Optional(Type.Integer()),
  outcome: Type.Optional(
    Type.String({
      description:
        'For an attempt: `delivered`, `refused` (permanently), `failed` (counts as an attempt), `unavailable` (does not count), `interrupted`. For the last step: the status. For a replay: the content that is sent.',
    }),
  ),
  httpStatus: Type.Optional(Type.Integer()),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  correlationId: Type.Optional(Type.String()),
});
export type OperationStep = Static<typeof OperationStep>;

export const OperationSteps = Type.Object(
  {
    opId: Type.String(),
    status: Type.Enum([...operationStatuses]),
    supersededBy: Type.Optional(Type.String({ description: 'The newer operation that replaces this one.' })),
    actor: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum(['token', 'mirror', 'provider', 'system', 'remote']),
          name: Type.String(),
          tokenId: Type.Optional(Type.String()),
        },
        { description: 'Actor of the change; absent when history no longer retains it.' },
      ),
    ),
    steps: Type.Array(OperationStep, { description: 'Oldest first; at most 200 attempts, the newest.' }),
  },
  { $id: 'OperationSteps' },
);
export type OperationSteps = Static<typeof OperationSteps>;

const send = Type.Enum(['current', 'original'], {
  description:
    '`current` (default): the current file, or its deletion. `original`: the original revision of the operation.',
});

export const ReplayOperationBody = Type.Object({ send: Type.Optional(send) });
export type ReplayOperationBody = Static<typeof ReplayOperationBody>;

const OperationFilter = Type.Object(
  {
    opIds: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    provider: Type.Optional(Type.String()),
    action: Type.Optional(Type.Enum([...operationActions])),
  },
  nothingElse,
);
export type OperationFilter = Static<typeof OperationFilter>;

const dryRun = Type.Boolean({ description: 'true: lists the matches and changes nothing.' });

export const OperationBulkBody = Type.Object(
  { filter: Type.Optional(OperationFilter), dryRun: Type.Optional(dryRun) },
  nothingElse,
);
export type OperationBulkBody = Static<typeof OperationBulkBody>;

export const OperationBulkReplayBody = Type.Object(
  {
    filter: Type.Optional(OperationFilter),
    send: Type.Optional(send),
    dryRun: Type.Optional(dryRun),
  },
  nothingElse,
);
export type OperationBulkReplayBody = Static<typeof OperationBulkReplayBody>;

export const OperationBulkResult = Type.Object(
  {
    matched: Type.Integer({ minimum: 0 }),
    done: Type.Integer({ minimum: 0 }),
    more: Type.Boolean({
      description: 'true: more operations match than one request handles; repeat the request.',
    }),
    results: Type.Array(
      Type.Object({
        opId: Type.String(),
        path: Type.Optional(Type.String()),
        done: Type.Boolean(),
        message: Type.Optional(Type.String({ description: 'Reason when it was not done.' })),
      }),
      { description: 'Oldest first, in the order of execution.' },
    ),
  },
  { $id: 'OperationBulkResult' },
);
export type OperationBulkResult = Static<typeof OperationBulkResult>;

export const WritebackPreview = Type.Object(
  {
    opId: Type.String(),
    path: Type.String(),
    action: Type.Enum([...operationActions]),
    revision: Type.String(),
    providerRevision: Type.Optional(
      Type.String({ description: 'Revision that the provider has, as far as known; absent: none.' }),
    ),
    diff: Type.Optional(
      Type.String({
        description:
          'Unified diff to the provider’s copy. Absent: see `diffOmitted`, or there is no content to send.',
      }),
    ),
    diffOmitted: Type.Optional(
      Type.Enum(['binary', 'too_large', 'too_different'], {
        description:
          'Reason for the missing `diff`. `binary`: a version is not UTF-8 text. `too_large`: a version is over 512 KiB, or the comparison exceeded its time limit. `too_different`: the line comparison exceeds its limit of work.',
      }),
    ),
    sizeBytes: Type.Integer({ description: 'Size of the sent content in bytes.' }),
    providerSizeBytes: Type.Optional(
      Type.Integer({ description: 'Size of the provider’s copy in bytes, as far as known; absent: none.' }),
    ),
    request: Type.Optional(
      Type.Object(
        {
          method: Type.Literal('POST'),
          url: Type.String(),
          headers: Type.Record(Type.String(), Type.String()),
          body: Type.String({ description: 'At most 262,144 characters.' }),
        },
        { description: 'Without its signature. Absent: the agent sends no request.' },
      ),
    ),
    warnings: Type.Array(Type.String()),
  },
  { $id: 'WritebackPreview' },
);
export type WritebackPreview = Static<typeof WritebackPreview>;

export const WritebackCanceled = Type.Object(
  { status: Type.Literal('canceled'), id: Type.String(), correlationId: Type.String() },
  { $id: 'WritebackCanceled' },
);
export type WritebackCanceled = Static<typeof WritebackCanceled>;

export const SweepDraftsBody = Type.Object({
  pathPrefix: Type.Optional(Type.String()),
  patterns: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Globs for file names, such as `wb-*.json`. `<resource> <uuid>.json` is always included.',
    }),
  ),
  apply: Type.Optional(Type.Boolean({ default: false, description: 'false: a dry run.' })),
});
export type SweepDraftsBody = Static<typeof SweepDraftsBody>;

export const SweptDrafts = Type.Object(
  {
    dryRun: Type.Boolean(),
    scanned: Type.Integer(),
    removed: Type.Array(
      Type.Object({ path: Type.String(), reason: Type.Enum(['space-uuid-draft', 'pattern']) }),
    ),
    skipped: Type.Array(
      Type.Object({ path: Type.String(), reason: Type.Enum(['pending-writeback', 'provider-linked']) }),
    ),
  },
  { $id: 'SweptDrafts' },
);
export type SweptDrafts = Static<typeof SweptDrafts>;
