// A folder on the real disk: the agent's end of its worker thread (folder-threads.ts). It only passes calls and results; when the
// thread ends, every open call fails, and the failure is reported once.
import type { Folder, FolderListener, ScanResult } from '../port/folder.ts';
import { ChangeList, type PackedChanges } from '../tree/change-list.ts';
import { type FolderThread, takeThread } from './folder-threads.ts';
import type { Answer, CallName, FromWorker, ToWorker } from './worker-messages.ts';

interface Waiting {
  /** What has come of a scan's changes so far. */
  readonly changes: PackedChanges[];
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

  open: Folder['open'] = (options) => this.#call('open', [options]);
  watch: Folder['watch'] = () => this.#call('watch', []);
  scan: Folder['scan'] = (scope) => this.#call('scan', [scope]);
  read: Folder['read'] = (requests) => this.#call('read', [requests]);
  readPiece: Folder['readPiece'] = (request) => this.#call('readPiece', [request]);
  writePiece: Folder['writePiece'] = (piece) => this.#call('writePiece', [piece], [piece.bytes.buffer]);
  dropPieces: Folder['dropPieces'] = (path, tempName) => this.#call('dropPieces', [path, tempName]);
  apply: Folder['apply'] = (operations) => this.#call('apply', [operations]);
  recover: Folder['recover'] = (intents) => this.#call('recover', [intents]);
  mark: Folder['mark'] = (markerId) => this.#call('mark', [markerId]);
  writeNotes: Folder['writeNotes'] = (notes) => this.#call('writeNotes', [notes]);
  prove: Folder['prove'] = (request) => this.#call('prove', [request]);
  rehash: Folder['rehash'] = () => this.#call('rehash', []);

  markDirty(directory: string): void {
    this.#post({ markDirty: directory });
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    await this.#call('close', []);
    this.#ended = true;
    await this.#thread.release();
  }

  /** `handedOver` changes hands instead of being copied. */
  #call<Name extends CallName>(
    call: Name,
    input: Parameters<Folder[Name]>,
    handedOver: readonly ArrayBuffer[] = [],
  ): Promise<Awaited<ReturnType<Folder[Name]>>> {
    if (this.#ended) return Promise.reject(new Error('the folder is closed'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { changes: [], resolve, reject });
      // The thread must keep the process alive exactly while a call waits for it.
      this.#thread.port.ref();
      this.#post({ id, call, input } as ToWorker, handedOver);
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
    } else if ('changes' in message) {
      this.#waiting.get(message.id)?.changes.push(message.changes);
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (this.#waiting.size === 0) this.#thread.port.unref();
      if ('answer' in message) waiting?.resolve(whole(message.answer, waiting.changes) as never);
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

/** A scan's answer with all of its changes. */
function whole(answer: Answer, packed: readonly PackedChanges[]): Answer {
  if (packed.length === 0) return answer;
  const result = answer as ScanResult;
  return { ...result, changes: new ChangeList(packed, [...result.changes]) };
}
