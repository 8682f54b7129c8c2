// The thread of one mirrored folder: its engine on the real disk and its watcher, so that neither waits for the agent's own
// work and the agent never waits for a disk. Started by disk/worker-folder only.
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import { releaseAtRest, threadMemory } from '../platform/memory-at-rest.ts';
import { confinedFileSystem } from './confined-file-system.ts';
import { FolderEngine } from './engine.ts';
import { errorCode } from './file-system.ts';
import type { ReadOutcome } from './folder.ts';
import { WatchPost } from './watch-post.ts';
import type { CallName, Calls, FromWorker, ToWorker } from './worker-messages.ts';

const port = parentPort;
if (port === null) throw new Error('disk/worker runs as a worker thread only');

const time = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const engine = new FolderEngine({
  fileSystemAt: (folder) => confinedFileSystem(folder),
  time,
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
  isWindows: process.platform === 'win32',
  onScanProgress: (scanned) => tell({ scanned }),
});
const post = new WatchPost({
  clock: systemClock,
  hinted: engine,
  listener: {
    onHint: (hint) => tell({ hint }),
    onWatchState: (watchState, trouble) => tell({ watchState, trouble }),
  },
});
let root = '';
const ended = new AbortController();
const memory = threadMemory();
if (memory !== null) void releaseAtRest(memory, systemClock, ended.signal);

port.on('message', (message: ToWorker) => {
  if ('markDirty' in message) {
    post.hint(message.markDirty, null, 'renamed');
    return;
  }
  serve(message).then(
    (answer) => tell({ id: message.id, answer }, buffersIn(message.call, answer)),
    (error: unknown) =>
      tell({
        id: message.id,
        error: { message: error instanceof Error ? error.message : String(error), code: errorCode(error) },
      }),
  );
});

async function serve(
  message: Exclude<ToWorker, { markDirty: string }>,
): Promise<Calls[typeof message.call]['answer']> {
  switch (message.call) {
    case 'open':
      root = message.request.root;
      return await engine.open(message.request);
    case 'watch':
      return await post.start(root);
    case 'scan':
      return await engine.scan(message.request);
    case 'read':
      return await engine.read(message.request);
    case 'readPiece':
      return await engine.readPiece(message.request);
    case 'writePiece':
      return await engine.writePiece(message.request);
    case 'dropPieces':
      return await engine.dropPieces(message.request.path, message.request.tempName);
    case 'apply':
      return await engine.apply(message.request);
    case 'recover':
      return await engine.recover(message.request);
    case 'mark':
      await engine.mark(message.request);
      return null;
    case 'prove':
      return await engine.prove(message.request);
    case 'rehash':
      return await engine.rehash();
    case 'close':
      await post.stop();
      ended.abort();
      return null;
  }
}

/** Files that were read change hands instead of being copied. */
function buffersIn(call: CallName, answer: Calls[CallName]['answer']): readonly ArrayBuffer[] {
  if (call === 'readPiece') return buffersOf([answer as ReadOutcome]);
  return call === 'read' ? buffersOf(answer as readonly ReadOutcome[]) : [];
}

function buffersOf(outcomes: readonly ReadOutcome[]): readonly ArrayBuffer[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.bytes.buffer] : []));
}

function tell(message: FromWorker, handedOver: readonly ArrayBuffer[] = []): void {
  port?.postMessage(message, [...handedOver]);
}
