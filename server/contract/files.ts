// Files of a workspace: tree, file, bulk, query, export.
import { type Static, Type } from 'typebox';
import { ContentHash, NextCursor, Revision, Semantics, Timestamp } from './common.ts';

export const TreeEntry = Type.Object({
  path: Type.String(),
  type: Type.Union([Type.Literal('file'), Type.Literal('dir')]),
  revision: Type.String({ description: '`rev_<n>` for a file, the literal `dir` for a directory.' }),
  contentHash: Type.Optional(ContentHash),
  provider: Type.Optional(Type.String()),
  providerObjectId: Type.Optional(Type.String()),
  size: Type.Optional(
    Type.Integer({
      description: 'Length of the content in its encoding (base64 for binary); omitted when 0.',
    }),
  ),
  updatedAt: Type.Optional(Timestamp),
  propertyCount: Type.Optional(Type.Integer()),
  relationCount: Type.Optional(Type.Integer()),
  permissionCount: Type.Optional(Type.Integer()),
  commentCount: Type.Optional(Type.Integer()),
});
export type TreeEntry = Static<typeof TreeEntry>;

export const Tree = Type.Object(
  {
    path: Type.String(),
    entries: Type.Array(TreeEntry),
    nextCursor: NextCursor,
    totalFiles: Type.Optional(
      Type.Integer({ description: 'Number of all visible files below the path; omitted when 0.' }),
    ),
  },
  { $id: 'Tree' },
);
export type Tree = Static<typeof Tree>;

export const FileRecord = Type.Object(
  {
    path: Type.String(),
    revision: Revision,
    contentHash: ContentHash,
    contentType: Type.String(),
    content: Type.String(),
    encoding: Type.Optional(Type.Literal('base64', { description: 'Absent means utf-8.' })),
    provider: Type.Optional(Type.String()),
    providerObjectId: Type.Optional(Type.String()),
    lastEditedAt: Type.Optional(Timestamp),
    semantics: Semantics,
  },
  { $id: 'File' },
);
export type FileRecord = Static<typeof FileRecord>;

export const ContentIdentity = Type.Object(
  {
    kind: Type.String({ maxLength: 255 }),
    key: Type.String({ maxLength: 1024 }),
    ttlSeconds: Type.Optional(Type.Integer()),
  },
  {
    description:
      'Identifies one write of one path with one content, so that a repeat writes nothing. Another path or content with the same kind and key is a conflict.',
  },
);
export type ContentIdentity = Static<typeof ContentIdentity>;

export const WriteFileBody = Type.Object({
  path: Type.Optional(
    Type.String({ description: 'Either here or in the query. If both are present, they must be equal.' }),
  ),
  content: Type.Optional(Type.String()),
  contentType: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.String({ description: '`utf-8` (default) or `base64`.' })),
  semantics: Type.Optional(
    Type.Object({
      properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      relations: Type.Optional(Type.Array(Type.String())),
      permissions: Type.Optional(Type.Array(Type.String())),
      comments: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  contentIdentity: Type.Optional(ContentIdentity),
});
export type WriteFileBody = Static<typeof WriteFileBody>;

export const WriteQueued = Type.Object(
  {
    opId: Type.String(),
    status: Type.Literal('queued'),
    targetRevision: Revision,
    writeback: Type.Object({ provider: Type.String(), state: Type.String() }),
  },
  { $id: 'WriteQueued' },
);
export type WriteQueued = Static<typeof WriteQueued>;

export const BulkFile = Type.Object(
  {
    path: Type.Optional(Type.String()),
    content: Type.Optional(Type.String()),
    contentType: Type.Optional(Type.String()),
    encoding: Type.Optional(Type.String()),
    ifMatch: Type.Optional(Type.String()),
    contentIdentity: Type.Optional(ContentIdentity),
    semantics: Type.Optional(Type.Unknown()),
    replaceSemantics: Type.Optional(
      Type.Boolean({
        description: 'true: `semantics` replaces the metadata of the file, also when it is absent or empty.',
      }),
    ),
  },
  { additionalProperties: true },
);
export type BulkFile = Static<typeof BulkFile>;

export const BulkBody = Type.Object({ files: Type.Optional(Type.Array(BulkFile)) });
export type BulkBody = Static<typeof BulkBody>;

export const BulkResult = Type.Object(
  {
    written: Type.Integer(),
    errorCount: Type.Integer(),
    errors: Type.Array(
      Type.Object({
        path: Type.String(),
        code: Type.String(),
        message: Type.String(),
        expectedRevision: Type.Optional(
          Type.String({ description: 'For a `conflict`: the value of `ifMatch`; `*` when it was absent.' }),
        ),
        currentRevision: Type.Optional(
          Type.String({ description: 'For a `conflict` with an existing file.' }),
        ),
      }),
    ),
    results: Type.Array(
      Type.Object({
        path: Type.String(),
        revision: Revision,
        contentType: Type.String(),
        opId: Type.Optional(Type.String()),
        contentIdentity: Type.Optional(ContentIdentity),
        writeback: Type.Optional(Type.Object({ provider: Type.String(), state: Type.String() })),
      }),
    ),
    correlationId: Type.String(),
  },
  { $id: 'BulkResult' },
);
export type BulkResult = Static<typeof BulkResult>;

export const BulkReadBody = Type.Object({
  paths: Type.Array(Type.String(), { maxItems: 100 }),
  contentBytesMax: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Contents of more bytes are omitted. Default: no limit of its own.',
    }),
  ),
});
export const BulkRead = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        revision: Type.Optional(Revision),
        contentType: Type.Optional(Type.String()),
        content: Type.Optional(Type.String()),
        encoding: Type.Optional(Type.Literal('base64')),
        contentHash: Type.Optional(ContentHash),
        contentBytes: Type.Optional(
          Type.Integer({ description: 'Bytes of an omitted content. `content` alone is missing then.' }),
        ),
        semantics: Type.Optional(Semantics),
        error: Type.Optional(
          Type.Object({ status: Type.Integer(), code: Type.String(), message: Type.String() }),
        ),
      }),
    ),
  },
  { $id: 'BulkRead' },
);
export type BulkRead = Static<typeof BulkRead>;

export const QueryItem = Type.Object({
  path: Type.String(),
  revision: Revision,
  contentType: Type.String(),
  provider: Type.Optional(Type.String()),
  providerObjectId: Type.Optional(Type.String()),
  lastEditedAt: Type.Optional(Timestamp),
  size: Type.Integer(),
  properties: Type.Optional(Type.Record(Type.String(), Type.String())),
  relations: Type.Optional(Type.Array(Type.String())),
  permissions: Type.Optional(Type.Array(Type.String())),
  comments: Type.Optional(Type.Array(Type.String())),
});
export type QueryItem = Static<typeof QueryItem>;
export const QueryResult = Type.Object(
  { items: Type.Array(QueryItem), nextCursor: NextCursor },
  { $id: 'QueryResult' },
);
export type QueryResult = Static<typeof QueryResult>;
