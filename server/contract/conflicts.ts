// Conflicts of mirrors and remotes, their versions and their resolution.
import { type Static, Type } from 'typebox';
import { Revision, Timestamp } from './common.ts';

export const conflictKinds = ['both_edited', 'both_added', 'file_and_folder'] as const;
export type ConflictKind = (typeof conflictKinds)[number];
export const conflictSides = ['folder', 'workspace', 'both'] as const;
export type ConflictSide = (typeof conflictSides)[number];

export const Conflict = Type.Object(
  {
    conflictId: Type.String({ examples: ['con_a1b2c3d4e5f6'] }),
    workspaceId: Type.String(),
    mirrorId: Type.Union([Type.String(), Type.Null()], { description: 'null: a conflict of a remote.' }),
    dir: Type.Union([Type.String(), Type.Null()], { description: 'The mirrored folder.' }),
    remoteId: Type.Union([Type.String(), Type.Null()], { description: 'null: a conflict of a mirror.' }),
    url: Type.Union([Type.String(), Type.Null()], { description: 'The other server.' }),
    kind: Type.Enum([...conflictKinds]),
    path: Type.String({
      description: "Path of the workspace's version; of a remote, of the other server's.",
    }),
    copyPath: Type.String({
      description:
        "Path of the conflict copy with the folder's version; of a remote, with the one of this workspace.",
    }),
    detectedAt: Timestamp,
    choices: Type.Array(Type.Enum(['folder', 'workspace', 'both', 'merged']), {
      description: 'Possible resolutions.',
    }),
  },
  { $id: 'Conflict' },
);
export type Conflict = Static<typeof Conflict>;

export const ConflictList = Type.Object({ conflicts: Type.Array(Conflict) }, { $id: 'ConflictList' });
export type ConflictList = Static<typeof ConflictList>;

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const ConflictVersion = Type.Object(
  {
    revision: orNull(Revision, 'null: its revision is no longer retained.'),
    contentHash: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    editedAt: orNull(Timestamp, 'null: unknown.'),
    by: orNull(
      Type.Object({
        kind: Type.Enum(['token', 'mirror', 'provider', 'system', 'remote']),
        name: Type.String(),
      }),
      'null: unknown.',
    ),
    content: orNull(Type.String(), 'null: over 1 MiB, or no longer retained.'),
    encoding: Type.Enum(['utf-8', 'base64']),
  },
  { $id: 'ConflictVersion' },
);
export type ConflictVersion = Static<typeof ConflictVersion>;

const Lines = Type.Object({
  start: Type.Integer({ description: 'Number of the first line, from 0.' }),
  count: Type.Integer(),
});
export const ConflictMerge = Type.Object({
  clean: Type.Boolean({ description: 'true: no conflict hunks.' }),
  content: orNull(Type.String(), 'The merged text; null unless it is clean.'),
  clashes: Type.Integer(),
  pieces: Type.Array(
    Type.Object({
      kind: Type.Enum(['same', 'folder', 'workspace', 'both', 'clash'], {
        description: 'Which side changed these lines; `both`: equally, `clash`: differently.',
      }),
      base: Lines,
      folder: Lines,
      workspace: Lines,
    }),
    { description: 'The hunks of the three texts, from the first to the last line.' },
  ),
});
export type ConflictMerge = Static<typeof ConflictMerge>;

export const ConflictDetail = Type.Object(
  {
    conflict: Conflict,
    base: orNull(ConflictVersion, 'The last synced version; null: none.'),
    folder: orNull(
      ConflictVersion,
      'The version at `copyPath`; null: not in the workspace yet, or a folder.',
    ),
    workspace: orNull(ConflictVersion, 'The version at `path`; null: no file.'),
    merge: orNull(ConflictMerge, 'null: not three texts of at most 512 KiB, or no common base.'),
  },
  { $id: 'ConflictDetail' },
);
export type ConflictDetail = Static<typeof ConflictDetail>;

export const ConflictResolveBody = Type.Object({
  keep: Type.Optional(Type.Enum([...conflictSides])),
  merged: Type.Optional(Type.String({ description: 'The merged content for `path`, instead of `keep`.' })),
  encoding: Type.Optional(
    Type.String({ description: 'Encoding of `merged`: `utf-8` (default) or `base64`.' }),
  ),
  workspaceRevision: Type.Optional(
    Type.String({ description: 'Expected revision at `path`; otherwise 409.' }),
  ),
  folderRevision: Type.Optional(
    Type.String({ description: 'Expected revision at `copyPath`; otherwise 409.' }),
  ),
});
export type ConflictResolveBody = Static<typeof ConflictResolveBody>;

export const ConflictResolved = Type.Object(
  {
    conflictId: Type.String(),
    path: Type.String(),
    kept: Type.Enum([...conflictSides, 'merged']),
    revision: orNull(Revision, 'Current revision at `path`; null: no file.'),
  },
  { $id: 'ConflictResolved' },
);
export type ConflictResolved = Static<typeof ConflictResolved>;
