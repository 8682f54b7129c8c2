// What the parts of a conflict's detail hand to each other.
import type { Piece, Texts } from '../../model/conflict-lines.ts';

export const views = ['sides', 'three', 'base', 'result'] as const;
export type ConflictViewName = (typeof views)[number];

export interface Comparison {
  readonly texts: Texts;
  readonly pieces: readonly Piece[];
  /** The agent could cut all three texts alike, so that they can be merged. */
  readonly mergeable: boolean;
}
