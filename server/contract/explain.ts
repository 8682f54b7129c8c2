// The plan of a mirror, and the explanation of the sync state of a path.
import { type Static, Type } from 'typebox';
import { Revision, Timestamp } from './common.ts';
import { mirrorModes } from './words.ts';
import { haltReasons } from './workspaces.ts';

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const RuleName = Type.String({
  description:
    'The sync rule that applies: `equal`, `folder_edited`, `workspace_deleted`, `both_edited`, `renamed`, …',
});

export const MirrorPlan = Type.Object(
  {
    mirrorId: Type.String(),
    dir: Type.String(),
    mode: Type.Enum([...mirrorModes]),
    halt: orNull(
      Type.Object({ reason: Type.Enum([...haltReasons]), cause: Type.String(), next: Type.String() }),
      'Why the mirror is halted; null: it is not.',
    ),
    steps: Type.Array(
      Type.Object({
        side: Type.Enum(['folder', 'workspace'], { description: 'The side that would change.' }),
        action: Type.Enum(['write', 'delete', 'move', 'aside'], {
          description:
            "`aside`: both sides changed it; the folder's version becomes a conflict copy, unless the texts can be merged.",
        }),
        path: Type.String(),
        from: Type.Optional(Type.String({ description: 'Source of a move.' })),
        rule: RuleName,
        why: Type.String(),
      }),
      { description: 'At most 1,000.' },
    ),
    total: Type.Integer({ description: 'Number of all actions.' }),
    unsettled: Type.Array(Type.String(), {
      description: 'Paths that are being written at the moment; at most 1,000.',
    }),
  },
  { $id: 'MirrorPlan' },
);
export type MirrorPlan = Static<typeof MirrorPlan>;

const Explained = Type.Object({
  mirrorId: Type.String(),
  dir: Type.String(),
  mode: Type.Enum([...mirrorModes]),
  state: Type.Enum([
    'same',
    'on_its_way',
    'settling',
    'waiting',
    'conflict',
    'kept',
    'ignored',
    'not_mirrored',
    'absent',
    'unknown',
  ]),
  rule: orNull(RuleName, 'null: unknown at the moment.'),
  why: Type.String({ description: 'Explanation for people.' }),
  observed: Type.Object({
    base: orNull(Type.Object({ contentHash: Type.String(), revision: Revision }), 'The last synced state.'),
    folder: orNull(
      Type.Object({
        kind: Type.String({ examples: ['file', 'directory', 'symlink', 'unreadable'] }),
        contentHash: Type.Optional(Type.String()),
        size: Type.Optional(Type.Integer()),
        modifiedAt: Type.Optional(Timestamp),
      }),
      'State in the folder.',
    ),
    workspace: orNull(
      Type.Object({ contentHash: Type.String(), revision: Revision, size: Type.Integer() }),
      'State in the workspace, as known to the mirror.',
    ),
  }),
  problem: orNull(
    Type.Object({
      kind: Type.String(),
      cause: Type.String(),
      next: Type.String(),
      retryAt: orNull(Timestamp, 'null: no automatic retry.'),
    }),
    'The problem of the path; null: none.',
  ),
});

export const Explanation = Type.Object(
  {
    path: Type.String(),
    mirrors: Type.Array(Explained, { description: 'One per mirror of the path.' }),
    history: Type.Array(
      Type.Object({
        revision: Revision,
        action: Type.Enum(['write', 'delete', 'move']),
        at: Timestamp,
        by: Type.Object({
          kind: Type.Enum(['token', 'mirror', 'provider', 'system', 'remote']),
          name: Type.String(),
        }),
        origin: Type.String(),
        contentHash: Type.Optional(Type.String()),
        movedFrom: Type.Optional(Type.String()),
        opId: Type.Optional(Type.String()),
        correlationId: Type.String(),
      }),
      { description: 'Changes in the workspace, newest first; at most 20.' },
    ),
  },
  { $id: 'Explanation' },
);
export type Explanation = Static<typeof Explanation>;
