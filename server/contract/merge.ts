// The three-way merge of a file: strategies, request and result.
import { type Static, Type } from 'typebox';
import { ContentIdentity } from './files.ts';

const mergeStrategies = ['go-top-level-functions-v1', 'three-way-lines-v1'] as const;
export type MergeStrategy = (typeof mergeStrategies)[number];

export const MergeBody = Type.Object({
  strategy: Type.Enum([...mergeStrategies], {
    description:
      '`three-way-lines-v1` merges lines of any language. `go-top-level-functions-v1` is not supported (422).',
  }),
  content: Type.String({ description: 'The complete edited content.' }),
  baseRevision: Type.String({ minLength: 1, description: 'The revision that was edited.' }),
  baseContent: Type.String({ description: 'The complete content at that revision.' }),
  contentType: Type.Optional(Type.String({ description: 'Default: the content type of the file.' })),
  contentIdentity: Type.Optional(ContentIdentity),
});
export type MergeBody = Static<typeof MergeBody>;

export const MergeResult = Type.Object(
  {
    targetRevision: Type.String({ description: 'Revision of the merged file.' }),
    strategy: Type.Enum([...mergeStrategies]),
    baseRevision: Type.String(),
    mergedAgainstRevision: Type.String({ description: 'The current revision that was merged.' }),
  },
  { $id: 'MergeResult' },
);
export type MergeResult = Static<typeof MergeResult>;

/** An entry of `conflicts` in a `merge_conflict`. */
export interface MergeClash {
  readonly unit: string;
  readonly reason: string;
  readonly base?: string;
  readonly mine?: string;
  readonly theirs?: string;
}
