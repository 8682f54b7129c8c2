// The sync state of paths in their mirrors.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';
import { pathStates } from './words.ts';

export const PathStatesBody = Type.Object({
  paths: Type.Array(Type.String({ maxLength: 4096 }), { minItems: 1, maxItems: 1000 }),
});
export type PathStatesBody = Static<typeof PathStatesBody>;

const State = Type.Enum([...pathStates], {
  description:
    '`same`: up to date. `sending`: upload pending. `receiving`: download pending. `conflict`: both versions are kept. `refused`: not synced, for the reason in `why`. `ignored`: by the ignore rules. `kept`: local only, in a one-way mirror. `absent`: on neither side. `unknown`: not scanned yet, or not at the moment.',
});

const PathState = Type.Object({
  path: Type.String({ description: 'The requested path.' }),
  state: Type.Union([State, Type.Null()], {
    description: 'The most severe state of all mirrors; null: no mirror of this path.',
  }),
  mirrors: Type.Array(
    Type.Object({
      mirrorId: Type.String(),
      state: State,
      why: Type.String({ description: 'Explanation for people.' }),
      next: Type.Union([Type.String(), Type.Null()], { description: 'Next step; null: none required.' }),
      retryAt: Type.Union([Timestamp, Type.Null()], { description: 'null: no automatic retry.' }),
    }),
    { description: 'One per mirror of the path.' },
  ),
});
export type PathState = Static<typeof PathState>;

export const PathStates = Type.Object(
  { states: Type.Array(PathState, { description: 'In the order of the paths.' }) },
  { $id: 'PathStates' },
);
export type PathStates = Static<typeof PathStates>;
