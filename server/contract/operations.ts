// Operations and outbound writeback items.
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
  { items: Type.Array(Operation), nextCursor: NextCursor },
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
  success: Type.Optional(Type.Unknown({ description: 'Boolean; an absent body means true.' })),
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

/** How often, when and how an operation was tried, and what people did with it. Ours. */
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
        'Of an attempt: `delivered`, `refused` (for good), `failed` (counts against the limit), `unavailable` (does not), `interrupted`. Of the end: the status. Of a replay: what is sent.',
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
    supersededBy: Type.Optional(Type.String({ description: 'The newer operation that does its work, too.' })),
    actor: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum(['token', 'mirror', 'provider', 'system']),
          name: Type.String(),
          tokenId: Type.Optional(Type.String()),
        },
        { description: 'Who made the change; absent when history no longer keeps it.' },
      ),
    ),
    steps: Type.Array(OperationStep, { description: 'Oldest first; at most the newest 200 attempts.' }),
  },
  { $id: 'OperationSteps' },
);
export type OperationSteps = Static<typeof OperationSteps>;

const send = Type.Enum(['current', 'original'], {
  description:
    '`current` (default): the file as it is now, or that it is gone. `original`: the revision that the operation was made of.',
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

const dryRun = Type.Boolean({ description: 'Show what matches, change nothing.' });

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
    more: Type.Boolean({ description: 'More match than one request handles; ask again.' }),
    results: Type.Array(
      Type.Object({
        opId: Type.String(),
        path: Type.Optional(Type.String()),
        done: Type.Boolean(),
        message: Type.Optional(Type.String({ description: 'Why it was not done.' })),
      }),
      { description: 'Oldest first, in the order in which they were done.' },
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
      Type.String({ description: 'What the provider has, as far as is known; absent: nothing.' }),
    ),
    diff: Type.Optional(
      Type.String({
        description:
          'Unified diff to what the provider has. Absent: `diffOmitted` says why, or nothing can be sent.',
      }),
    ),
    diffOmitted: Type.Optional(
      Type.Enum(['binary', 'too_large', 'too_different'], {
        description:
          'Why there is no `diff`. `binary`: a side is not UTF-8 text. `too_large`: a side is over 512 KiB, or the comparison took longer than it may. `too_different`: a comparison by lines is more work than it may be; the two sizes are all there is to show.',
      }),
    ),
    sizeBytes: Type.Integer({ description: 'Of what is sent.' }),
    providerSizeBytes: Type.Optional(
      Type.Integer({ description: 'Of what the provider has, as far as is known; absent: nothing.' }),
    ),
    request: Type.Optional(
      Type.Object(
        {
          method: Type.Literal('POST'),
          url: Type.String(),
          headers: Type.Record(Type.String(), Type.String()),
          body: Type.String({ description: 'At most 262,144 characters.' }),
        },
        { description: 'Without its signature. Absent where the agent calls nobody.' },
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
      description: 'Globs over names, such as `wb-*.json`. `<resource> <uuid>.json` is always looked for.',
    }),
  ),
  apply: Type.Optional(Type.Boolean({ default: false, description: 'false: only tells what would go.' })),
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
