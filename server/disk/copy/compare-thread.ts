// The thread of one comparison of copies, so that no request waits for it. Only copy-files.ts starts it.
import { parentPort, workerData } from 'node:worker_threads';
import { confinedFileSystem } from '../port/confined-file-system.ts';
import { compareFolder } from './compare-folder.ts';
import type { CompareRequest, IgnoredChanges } from './copied-files.ts';
import { readCopiedList } from './copied-list.ts';

function run(request: CompareRequest): IgnoredChanges | null {
  const copied = readCopiedList(request.list);
  if (copied === null) return null;
  const [source, target] = [confinedFileSystem(request.root), confinedFileSystem(request.to)];
  try {
    return compareFolder({ source, target }, request, copied);
  } finally {
    source.closeDirectories();
    target.closeDirectories();
  }
}

if (parentPort === null) throw new Error('disk/copy runs as a worker thread only');
parentPort.postMessage(run(workerData as CompareRequest));
