// History: revisions of files, diffs and restores.
import { type Static, Type } from 'typebox';
import { ContentHash, NextCursor, Revision, Timestamp } from './common.ts';
import { TreeEntry } from './files.ts';

const Batch = Type.String({
  description: 'All changes of one request: `batch_<n>`. Reverting it undoes all of them.',
  examples: ['batch_42'],
});
/** Stored bytes, unlike the sizes of a tree, which count the encoded content. */
const Size = Type.Integer({ description: 'Bytes of the content.' });

const HistoryEntry = Type.Object({
  revision: Revision,
  path: Type.String({ description: 'Path of the file at that revision.' }),
  action: Type.Enum(['write', 'delete', 'move']),
  movedFrom: Type.Optional(Type.String({ description: 'Omitted if the token may not read that path.' })),
  restoredFrom: Type.Optional(
    Type.String({ description: 'The revision that this one restored.', examples: ['rev_7'] }),
  ),
  contentHash: Type.Optional(ContentHash),
  size: Size,
  contentType: Type.String(),
  actor: Type.Object({
    kind: Type.Enum(['token', 'mirror', 'provider', 'system', 'remote']),
    name: Type.String({
      description: 'The agent of a token, the name of a provider, `Folder` for a mirror.',
    }),
    tokenId: Type.Optional(Type.String()),
    client: Type.Optional(
      Type.String({
        description:
          'The MCP client that used the token, as it names itself. It proves nothing: `name` and `tokenId` are the identity.',
        examples: ['claude-code'],
      }),
    ),
  }),
  origin: Type.String({ description: 'As in events.' }),
  correlationId: Type.String(),
  opId: Type.Optional(Type.String()),
  batch: Batch,
  at: Timestamp,
});
export type HistoryEntry = Static<typeof HistoryEntry>;

/** Retention of history; settings `historyDays`, `historyRevisionsMin` and `historyBytes`. */
export const Retention = Type.Object({
  days: Type.Integer({ description: 'Revisions are retained for at least this many days.' }),
  revisions: Type.Integer({ description: 'At least this many revisions of each path are retained.' }),
  bytes: Type.Integer({
    description:
      'Maximum size of content that only history references. Above it, the oldest replaced or deleted content is removed first, but never within one day, and never content of a pending operation, an open fork or a listed conflict.',
  }),
  completeSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'All later states can be restored. Absent: no state was deleted yet.',
    }),
  ),
});

export type Retention = Static<typeof Retention>;

export const HistoryPage = Type.Object(
  { path: Type.String(), entries: Type.Array(HistoryEntry), nextCursor: NextCursor, retention: Retention },
  { $id: 'HistoryPage' },
);
export type HistoryPage = Static<typeof HistoryPage>;

export const TreeAt = Type.Object(
  {
    path: Type.String(),
    at: Type.String({ format: 'date-time', description: 'The requested point in time.' }),
    entries: Type.Array(TreeEntry, {
      description: 'In the byte order of the paths, where the path of a directory ends with `/`.',
    }),
    nextCursor: NextCursor,
    complete: Type.Boolean({
      description:
        'false: retention has deleted states of that time, so files may be missing and the state cannot be restored.',
    }),
    completeSince: Retention.properties.completeSince,
  },
  { $id: 'TreeAt' },
);
export type TreeAt = Static<typeof TreeAt>;

const DiffSide = Type.Object({
  revision: Revision,
  path: Type.String(),
  contentHash: Type.Optional(ContentHash),
  size: Size,
  at: Timestamp,
});

export const FileDiff = Type.Object(
  {
    path: Type.String(),
    from: Type.Union([DiffSide, Type.Null()], { description: 'null: no file.' }),
    to: Type.Union([DiffSide, Type.Null()]),
    kind: Type.Enum(['text', 'too_different', 'binary', 'too_large'], {
      description:
        '`text`: `patch` is the diff. `too_different`: the line comparison exceeds its limit of work; `patch` replaces the whole text. `binary`: a version is not UTF-8 text. `too_large`: a version is over 512 KiB, or the comparison exceeded its time limit.',
    }),
    patch: Type.Optional(
      Type.String({
        description:
          'For `git apply`, from the first to the second version; empty when they are equal. Only for `text` and `too_different`.',
      }),
    ),
  },
  { $id: 'FileDiff' },
);
export type FileDiff = Static<typeof FileDiff>;

export const RestoreBody = Type.Object({
  path: Type.Optional(
    Type.String({
      description: 'A file, or a directory with its descendants. Default: the whole workspace.',
    }),
  ),
  revision: Type.Optional(
    Type.String({
      description:
        'For a file, one of its revisions, also from before a move. Otherwise the path and its descendants after this revision.',
      examples: ['rev_42'],
    }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The path and its descendants at this point in time.',
    }),
  ),
  batch: Type.Optional(
    Type.String({ description: 'Reverts the changes of this request.', examples: ['batch_42'] }),
  ),
  ifChanged: Type.Optional(
    Type.Enum(['refuse', 'keep'], {
      description:
        'When files of the batch changed since: `refuse` reverts none (default), `keep` reverts only the others.',
    }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'true: returns the plan without changing anything.' })),
});
export type RestoreBody = Static<typeof RestoreBody>;

const RestoredFile = Type.Object({
  path: Type.String(),
  action: Type.Enum(['create', 'update', 'delete']),
  beforeRevision: Type.Optional(Type.String({ description: 'Revision before the restore.' })),
  fromRevision: Type.Optional(Type.String({ description: 'The restored revision. Absent: no file.' })),
  contentHash: Type.Optional(ContentHash),
  size: Size,
  revision: Type.Optional(Type.String({ description: 'Revision of the change; absent in a dry run.' })),
  opId: Type.Optional(Type.String()),
});

export const Restored = Type.Object(
  {
    dryRun: Type.Boolean(),
    batch: Type.Optional(Type.String({ description: 'Batch of the restore, to revert it.' })),
    created: Type.Integer(),
    updated: Type.Integer(),
    deleted: Type.Integer(),
    files: Type.Array(RestoredFile, { description: 'At most 1,000; the counts include all.' }),
    kept: Type.Array(Type.String(), { description: 'Paths that changed since and are not reverted.' }),
    correlationId: Type.String(),
  },
  { $id: 'Restored' },
);
export type Restored = Static<typeof Restored>;
