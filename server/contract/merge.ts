// The three-way merge of a file: its strategies, its request and what it answers.
import { type Static, Type } from 'typebox';
import { ContentIdentity } from './files.ts';

const mergeStrategies = ['go-top-level-functions-v1', 'three-way-lines-v1'] as const;
export type MergeStrategy = (typeof mergeStrategies)[number];

export const MergeBody = Type.Object({
  strategy: Type.Enum([...mergeStrategies], {
    description: 'Lines are merged whatever the language; functions of Go are not known here (422).',
  }),
  content: Type.String({ description: 'The whole content as the caller wants it.' }),
  baseRevision: Type.String({ minLength: 1, description: 'Revision from which the caller edited.' }),
  baseContent: Type.String({ description: 'The whole content at that revision.' }),
  contentType: Type.Optional(Type.String({ description: 'Default: what the file has.' })),
  contentIdentity: Type.Optional(ContentIdentity),
});
export type MergeBody = Static<typeof MergeBody>;

export const MergeResult = Type.Object(
  {
    targetRevision: Type.String({ description: 'Revision of the merged file.' }),
    strategy: Type.Enum([...mergeStrategies]),
    baseRevision: Type.String(),
    mergedAgainstRevision: Type.String({ description: 'What stood there and was merged with.' }),
  },
  { $id: 'MergeResult' },
);
export type MergeResult = Static<typeof MergeResult>;

/** Stands in the `conflicts` of a `merge_conflict`. */
export interface MergeClash {
  readonly unit: string;
  readonly reason: string;
  readonly base?: string;
  readonly mine?: string;
  readonly theirs?: string;
}
