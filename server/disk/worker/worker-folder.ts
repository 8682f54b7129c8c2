// A folder on the real disk: the agent's end of its worker thread (folder-threads.ts). It only passes calls and results; when the
// thread ends, every open call fails, and the failure is reported once.
import type {
  ChunkRequest,
  FileChunk,
  Folder,
  FolderListener,
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
  ScanResult,
  WatchState,
} from '../port/folder.ts';
import { type FolderThread, takeThread } from './folder-threads.ts';
import type { CallName, Calls, FromWorker, ToWorker } from './worker-messages.ts';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerFolder implements Folder {
  readonly #thread: FolderThread;
  readonly #listener: FolderListener;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended = false;

  constructor(listener: FolderListener) {
    this.#listener = listener;
    this.#thread = takeThread((error) => this.#fail(error));
    this.#thread.port.on('message', (message: FromWorker) => this.#receive(message));
    this.#thread.port.unref();
  }

  open(options: OpenFolder): Promise<{ root: RootState; names: NameRules }> {
    return this.#call('open', options);
  }

  watch(): Promise<WatchState> {
    return this.#call('watch', null);
  }

  scan(scope: 'full' | 'dirty'): Promise<ScanResult> {
    return this.#call('scan', scope);
  }

  markDirty(directory: string): void {
    this.#post({ markDirty: directory });
  }

  read(requests: readonly ReadRequest[]): Promise<readonly ReadOutcome[]> {
    return this.#call('read', requests);
  }

  readPiece(request: ChunkRequest): Promise<ReadOutcome> {
    return this.#call('readPiece', request);
  }

  writePiece(piece: FileChunk): Promise<OperationOutcome> {
    return this.#call('writePiece', piece, [piece.bytes.buffer]);
  }

  dropPieces(path: string, tempName: string): Promise<boolean> {
    return this.#call('dropPieces', { path, tempName });
  }

  apply(operations: readonly FolderOperation[]): Promise<readonly OperationOutcome[]> {
    return this.#call('apply', operations);
  }

  recover(intents: readonly RecoverIntent[]): Promise<readonly boolean[]> {
    return this.#call('recover', intents);
  }

  async mark(markerId: string): Promise<void> {
    await this.#call('mark', markerId);
  }

  prove(request: ProofRequest | null): Promise<ProofSlice> {
    return this.#call('prove', request);
  }

  rehash(): Promise<RehashSlice> {
    return this.#call('rehash', null);
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    await this.#call('close', null);
    this.#ended = true;
    await this.#thread.release();
  }

  /** `handedOver` changes hands instead of being copied. */
  #call<Name extends CallName>(
    call: Name,
    request: Calls[Name]['request'],
    handedOver: readonly ArrayBuffer[] = [],
  ): Promise<Calls[Name]['answer']> {
    if (this.#ended) return Promise.reject(new Error('the folder is closed'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // The thread must keep the process alive exactly while a call waits for it.
      this.#thread.port.ref();
      this.#post({ id, call, request } as ToWorker, handedOver);
    });
  }

  #post(message: ToWorker, handedOver: readonly ArrayBuffer[] = []): void {
    this.#thread.port.postMessage(message, [...handedOver]);
  }

  #receive(message: FromWorker): void {
    if ('hint' in message) {
      this.#listener.onHint(message.hint);
    } else if ('scanned' in message) {
      this.#listener.onScanProgress?.(message.scanned);
    } else if ('watchState' in message) {
      this.#listener.onWatchState(message.watchState, message.trouble);
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (this.#waiting.size === 0) this.#thread.port.unref();
      if ('answer' in message) waiting?.resolve(message.answer as never);
      else waiting?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    }
  }

  #fail(error: Error): void {
    const wasOpen = !this.#ended;
    this.#ended = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#thread.port.close();
    if (wasOpen) this.#listener.onFailure(error);
  }
}
