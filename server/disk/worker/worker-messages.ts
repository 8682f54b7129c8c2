// Messages between the agent's thread and a folder's thread. Plain data.
import type { MessagePort } from 'node:worker_threads';
import type { Folder, ScanProgress, WatchState, WatchTrouble } from '../port/folder.ts';
import type { PackedChanges } from '../tree/change-list.ts';

/** A message to a thread: it serves one more folder, over this port. */
export interface ThreadMessage {
  readonly port: MessagePort;
}

/** A call of the folder's port, with its arguments. */
export type Call = {
  [Name in CallName]: { readonly id: number; readonly call: Name; readonly input: Parameters<Folder[Name]> };
}[CallName];
export type CallName = Exclude<keyof Folder, 'markDirty'>;
export type Answer = Awaited<ReturnType<Folder[CallName]>>;

export type ToWorker = Call | { readonly markDirty: string };

export type FromWorker =
  /** The next of the changes that the call's answer has at its end: each part is a message, so that none takes long to read. */
  | { readonly id: number; readonly changes: PackedChanges }
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } }
  | { readonly hint: 'full' | 'dirty' }
  | { readonly scanned: ScanProgress }
  | { readonly watchState: WatchState; readonly trouble: WatchTrouble | null };
