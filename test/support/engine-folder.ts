// The disk's engine in the test's own thread, on a disk that fails where the test says so. No watcher: it is polled.

import type { FileSystem } from '../../server/disk/port/file-system.ts';
import type { Folder } from '../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { FolderEngine } from '../../server/disk/worker/engine.ts';

export function engineFolder(fs: FileSystem): Folder {
  const engine = new FolderEngine({
    fileSystemAt: () => fs,
    time: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    isWindows: false,
  });
  return {
    open: (options) => engine.open(options),
    watch: async () => 'polling',
    scan: (scope) => engine.scan(scope),
    markDirty: (directory) => engine.hint(directory, null, 'renamed'),
    read: (requests) => engine.read(requests),
    readPiece: (request) => engine.readPiece(request),
    writePiece: (piece) => engine.writePiece(piece),
    dropPieces: (path, tempName) => engine.dropPieces(path, tempName),
    apply: (operations) => engine.apply(operations),
    recover: (intents) => engine.recover(intents),
    mark: (markerId) => engine.mark(markerId),
    writeNotes: (notes) => engine.writeNotes(notes),
    prove: (request) => engine.prove(request),
    rehash: () => engine.rehash(),
    close: async () => undefined,
  };
}

/** The real disk, with these calls replaced. */
export function faultyFileSystem(faults: Partial<FileSystem>): FileSystem {
  return { ...nodeFileSystem, ...faults };
}

/** How a rig is started on the real disk with these calls replaced. */
export function onFaultyDisk(faults: Partial<FileSystem>): { readonly openFolder: () => Folder } {
  return { openFolder: () => engineFolder(faultyFileSystem(faults)) };
}

export function diskError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
