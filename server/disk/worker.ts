// The thread of one mirrored folder: its engine on the real disk and its watcher, so that neither waits for the agent's own
// work and the agent never waits for a disk. Started by disk/worker-folder only.
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import { releaseAtRest, threadMemory } from '../platform/memory-at-rest.ts';
import { FolderEngine } from './engine.ts';
import { errorCode } from './file-system.ts';
import type { ReadOutcome, WatchState } from './folder.ts';
import { HintPacer } from './hint-pacer.ts';
import { isBuiltInIgnored, privateFolderName } from './ignore.ts';
import { LagWatch } from './lag-watch.ts';
import { nodeFileSystem } from './node-file-system.ts';

import { touchMarker } from './root.ts';
import { WatchCheck } from './watch-check.ts';
import { readWatchLimit } from './watch-limit.ts';
import { Watcher } from './watcher.ts';
import type { CallName, Calls, FromWorker, ToWorker } from './worker-messages.ts';

const privatePath = `/${privateFolderName}`;

const port = parentPort;
if (port === null) throw new Error('disk/worker runs as a worker thread only');

const time = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const engine = new FolderEngine({
  fs: nodeFileSystem,
  time,
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
  isWindows: process.platform === 'win32',
  onScanProgress: (scanned) => tell({ scanned }),
});
const pacer = new HintPacer(() => tell({ hint: engine.dirty.isFull ? 'full' : 'dirty' }));
let root = '';
let watcher: Watcher | null = null;
let check: WatchCheck | null = null;
let lag: LagWatch | null = null;
const ended = new AbortController();
const memory = threadMemory();
if (memory !== null) void releaseAtRest(memory, systemClock, ended.signal);

port.on('message', (message: ToWorker) => {
  if ('markDirty' in message) {
    hint(message.markDirty, null, 'renamed');
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
      return await startWatching();
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
      await stopWatching();
      ended.abort();
      return null;
  }
}

async function startWatching(): Promise<WatchState> {
  await stopWatching();
  watcher = new Watcher(
    root,
    (path) =>
      path !== privatePath &&
      (isBuiltInIgnored(path.slice(path.lastIndexOf('/') + 1)) || engine.ignores(path)),
    {
      onHint: hint,
      onTrouble(code, final) {
        lookAtAll();
        if (!final) return;
        check?.stop();
        tell({ watchState: 'polling', trouble: { code, limit: readWatchLimit(code) } });
      },
    },
  );
  const watching = await watcher.start();
  lag = new LagWatch({ clock: systemClock, onLag: lookAtAll });
  void lag.run();
  if (watching) startChecking();
  return watching ? 'events' : 'polling';
}

/** Touches the marker, which is there as long as the folder is the mirrored one. */
function startChecking(): void {
  check?.stop();
  check = new WatchCheck({
    clock: systemClock,
    touch: () => touchMarker(root),
    onMissed(silent) {
      lookAtAll();
      if (silent) tell({ watchState: 'polling', trouble: { code: 'ESILENT', limit: null } });
    },
    onHeardAgain() {
      lookAtAll();
      tell({ watchState: 'events', trouble: null });
    },
  });
  void check.run();
}

function lookAtAll(): void {
  engine.dirty.markFull();
  pacer.hint(time.monotonicMs());
}

async function stopWatching(): Promise<void> {
  check?.stop();
  check = null;
  lag?.stop();
  lag = null;
  pacer.stop();
  await watcher?.stop();
  watcher = null;
}

function hint(directory: string, name: string | null, kind: 'renamed' | 'written'): void {
  // Nothing of it is mirrored: it is watched to prove that there are events.
  if (directory === privatePath) {
    check?.heard();
    return;
  }
  engine.hint(directory, name, kind);
  pacer.hint(time.monotonicMs());
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
