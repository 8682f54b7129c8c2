// What was: revisions of files, what differs between two, and bringing a past state back.
import { type Static, Type } from 'typebox';
import { ContentHash, NextCursor, Revision, Timestamp } from './common.ts';
import { TreeEntry } from './files.ts';

const Batch = Type.String({
  description: 'What one request changed together: `batch_<n>`. Reverting it takes all of that back.',
  examples: ['batch_42'],
});
/** Bytes as stored, unlike the sizes of a tree, which are those of the answered text. */
const Size = Type.Integer({ description: 'Bytes of the content.' });

const HistoryEntry = Type.Object({
  revision: Revision,
  path: Type.String({ description: 'Where the file lay at that revision.' }),
  action: Type.Enum(['write', 'delete', 'move']),
  movedFrom: Type.Optional(Type.String({ description: 'Left out where the token may not see that path.' })),
  restoredFrom: Type.Optional(
    Type.String({ description: 'The revision whose state this one brought back.', examples: ['rev_7'] }),
  ),
  contentHash: Type.Optional(ContentHash),
  size: Size,
  contentType: Type.String(),
  actor: Type.Object({
    kind: Type.Enum(['token', 'mirror', 'provider', 'system']),
    name: Type.String({
      description: 'The agent of a token, the name of a provider, `Folder` for a mirror.',
    }),
    tokenId: Type.Optional(Type.String()),
  }),
  origin: Type.String({ description: 'As in events.' }),
  correlationId: Type.String(),
  opId: Type.Optional(Type.String()),
  batch: Batch,
  at: Timestamp,
});
export type HistoryEntry = Static<typeof HistoryEntry>;

/** How long what was is kept; settings `historyDays`, `historyRevisionsMin` and `historyBytes`. */
export const Retention = Type.Object({
  days: Type.Integer({ description: 'Revisions are kept at least this long...' }),
  revisions: Type.Integer({ description: '...and at least this many of each path.' }),
  bytes: Type.Integer({
    description:
      'But no more than this of contents that stand nowhere any more: what was replaced or deleted first goes first, never within a day, and never what a pending operation, an open fork or a listed conflict needs.',
  }),
  completeSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Every later state can be restored. Absent: nothing was let go of yet.',
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
    at: Type.String({ format: 'date-time', description: 'The moment that was asked for.' }),
    entries: Type.Array(TreeEntry, {
      description: 'In the byte order of the paths, a directory as if its path ended with `/`.',
    }),
    nextCursor: NextCursor,
    complete: Type.Boolean({
      description:
        'false: retention has let go of states from then, so files may be missing here, and the moment cannot be restored.',
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
    from: Type.Union([DiffSide, Type.Null()], { description: 'null: compared with nothing.' }),
    to: Type.Union([DiffSide, Type.Null()]),
    kind: Type.Enum(['text', 'too_different', 'binary', 'too_large'], {
      description:
        '`text`: `patch` says what differs. `too_different`: a comparison by lines is more work than it may be; `patch` replaces the whole text, and `size` of both sides says how much that is. `binary`: a side is not UTF-8 text. `too_large`: a side is over 512 KiB, or the comparison took longer than it may.',
    }),
    patch: Type.Optional(
      Type.String({
        description:
          'For `git apply`, from the first to the second; empty when the bytes are the same. Only of `text` and `too_different`.',
      }),
    ),
  },
  { $id: 'FileDiff' },
);
export type FileDiff = Static<typeof FileDiff>;

export const RestoreBody = Type.Object({
  path: Type.Optional(
    Type.String({ description: 'A file, or a directory with all below it. Default: everything.' }),
  ),
  revision: Type.Optional(
    Type.String({
      description:
        'Of a file one of its own revisions, also from before a rename. Else the path and all below it as they were after this revision.',
      examples: ['rev_42'],
    }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The path and all below it as they were at this moment.',
    }),
  ),
  batch: Type.Optional(
    Type.String({ description: 'What one request changed, as it was before.', examples: ['batch_42'] }),
  ),
  ifChanged: Type.Optional(
    Type.Enum(['refuse', 'keep'], {
      description:
        'Of a batch whose files were changed since: refuse all (default), or keep those files and take back the others.',
    }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'true: say what would be done, and do nothing.' })),
});
export type RestoreBody = Static<typeof RestoreBody>;

const RestoredFile = Type.Object({
  path: Type.String(),
  action: Type.Enum(['create', 'update', 'delete']),
  beforeRevision: Type.Optional(Type.String({ description: 'What stands, or stood, there before.' })),
  fromRevision: Type.Optional(Type.String({ description: 'What comes back. Absent: nothing stood there.' })),
  contentHash: Type.Optional(ContentHash),
  size: Size,
  revision: Type.Optional(Type.String({ description: 'That the change took; absent in a dry run.' })),
  opId: Type.Optional(Type.String()),
});

export const Restored = Type.Object(
  {
    dryRun: Type.Boolean(),
    batch: Type.Optional(Type.String({ description: 'To take the restore itself back.' })),
    created: Type.Integer(),
    updated: Type.Integer(),
    deleted: Type.Integer(),
    files: Type.Array(RestoredFile, { description: 'At most 1,000; the numbers count all.' }),
    kept: Type.Array(Type.String(), { description: 'Paths that were changed since and stay as they are.' }),
    correlationId: Type.String(),
  },
  { $id: 'Restored' },
);
export type Restored = Static<typeof Restored>;
