// Messages between the agent's thread and a folder's thread. Plain data.
import type { MessagePort } from 'node:worker_threads';
import type {
  ChunkRequest,
  FileChunk,
  FolderOperation,
  NameRules,
  OpenFolder,
  OperationOutcome,
  ProofRequest,
  ProofSlice,
  ReadOutcome,
  ReadRequest,
  RecoverIntent,
  RehashSlice,
  RootState,
  ScanProgress,
  ScanResult,
  WatchState,
  WatchTrouble,
} from '../port/folder.ts';

export interface Calls {
  open: { request: OpenFolder; answer: { root: RootState; names: NameRules } };
  watch: { request: null; answer: WatchState };
  scan: { request: 'full' | 'dirty'; answer: ScanResult };
  read: { request: readonly ReadRequest[]; answer: readonly ReadOutcome[] };
  readPiece: { request: ChunkRequest; answer: ReadOutcome };
  writePiece: { request: FileChunk; answer: OperationOutcome };
  dropPieces: { request: { readonly path: string; readonly tempName: string }; answer: boolean };
  apply: { request: readonly FolderOperation[]; answer: readonly OperationOutcome[] };
  recover: { request: readonly RecoverIntent[]; answer: readonly boolean[] };
  mark: { request: string; answer: null };
  prove: { request: ProofRequest | null; answer: ProofSlice };
  rehash: { request: null; answer: RehashSlice };
  close: { request: null; answer: null };
}

/** A message to a thread: it serves one more folder, over this port. */
export interface ThreadMessage {
  readonly port: MessagePort;
}

export type CallName = keyof Calls;

export type ToWorker =
  | {
      [Name in CallName]: {
        readonly id: number;
        readonly call: Name;
        readonly request: Calls[Name]['request'];
      };
    }[CallName]
  | { readonly markDirty: string };

export type FromWorker =
  | { readonly id: number; readonly answer: Calls[CallName]['answer'] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } }
  | { readonly hint: 'full' | 'dirty' }
  | { readonly scanned: ScanProgress }
  | { readonly watchState: WatchState; readonly trouble: WatchTrouble | null };
