// The real engine of the disk's room on the simulated disk, behind the port that the mirror knows: calls and answers travel as
// to a thread, and hints come late, twice or not at all.

import { isBuiltInIgnored } from '../../server/disk/names/ignore.ts';
import type { FileSystem } from '../../server/disk/port/file-system.ts';
import type { Folder, FolderListener } from '../../server/disk/port/folder.ts';
import { FolderEngine } from '../../server/disk/worker/engine.ts';
import type { DiskEvent } from './disk.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * `ordered`: events come in the order of the changes, and a loss is noticed, as on Linux; then waiting for rest makes no full scan.
 * `silent`: the same, but a loss is not noticed.
 */
export type Kernel = 'ordered' | 'silent';

export interface FolderParts {
  /** Absent: events come late, in any order, and nothing is known of a loss. */
  readonly kernel?: Kernel | undefined;
  readonly scheduler: Scheduler;
  readonly fs: FileSystem;
  readonly root: string;
  readonly isAlive: () => boolean;
  readonly aheadMs: number;
  /** Of so many hints one is lost; 0: there are none at all, and the folder is polled. */
  readonly lostOneIn: number;
  /** Sets who is told of what happens on the disk. */
  readonly onEvents: (tell: DiskEvent) => void;
  /** Just before the watches are set. */
  readonly beforeWatch: () => void;
}

const hintDelayMsMax = 40;
const pacerMsMax = 20;
const doubledOneIn = 10;
const overflowMs = 3000;

export function simFolder(parts: FolderParts, listener: FolderListener): Folder {
  const { scheduler, fs, root, isAlive, aheadMs, lostOneIn, onEvents, beforeWatch, kernel } = parts;
  let open = true;
  const lives = () => open && isAlive();
  const engine = new FolderEngine({
    fileSystemAt: () => fs,
    time: {
      nowMs: () => Math.floor(scheduler.wallMs) + aheadMs,
      monotonicMs: () => scheduler.monotonicMs,
    },
    breathe: () => scheduler.hop('disk', 'breathes', isAlive),
    isWindows: false,
  });
  const call = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    await scheduler.hop('to the disk', what, isAlive);
    const answer = await act();
    await scheduler.hop('from the disk', what, isAlive);
    return answer;
  };
  let telling = false;
  const tell = () => {
    if (telling) return;
    telling = true;
    scheduler.at(scheduler.random.below(pacerMsMax), 'hint', () => {
      telling = false;
      if (lives()) listener.onHint(engine.dirty.isFull ? 'full' : 'dirty');
    });
  };
  const beginWatches = () => {
    engine.coverage.begin({
      set: () => undefined,
      keepOnly: () => undefined,
      size: 0,
      close: () => undefined,
    });
    engine.coverage.allSet();
  };
  let cancelReset = (): void => undefined;
  /** The queue overflows; all watches are set anew some time after the last overflow. */
  const overflow = () => {
    if (kernel !== 'ordered') return;
    scheduler.post('kernel', 'overflow', () => {
      if (!lives()) return;
      engine.coverage.lost();
      engine.dirty.markFull();
      tell();
    });
    cancelReset();
    cancelReset = scheduler.at(overflowMs, 'watches are set anew', () => {
      if (!lives()) return;
      beginWatches();
      engine.dirty.markFull();
      tell();
    });
  };
  const hear: DiskEvent = (directory, name, kind) => {
    if (!lives()) return;
    if (scheduler.chance(lostOneIn)) return overflow();
    if (directory !== root && !directory.startsWith(`${root}/`)) return;
    const wire = directory === root ? '/' : directory.slice(root.length);
    if (wire.split('/').some(isBuiltInIgnored)) return;
    const arrive = () => {
      if (!lives()) return;
      engine.hint(wire, name, kind);
      tell();
    };
    if (kernel !== undefined) return scheduler.post('kernel', `event ${wire} ${name} ${kind}`, arrive);
    for (let times = scheduler.chance(doubledOneIn) ? 2 : 1; times > 0; times -= 1)
      scheduler.at(scheduler.random.below(hintDelayMsMax), `event ${wire} ${name} ${kind}`, arrive);
  };
  return {
    open: (options) => call('open', () => engine.open(options)),
    watch: () =>
      call('watch', async () => {
        if (lostOneIn === 0) return 'polling';
        beforeWatch();
        onEvents(hear);
        if (kernel !== undefined) beginWatches();
        return 'events';
      }),
    scan: (scope) =>
      call(`scan ${scope}`, async () => {
        // Its event is behind all that are waiting.
        if (scope === 'barrier' && kernel !== undefined) await scheduler.hop('kernel', 'cookie', isAlive);
        return await engine.scan(scope);
      }),
    markDirty: (directory) => engine.hint(directory, null, 'renamed'),
    read: (requests) => call(`read ${requests.length}`, () => engine.read(requests)),
    readPiece: (request) =>
      call(`read piece at ${request.position} ${request.path}`, () => engine.readPiece(request)),
    writePiece: (piece) =>
      call(`write piece at ${piece.position} ${piece.path}`, () => engine.writePiece(piece)),
    dropPieces: (path, tempName) => call(`drop ${path}`, () => engine.dropPieces(path, tempName)),
    apply: (operations) => call(`apply ${operations.length}`, () => engine.apply(operations)),
    recover: (intents) => call('recover', () => engine.recover(intents)),
    mark: (markerId) => call('mark', () => engine.mark(markerId)),
    writeNotes: (notes) => call('writeNotes', () => engine.writeNotes(notes)),
    prove: (request) => call('prove', () => engine.prove(request)),
    rehash: () => call('rehash', () => engine.rehash()),
    close: async () => {
      open = false;
    },
  };
}
