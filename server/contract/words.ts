// Enumerations that are both stored and sent. Without schemas: the store's and the disk worker's threads import them, and a schema builder
// would add 8 MB of resident memory to each thread.

export const origins = ['provider_sync', 'agent_write', 'system'] as const;
export type Origin = (typeof origins)[number];

export const operationStatuses = [
  'pending',
  'running',
  'succeeded',
  'failed',
  'dead_lettered',
  'canceled',
] as const;
export type OperationStatus = (typeof operationStatuses)[number];

export const operationActions = ['file_upsert', 'file_delete'] as const;
export type OperationAction = (typeof operationActions)[number];

/** States of a path in a mirror, most severe first. */
export const pathStates = [
  'conflict',
  'refused',
  'unknown',
  'receiving',
  'sending',
  'ignored',
  'kept',
  'absent',
  'same',
] as const;
export type PathStateWord = (typeof pathStates)[number];

export const mirrorModes = ['two-way', 'to-workspace', 'to-folder'] as const;
export type MirrorMode = (typeof mirrorModes)[number];
