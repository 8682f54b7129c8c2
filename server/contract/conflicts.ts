// Conflicts of mirrors: two versions of one file, of which a person has the say. Our own endpoints beside v1.
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
    mirrorId: Type.String(),
    dir: Type.String({ description: 'The mirrored folder.' }),
    kind: Type.Enum([...conflictKinds]),
    path: Type.String({ description: "Holds the workspace's version." }),
    copyPath: Type.String({ description: "Holds the folder's version, an ordinary file beside it." }),
    detectedAt: Timestamp,
    choices: Type.Array(Type.Enum(['folder', 'workspace', 'both', 'merged']), {
      description: 'How it can be resolved.',
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
    revision: orNull(Revision, 'null: retention has let go of its revision.'),
    contentHash: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    editedAt: orNull(Timestamp, 'null: not known any more.'),
    by: orNull(
      Type.Object({ kind: Type.Enum(['token', 'mirror', 'provider', 'system']), name: Type.String() }),
      'null: not known any more.',
    ),
    content: orNull(Type.String(), 'null: over 1 MiB, or not kept any more.'),
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
  clean: Type.Boolean({ description: 'true: no line was changed differently by both sides.' }),
  content: orNull(Type.String(), 'The merged text; null unless it is clean.'),
  clashes: Type.Integer(),
  pieces: Type.Array(
    Type.Object({
      kind: Type.Enum(['same', 'folder', 'workspace', 'both', 'clash'], {
        description: 'Who changed these lines; `both`: alike, `clash`: differently.',
      }),
      base: Lines,
      folder: Lines,
      workspace: Lines,
    }),
    { description: 'The three texts, cut at the same places, from first to last line.' },
  ),
});
export type ConflictMerge = Static<typeof ConflictMerge>;

export const ConflictDetail = Type.Object(
  {
    conflict: Conflict,
    base: orNull(ConflictVersion, 'What both sides last agreed on; null when they never did.'),
    folder: orNull(
      ConflictVersion,
      'What stands at `copyPath`; null: not in the workspace yet, or a folder.',
    ),
    workspace: orNull(ConflictVersion, 'What stands at `path`; null: no file.'),
    merge: orNull(ConflictMerge, 'null: not three texts of at most 512 KiB, or nothing in common.'),
  },
  { $id: 'ConflictDetail' },
);
export type ConflictDetail = Static<typeof ConflictDetail>;

export const ConflictResolveBody = Type.Object({
  keep: Type.Optional(Type.Enum([...conflictSides])),
  merged: Type.Optional(Type.String({ description: 'The content to put at `path`, instead of `keep`.' })),
  encoding: Type.Optional(Type.String({ description: 'Of `merged`: `utf-8` (default) or `base64`.' })),
  workspaceRevision: Type.Optional(
    Type.String({ description: 'Of the version at `path` that was looked at; another one there: 409.' }),
  ),
  folderRevision: Type.Optional(
    Type.String({ description: 'Of the version at `copyPath` that was looked at; another one there: 409.' }),
  ),
});
export type ConflictResolveBody = Static<typeof ConflictResolveBody>;

export const ConflictResolved = Type.Object(
  {
    conflictId: Type.String(),
    path: Type.String(),
    kept: Type.Enum([...conflictSides, 'merged']),
    revision: orNull(Revision, 'Of the version that is now at `path`; null: none is.'),
  },
  { $id: 'ConflictResolved' },
);
export type ConflictResolved = Static<typeof ConflictResolved>;
