// The thread of one copy, so that neither a request nor a sync waits for it. Only copy-files.ts starts it.
import { statfsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { confinedFileSystem } from '../port/confined-file-system.ts';
import { copiedFileName, readPrivate, writePrivate } from '../root/root.ts';
import { type CopyReport, type CopyRequest, parseReport } from './copied-files.ts';
import { type CopiedFile, CopiedListWriter, readCopiedList } from './copied-list.ts';
import { copyFolder } from './copy-folder.ts';

function run(request: CopyRequest): CopyReport {
  const [source, target] = [confinedFileSystem(request.root), confinedFileSystem(request.to)];
  try {
    const known = parseReport(readPrivate(target, request.to, copiedFileName));
    if (known !== null) return known;
    const { bavail, bsize } = statfsSync(request.to);
    // A program of the run can spoil the report, but not the list: what was copied first is compared later.
    const listed = readCopiedList(request.list) ?? new Map<string, CopiedFile>();
    const copied = new CopiedListWriter(request.list);
    for (const [at, file] of listed) copied.add(at, file);
    const report = copyFolder({ source, target, request }, bavail * bsize, (at, file) => {
      if (!listed.has(at)) copied.add(at, file);
    });
    copied.end();
    writePrivate(target, request.to, copiedFileName, report);
    return report;
  } finally {
    source.closeDirectories();
    target.closeDirectories();
  }
}

if (parentPort === null) throw new Error('disk/copy runs as a worker thread only');
parentPort.postMessage(run(workerData as CopyRequest));
