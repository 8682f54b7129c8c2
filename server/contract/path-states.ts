// Where paths stand in the mirrors that show them. Our own endpoint beside v1.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';
import { pathStates } from './words.ts';

export const PathStatesBody = Type.Object({
  paths: Type.Array(Type.String({ maxLength: 4096 }), { minItems: 1, maxItems: 1000 }),
});
export type PathStatesBody = Static<typeof PathStatesBody>;

const State = Type.Enum([...pathStates], {
  description:
    '`same`: in step. `sending`: from the folder to the workspace. `receiving`: from the workspace to the folder. `conflict`: two versions are kept. `refused`: it cannot be carried, `why` says the cause. `ignored`: by the ignore rules. `kept`: a one-way mirror leaves it as it is. `absent`: neither side has it. `unknown`: the mirror does not look now, or has not looked yet.',
});

const PathState = Type.Object({
  path: Type.String({ description: 'As it was asked for.' }),
  state: Type.Union([State, Type.Null()], {
    description: 'The worst over the mirrors; null: no mirror shows it.',
  }),
  mirrors: Type.Array(
    Type.Object({
      mirrorId: Type.String(),
      state: State,
      why: Type.String({ description: 'The same for people.' }),
      next: Type.Union([Type.String(), Type.Null()], { description: 'What helps; null: nothing is needed.' }),
      retryAt: Type.Union([Timestamp, Type.Null()], { description: 'null: not by itself.' }),
    }),
    { description: 'One for each mirror that shows it.' },
  ),
});
export type PathState = Static<typeof PathState>;

export const PathStates = Type.Object(
  { states: Type.Array(PathState, { description: 'In the order of the paths.' }) },
  { $id: 'PathStates' },
);
export type PathStates = Static<typeof PathStates>;
