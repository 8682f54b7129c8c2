// A folder of this machine before it is mirrored: may it be, and what does it contain.
import { type Static, Type } from 'typebox';

export const NewFolderQueryParameters = Type.Object({
  path: Type.String({
    maxLength: 4096,
    description: 'An absolute path, or one that begins with `~/`, the home of the user of the agent.',
    examples: ['~/notes'],
  }),
});

export const NewFolder = Type.Object(
  {
    dir: Type.Union([Type.String(), Type.Null()], {
      description: 'The absolute path. null: the given one is not absolute.',
    }),
    kind: Type.Enum(['folder', 'missing', 'other'], {
      description: '`missing`: it is created when it is mirrored. `other`: not a folder.',
    }),
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it cannot be mirrored, for people.',
    }),
    cloud: Type.Union([
      Type.Object({
        service: Type.String({ examples: ['Syncthing'] }),
        folder: Type.String(),
        relation: Type.Enum(['inside', 'contains']),
        text: Type.String({ description: 'The risk and the remedy, for people.' }),
      }),
      Type.Null(),
    ]),
    proposals: Type.Array(Type.String(), {
      description: 'Folders whose path begins with the given one; at most 50.',
    }),
  },
  { $id: 'NewFolder' },
);
export type NewFolder = Static<typeof NewFolder>;

export const NewFolderCount = Type.Object(
  {
    files: Type.Integer({ description: 'Files that are synced when the folder is mirrored.' }),
    bytes: Type.Integer({ description: 'Their size.' }),
    tooLarge: Type.Integer({ description: 'Files larger than `fileBytesMax`: they are not synced.' }),
    fileBytesMax: Type.Integer(),
    complete: Type.Boolean({
      description: 'false: the count ended at its limit of entries or time, or a directory cannot be read.',
    }),
  },
  { $id: 'NewFolderCount' },
);
export type NewFolderCount = Static<typeof NewFolderCount>;
