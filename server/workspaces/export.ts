// Exports a workspace as json, tar or patch, streamed file by file from one snapshot. One file is in memory at a time. A failed
// export never ends like a complete one (docs/wire-contract.md#exports).
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { AccessSubject, FileEntry } from '../core/entry.ts';
import { jsonTextInSlices } from '../platform/json/json-slices.ts';
import type { Snapshot } from '../store/port/store.ts';
import { fileRecord, wireContent } from './file-record.ts';
import { filePatch } from './git-patch.ts';

/** Each export uses a read connection and retains its blobs (docs/wire-contract.md#exports). */
const exportsAtOnceMax = 2;
/** Larger content is serialized in slices, with a return to the event loop between them. */
const sliceBytesMin = 1024 * 1024;

export const exportFormats = ['json', 'tar', 'patch'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportRequest {
  readonly workspaceId: string;
  readonly path: string;
  readonly format: ExportFormat;
  readonly access: AccessSubject | null;
  /** The files of this fork; absent: of the workspace. */
  readonly forkId?: string;
}

export interface Exporter {
  /** null: the maximum number of exports is running. The snapshot is closed when the stream ends, fails or is canceled. */
  open(request: ExportRequest): Promise<ReadableStream<Uint8Array> | null>;
}

export function createExporter(workspaces: { snapshot(): Promise<Snapshot> }): Exporter {
  let running = 0;
  return {
    async open(request) {
      if (running >= exportsAtOnceMax) return null;
      running += 1;
      let snapshot: Snapshot;
      try {
        snapshot = await workspaces.snapshot();
      } catch (error) {
        running -= 1;
        throw error;
      }
      let open = true;
      return streamOf(writers[request.format](filesOf(snapshot, request)), () => {
        if (!open) return;
        open = false;
        running -= 1;
        snapshot.close();
      });
    },
  };
}

/** Pulls one chunk at a time; `done` is called when the stream ends, fails or is canceled, also before the first read. */
function streamOf(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  done: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (!next.done) return controller.enqueue(next.value);
          done();
          controller.close();
        } catch (error) {
          done();
          throw error;
        }
      },
      async cancel() {
        try {
          await chunks.return();
        } finally {
          done();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

async function* filesOf(snapshot: Snapshot, request: ExportRequest): AsyncGenerator<ExportedFile> {
  for (const entry of snapshot.files(request.workspaceId, request.path, request.access, request.forkId)) {
    const bytes = await snapshot.read(entry.hash);
    yield { entry, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  }
}

interface ExportedFile {
  readonly entry: FileEntry;
  readonly bytes: Buffer;
}

type Writer = (files: AsyncIterable<ExportedFile>) => AsyncGenerator<Uint8Array, void, undefined>;

const writers: Readonly<Record<ExportFormat, Writer>> = { json: writeJson, tar: writeTar, patch: writePatch };

/** An array of file records without an envelope object, like the reference. */
async function* writeJson(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array, void, undefined> {
  let before = '[';
  for await (const { entry, bytes } of files) {
    const record = fileRecord(entry, wireContent(entry, bytes));
    const text = bytes.length > sliceBytesMin ? await jsonTextInSlices(record) : JSON.stringify(record);
    yield Buffer.from(`${before}${text}`);
    before = ',\n';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

async function* writePatch(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { entry, bytes } of files) {
    yield* filePatch(entry.path, bytes);
  }
}

/** gzip of a tar: names without the leading slash, mode 0644, time of the last edit, the decoded bytes. */
async function* writeTar(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array, void, undefined> {
  const tar = pack();
  const gzip = createGzip();
  tar.on('error', (error) => gzip.destroy(error));
  tar.pipe(gzip);
  const filled = fillTar(tar, files).catch((error: unknown) => {
    gzip.destroy(
      error instanceof Error ? error : new Error('an export could not read its files', { cause: error }),
    );
  });
  try {
    yield* gzip as AsyncIterable<Uint8Array>;
    await filled;
  } finally {
    // After a cancellation, `fillTar` ends at its next entry.
    tar.destroy();
    gzip.destroy();
    await filled;
  }
}

async function fillTar(tar: ReturnType<typeof pack>, files: AsyncIterable<ExportedFile>): Promise<void> {
  for await (const { entry, bytes } of files) {
    await new Promise<void>((resolve, reject) => {
      const stopped = () => reject(new Error('the export was canceled'));
      if (tar.destroyed) return stopped();
      tar.once('close', stopped);
      tar.entry(
        { name: entry.path.slice(1), mode: 0o644, mtime: new Date(entry.editedAtMs), size: bytes.length },
        bytes,
        (error) => {
          tar.off('close', stopped);
          if (error) reject(error);
          else resolve();
        },
      );
    });
  }
  tar.finalize();
}
