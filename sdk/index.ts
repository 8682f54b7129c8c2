// The exports of the SDK. Other files of this folder are internal.
export { actorLabel } from './actor-label.ts';
export { type ClientOptions, MooringClient } from './client.ts';
export { bytesOf } from './content.ts';
export type { Edit, EditResult } from './edit.ts';
export * from './errors.ts';
export type { LiveState, SubscribeOptions, Subscription } from './live.ts';
export type * from './types.ts';
