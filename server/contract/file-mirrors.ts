// The mirrors of the files that a token may read, without folders of the machine.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';
import { conflictKinds } from './conflicts.ts';
import { mirrorModes } from './words.ts';
import { mirrorStates } from './workspaces.ts';

export const FileMirror = Type.Object(
  {
    mirrorId: Type.String(),
    path: Type.String({ description: 'The mirrored directory of the workspace.' }),
    mode: Type.Enum([...mirrorModes]),
    state: Type.Enum([...mirrorStates, 'running'], {
      description:
        '`running`: it is neither paused nor stopped. A token that may read only a part of the directory is shown no more.',
    }),
  },
  { $id: 'FileMirror' },
);
export type FileMirror = Static<typeof FileMirror>;

export const FileMirrors = Type.Object(
  {
    mirrors: Type.Array(FileMirror),
    conflicts: Type.Array(
      Type.Object({
        conflictId: Type.String(),
        mirrorId: Type.Union([Type.String(), Type.Null()], {
          description: 'null: a conflict of the remote.',
        }),
        kind: Type.Enum([...conflictKinds]),
        path: Type.String({ description: "Path of the workspace's version." }),
        copyPath: Type.String({ description: "Path of the conflict copy with the folder's version." }),
        detectedAt: Timestamp,
      }),
      { description: 'Oldest first, at most 1,000.' },
    ),
  },
  { $id: 'FileMirrors' },
);
export type FileMirrors = Static<typeof FileMirrors>;
