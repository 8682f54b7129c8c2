// Exports a workspace as json, tar or patch, streamed file by file from one snapshot. At most one large file, or a few small ones, are in memory at a time. A
// failed export never ends like a complete one (docs/wire-contract.md#exports).
import type { AccessSubject, FileEntry } from '../core/entry.ts';
import { TimeSlices } from '../platform/event-loop.ts';
import { wholeContentBytesMax } from '../platform/json/content-json.ts';
import type { Snapshot } from '../store/port/store.ts';
import { chunkStream } from './chunk-stream.ts';
import { tarBlockBytes, writeTar } from './export-tar.ts';
import type { ExportedFile } from './exported-file.ts';
import { fileRecord, fileRecordPieces, wireContent } from './file-record.ts';
import { filePatch } from './git-patch.ts';

/** Each export uses a read connection and retains its blobs (docs/wire-contract.md#exports). */
const exportsAtOnceMax = 2;
/** Files whose contents are read ahead, and their size. */
const filesAheadMax = 16;
const aheadBytesMax = 64 * 1024;

export const exportFormats = ['json', 'tar', 'patch'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportRequest {
  readonly workspaceId: string;
  readonly path: string;
  readonly format: ExportFormat;
  readonly access: AccessSubject | null;
  /** The files of this fork; absent: of the workspace. */
  readonly forkId?: string;
  /** Of gzip, for `tar`, 0 to 9; 0: not compressed. */
  readonly level: number;
}

export interface Export {
  readonly stream: ReadableStream<Uint8Array>;
  /** Of a tar, about, before it is compressed. null: unknown, because access rules hide files or a fork is exported. */
  readonly tarBytes: number | null;
}

export interface Exporter {
  /** null: the maximum number of exports is running. The snapshot is closed when the stream ends, fails or is canceled. */
  open(request: ExportRequest): Promise<Export | null>;
}

export function createExporter(workspaces: { snapshot(): Promise<Snapshot> }): Exporter {
  let running = 0;
  return {
    async open(request) {
      if (running >= exportsAtOnceMax) return null;
      running += 1;
      let snapshot: Snapshot | undefined;
      let open = true;
      const done = () => {
        if (!open) return;
        open = false;
        running -= 1;
        snapshot?.close();
      };
      try {
        snapshot = await workspaces.snapshot();
        const tarBytes = await tarBytesOf(snapshot, request);
        const chunks = writers[request.format](filesOf(snapshot, request), request);
        return { stream: chunkStream(chunks, done), tarBytes };
      } catch (error) {
        done();
        throw error;
      }
    },
  };
}

async function tarBytesOf(snapshot: Snapshot, request: ExportRequest): Promise<number | null> {
  if (request.format !== 'tar' || request.forkId !== undefined) return null;
  const totals = await snapshot.totals({ ...request, blockBytes: tarBlockBytes });
  return totals && totals.bytes + totals.files * tarBlockBytes;
}

async function* filesOf(snapshot: Snapshot, request: ExportRequest): AsyncGenerator<ExportedFile> {
  const { workspaceId, path, access, forkId } = request;
  // Nothing else waits for small contents: the connection takes them at once.
  const slices = new TimeSlices();
  for await (const page of snapshot.files(workspaceId, path, access, forkId)) {
    const contents = new ContentsAhead(snapshot, page);
    for (const [at, entry] of page.entries()) {
      yield {
        entry,
        read: async () => {
          const bytes = await contents.read(at);
          return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        },
        open: () => snapshot.open(entry.hash),
      };
      await slices.next();
    }
  }
}

/** Contents of the files of a page. Those of small files are read a few ahead: from another process they take as long one by one as together. */
class ContentsAhead {
  readonly #snapshot: Snapshot;
  readonly #page: readonly FileEntry[];
  readonly #reading = new Map<number, Promise<Uint8Array>>();
  #next = 0;

  constructor(snapshot: Snapshot, page: readonly FileEntry[]) {
    this.#snapshot = snapshot;
    this.#page = page;
  }

  async read(at: number): Promise<Uint8Array> {
    if (at >= this.#next) this.#begin(at);
    const reading = this.#reading.get(at);
    this.#reading.delete(at);
    return await (reading ?? this.#snapshot.read((this.#page[at] as FileEntry).hash));
  }

  #begin(from: number): void {
    this.#next = Math.min(from + filesAheadMax, this.#page.length);
    for (let at = from; at < this.#next; at += 1) {
      const { hash, sizeBytes } = this.#page[at] as FileEntry;
      if (sizeBytes > aheadBytesMax) continue;
      const reading = this.#snapshot.read(hash);
      // It is reported where it is awaited; the export may end before.
      reading.catch(() => undefined);
      this.#reading.set(at, reading);
    }
  }
}

type Writer = (
  files: AsyncIterable<ExportedFile>,
  request: ExportRequest,
) => AsyncGenerator<Uint8Array, void, undefined>;

const writers: Readonly<Record<ExportFormat, Writer>> = {
  json: writeJson,
  tar: (files, { level }) => writeTar(files, level),
  patch: writePatch,
};

/** An array of file records without an envelope object, like the reference. */
async function* writeJson(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array, void, undefined> {
  let before = '[';
  for await (const { entry, read, open } of files) {
    if (entry.sizeBytes > wholeContentBytesMax) {
      yield Buffer.from(before);
      yield* fileRecordPieces(entry, await open());
    } else {
      const record = JSON.stringify(fileRecord(entry, wireContent(entry, await read())));
      yield Buffer.from(`${before}${record}`);
    }
    before = ',\n';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

async function* writePatch(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { entry, read } of files) {
    yield* filePatch(entry.path, await read());
  }
}
