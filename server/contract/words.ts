// Lists of words that are stored as well as sent. No schemas here: the threads of the store and of the folders read these lists,
// and a schema builder in each of them would be 8 MB more that stay resident.

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

/** Of a path in a mirror, worst first. */
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
