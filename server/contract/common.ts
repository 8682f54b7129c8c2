// Words that several resources of the wire share. Schemas only: no functions, no defaults that decide.
import { type Static, Type } from 'typebox';

/** RFC 3339, UTC. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339 date and time in UTC.',
  examples: ['2026-11-20T11:11:50.481Z'],
});

/** Of a body that acts on many: a filter whose name is misspelled would match everything. */
export const nothingElse = { additionalProperties: false } as const;

/** `rev_<n>`: one counter for all workspaces, strictly increasing in commit order; `fork:<forkId>:<n>` of what a fork holds. */
export const Revision = Type.String({
  description:
    'Revision of a file: `rev_<n>`, one counter for all workspaces; of what only a fork holds `fork:<forkId>:<n>`.',
  examples: ['rev_42'],
});

/** Lower-case SHA-256 hex of the decoded bytes. */
export const ContentHash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the decoded bytes.',
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
  { description: 'Metadata of a file; empty parts are left out.' },
);
export type Semantics = Static<typeof Semantics>;

export const Accepted = Type.Object({
  status: Type.Literal('queued'),
  id: Type.String(),
  correlationId: Type.String(),
});
export type Accepted = Static<typeof Accepted>;
