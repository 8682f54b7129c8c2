// A thread of mirrored folders: the engine and watcher of each, so that neither waits for the agent and the agent never waits for
// a disk. Only folder-threads.ts starts it.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { releaseIdleMemory, threadMemory } from '../../platform/process/idle-memory.ts';
import { confinedFileSystem } from '../port/confined-file-system.ts';
import { errorCode } from '../port/file-system.ts';
import type { FolderChanges, ReadOutcome, ScanResult } from '../port/folder.ts';
import { ChangeList } from '../tree/change-list.ts';
import { buffersOf } from '../tree/packed-files.ts';
import { ChangeNotifier } from '../watch/change-notifier.ts';
import { ThreadStallDetector } from '../watch/stall-detector.ts';
import { readQueueLimit } from '../watch/watcher.ts';
import { FolderEngine } from './engine.ts';
import type { Answer, Call, CallName, FromWorker, ThreadMessage, ToWorker } from './worker-messages.ts';

if (parentPort === null) throw new Error('disk/worker runs as a worker thread only');

/** Of 2,048 changes each. */
const collectAfterParts = 8;

const time = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
// For as long as the thread runs: it is terminated when its last folder is closed.
const memory = threadMemory();
if (memory !== null) void releaseIdleMemory(memory, systemClock, new AbortController().signal);

const stallDetector = new ThreadStallDetector(systemClock, readQueueLimit());

parentPort.on('message', ({ port }: ThreadMessage) => new ServedFolder(port));

/** Of this thread, in the system and outside. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** One folder, whose calls come over a port of its own. */
class ServedFolder {
  readonly #port: MessagePort;
  readonly #engine: FolderEngine;
  readonly #post: ChangeNotifier;
  #root = '';

  constructor(port: MessagePort) {
    this.#port = port;
    this.#engine = new FolderEngine({
      fileSystemAt: (folder) => confinedFileSystem(folder),
      time,
      breathe: () => new Promise((resolve) => setImmediate(resolve)),
      cpuMs: threadCpuMs,
      isWindows: process.platform === 'win32',
      onScanProgress: (scanned) => this.#tell({ scanned }),
    });
    this.#post = new ChangeNotifier({
      clock: systemClock,
      stallDetector,
      hinted: this.#engine,
      listener: {
        onHint: (hint) => this.#tell({ hint }),
        onWatchState: (watchState, trouble) => this.#tell({ watchState, trouble }),
      },
    });
    port.on('message', (message: ToWorker) => this.#receive(message));
  }

  #receive(message: ToWorker): void {
    if ('markDirty' in message) {
      this.#post.hint(message.markDirty, null, 'renamed');
      return;
    }
    this.#serve(message).then(
      (answer) => this.#answer(message, answer),
      (error: unknown) =>
        this.#tell({
          id: message.id,
          error: { message: error instanceof Error ? error.message : String(error), code: errorCode(error) },
        }),
    );
  }

  async #serve(message: Call): Promise<Answer> {
    if (message.call === 'watch') return await this.#post.start(this.#root);
    if (message.call === 'close') return await this.#post.stop();
    if (message.call === 'open') this.#root = message.input[0].root;
    if (message.call === 'scan' && message.input[0] === 'barrier')
      return await this.#engine.scan((await this.#post.barrier()) ? 'barrier' : 'full');
    const act = this.#engine[message.call] as (...input: readonly unknown[]) => Promise<Answer>;
    return await act(...message.input);
  }

  #answer({ id, call }: Call, answer: Answer): void {
    if (call !== 'scan') {
      this.#tell({ id, answer }, buffersIn(call, answer));
      return;
    }
    const result = answer as ScanResult;
    const { packed, open } = listOf(result.changes).parts;
    for (const changes of packed) this.#tell({ id, changes }, buffersOf(changes.files));
    this.#tell({ id, answer: { ...result, changes: open } });
    // What it took to find as many changes is not needed again.
    if (packed.length >= collectAfterParts) memory?.collect();
  }

  #tell(message: FromWorker, handedOver: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, [...handedOver]);
  }
}

/** Files that were read change hands instead of being copied. */
function buffersIn(call: CallName, answer: Answer): readonly ArrayBuffer[] {
  if (call === 'readPiece') return buffersRead([answer as ReadOutcome]);
  return call === 'read' ? buffersRead(answer as readonly ReadOutcome[]) : [];
}

function listOf(changes: FolderChanges): ChangeList {
  return changes instanceof ChangeList ? changes : new ChangeList([], [...changes]);
}

function buffersRead(outcomes: readonly ReadOutcome[]): readonly ArrayBuffer[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.bytes.buffer] : []));
}
