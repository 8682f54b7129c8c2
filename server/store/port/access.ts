// How another thread opens the store for reading (store/reader.ts). It travels as data.
import type { MessagePort } from 'node:worker_threads';

export type StoreAccess =
  | { readonly engine: 'sqlite'; readonly dataDir: string }
  | { readonly engine: 'postgres'; readonly link: LinkEnd };

/** How a thread reaches its connection: messages on the port; `signal` rises with each answer. */
export interface LinkEnd {
  readonly port: MessagePort;
  readonly signal: SharedArrayBuffer;
}

/** For the `workerData` and the `transferList` of a thread. */
export interface SentAccess {
  readonly access: StoreAccess;
  readonly transfer: readonly MessagePort[];
}
