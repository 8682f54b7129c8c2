// Schemas that several resources share.
import { type Static, Type } from 'typebox';

/** RFC 3339, UTC. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339 date and time in UTC.',
  examples: ['2026-11-20T11:11:50.481Z'],
});

/** For bodies of bulk requests: a misspelled filter would otherwise match everything. */
export const nothingElse = { additionalProperties: false } as const;

/** See docs/wire-contract.md#identifiers-and-numbers. */
export const Revision = Type.String({
  description:
    'Revision of a file: `rev_<n>`, one counter for all workspaces; `fork:<forkId>:<n>` for a staged change.',
  examples: ['rev_42'],
});

/** Lower-case SHA-256 hex of the decoded bytes. */
export const ContentHash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the decoded bytes.',
});

export const StagedRevision = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Increases with each staged change. Send it with the commit to commit only what was read: 409 `staged_changed` if others were staged since.',
});

export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Pass as `cursor` to read the next page; null on the last one.',
});

export const Semantics = Type.Object(
  {
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
    relations: Type.Optional(Type.Array(Type.String())),
    permissions: Type.Optional(Type.Array(Type.String())),
    comments: Type.Optional(Type.Array(Type.String())),
  },
  { description: 'Metadata of a file; empty members are omitted.' },
);
export type Semantics = Static<typeof Semantics>;

export const Accepted = Type.Object({
  status: Type.Literal('queued'),
  id: Type.String(),
  correlationId: Type.String(),
});
export type Accepted = Static<typeof Accepted>;
