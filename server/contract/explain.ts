// What a mirror would do and why, and why a path is as it is. Our own endpoints beside v1.
import { type Static, Type } from 'typebox';
import { Revision, Timestamp } from './common.ts';
import { mirrorModes } from './words.ts';
import { haltReasons } from './workspaces.ts';

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const RuleName = Type.String({
  description:
    'The rule by which it is decided: `equal`, `folder_edited`, `workspace_deleted`, `both_edited`, `renamed`, …',
});

export const MirrorPlan = Type.Object(
  {
    mirrorId: Type.String(),
    dir: Type.String(),
    mode: Type.Enum([...mirrorModes]),
    halt: orNull(
      Type.Object({ reason: Type.Enum([...haltReasons]), cause: Type.String(), next: Type.String() }),
      'Why it would do nothing of this; null: it would.',
    ),
    steps: Type.Array(
      Type.Object({
        side: Type.Enum(['folder', 'workspace'], { description: 'Which side would change.' }),
        action: Type.Enum(['write', 'delete', 'move', 'aside'], {
          description:
            "`aside`: both sides changed it, and the folder's version gets the name of a conflict copy, unless the edits of a text can be merged.",
        }),
        path: Type.String(),
        from: Type.Optional(Type.String({ description: 'Of a move.' })),
        rule: RuleName,
        why: Type.String(),
      }),
      { description: 'At most 1,000.' },
    ),
    total: Type.Integer({ description: 'All steps.' }),
    unsettled: Type.Array(Type.String(), {
      description: 'Paths that are being written right now; at most 1,000.',
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
  rule: orNull(RuleName, 'null: nothing is known right now.'),
  why: Type.String({ description: 'The same for people.' }),
  observed: Type.Object({
    base: orNull(
      Type.Object({ contentHash: Type.String(), revision: Revision }),
      'What both sides last agreed on.',
    ),
    folder: orNull(
      Type.Object({
        kind: Type.String({ examples: ['file', 'directory', 'symlink', 'unreadable'] }),
        contentHash: Type.Optional(Type.String()),
        size: Type.Optional(Type.Integer()),
        modifiedAt: Type.Optional(Timestamp),
      }),
      'What stands in the folder.',
    ),
    workspace: orNull(
      Type.Object({ contentHash: Type.String(), revision: Revision, size: Type.Integer() }),
      'What stands in the workspace, as the mirror knows it.',
    ),
  }),
  problem: orNull(
    Type.Object({
      kind: Type.String(),
      cause: Type.String(),
      next: Type.String(),
      retryAt: orNull(Timestamp, 'null: not by itself.'),
    }),
    'What is in its way.',
  ),
});

export const Explanation = Type.Object(
  {
    path: Type.String(),
    mirrors: Type.Array(Explained, { description: 'One for each mirror that shows the path.' }),
    history: Type.Array(
      Type.Object({
        revision: Revision,
        action: Type.Enum(['write', 'delete', 'move']),
        at: Timestamp,
        by: Type.Object({
          kind: Type.Enum(['token', 'mirror', 'provider', 'system']),
          name: Type.String(),
        }),
        origin: Type.String(),
        contentHash: Type.Optional(Type.String()),
        movedFrom: Type.Optional(Type.String()),
        opId: Type.Optional(Type.String()),
        correlationId: Type.String(),
      }),
      { description: 'What was done to it in the workspace, newest first; at most 20.' },
    ),
  },
  { $id: 'Explanation' },
);
export type Explanation = Static<typeof Explanation>;
