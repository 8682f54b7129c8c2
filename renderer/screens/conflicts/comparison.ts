// How a conflict's versions can be looked at.
export const views = ['sides', 'three', 'base', 'result'] as const;
export type ConflictViewName = (typeof views)[number];
