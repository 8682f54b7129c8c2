// Reads files of the other server: many in one request where it offers that, and otherwise one by one, some at once.
import { type BulkRead, type MooringClient, MooringError } from '../../../sdk/index.ts';
import { readFilesMax, requestsMax, streamTimeoutMs } from '../limits.ts';
import { runSome } from '../run-some.ts';
import { ask, failedRead, versionOf } from './answers.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { RemoteFile, RemoteRead } from './remote-server.ts';

type AskedFile = Pick<RemoteFile, 'path' | 'metadata'>;

export class FileReader {
  readonly #client: MooringClient;
  readonly #workspaceId: string;
  readonly #down: Bandwidth;
  /** null: not known yet. */
  #canReadMany: boolean | null = null;

  constructor(client: MooringClient, workspaceId: string, down: Bandwidth) {
    this.#client = client;
    this.#workspaceId = workspaceId;
    this.#down = down;
  }

  /** true: the server reads many files in one request, which only servers of this project do. */
  async findOut(signal: AbortSignal): Promise<boolean> {
    this.#canReadMany ??= await this.#client.files.readMany(this.#workspaceId, [], { signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof MooringError && (error.status === 404 || error.status === 405)) return false;
        if (error instanceof MooringError && error.status === 400) return true;
        throw error;
      },
    );
    return this.#canReadMany;
  }

  async read(
    files: readonly AskedFile[],
    signal: AbortSignal,
    contentBytesMax: number,
  ): Promise<readonly RemoteRead[]> {
    const canReadMany = await ask(() => this.findOut(signal));
    const reads = new Array<RemoteRead>(files.length);
    const one = (index: number) => async () => {
      reads[index] = await this.#readOne(files[index]?.path ?? '', signal);
    };
    const indexes = [...files.keys()];
    if (!canReadMany) {
      await runSome(indexes.map(one), requestsMax);
      return reads;
    }
    const alone: number[] = [];
    const slices: (readonly number[])[] = [];
    for (let start = 0; start < files.length; start += readFilesMax)
      slices.push(indexes.slice(start, start + readFilesMax));
    const many = slices.map((slice) => async () => {
      const asked = slice.map((index) => files[index] as AskedFile);
      const answers = await this.#readMany(asked, signal, contentBytesMax);
      for (const [at, index] of slice.entries()) {
        const answer = answers[at] ?? null;
        if (answer === null) alone.push(index);
        else reads[index] = answer;
      }
    });
    await runSome(many, requestsMax);
    await runSome(alone.map(one), requestsMax);
    return reads;
  }

  /** null: it must be read alone, because it is too large for an answer of many, or its metadata is not in it. */
  async #readMany(
    files: readonly AskedFile[],
    signal: AbortSignal,
    contentBytesMax: number,
  ): Promise<readonly (RemoteRead | null)[]> {
    const paths = files.map(({ path }) => path);
    const answer = await ask(() =>
      this.#client.files.readMany(this.#workspaceId, paths, { signal, contentBytesMax }),
    );
    const byPath = new Map(answer.files.map((file) => [file.path, file]));
    let bytes = 0;
    const reads = files.map(({ path, metadata }): RemoteRead | null => {
      const file = byPath.get(path);
      if (file?.error !== undefined)
        return file.error.status === 413
          ? withoutContent(file, contentBytesMax)
          : failedRead(file.error.status, file.error.message);
      if (file?.content === undefined || file.revision === undefined)
        return { kind: 'failed', message: 'the server did not answer for this file' };
      if (file.semantics === undefined && metadata !== 'none') return null;
      const { revision, content, contentType = '', semantics = null } = file;
      const version = versionOf({ ...file, contentType, content });
      bytes += version.sizeBytes;
      return { kind: 'file', version: { ...version, revision, semantics } };
    });
    await this.#down.take(bytes, signal);
    return reads;
  }

  async #readOne(path: string, signal: AbortSignal): Promise<RemoteRead> {
    try {
      const options = { signal, timeoutMs: streamTimeoutMs };
      const file = await ask(() => this.#client.files.read(this.#workspaceId, path, options));
      const version = versionOf(file);
      await this.#down.take(version.sizeBytes, signal);
      return { kind: 'file', version: { ...version, revision: file.revision, semantics: file.semantics } };
    } catch (error) {
      if (error instanceof MooringError) return failedRead(error.status, error.message);
      throw error;
    }
  }
}

/** null: it is small, and did not fit into the answer of many. */
function withoutContent(file: BulkRead['files'][number], contentBytesMax: number): RemoteRead | null {
  const { path, revision, contentHash: hash, contentBytes: sizeBytes, contentType = '' } = file;
  const { encoding = 'utf-8', semantics = null } = file;
  if (revision === undefined || hash === undefined || sizeBytes === undefined) return null;
  if (sizeBytes <= contentBytesMax) return null;
  return {
    kind: 'file',
    version: { path, revision, hash, sizeBytes, bytes: null, contentType, encoding, semantics },
  };
}
