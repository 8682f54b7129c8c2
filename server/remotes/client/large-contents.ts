// Large contents of the other server: received by ranges of one revision, sent as a stream of bare bytes. A transfer lasts as long as
// something moves; what does not move for a minute has ended.
import { type MooringClient, MooringError } from '../../../sdk/index.ts';
import {
  identityTtlSeconds,
  pieceBytesMax,
  pieceBytesMin,
  pieceMsMax,
  stalledMsMax,
  streamTimeoutMs,
} from '../limits.ts';
import { ask, identityKind } from './answers.ts';
import type { Bandwidth } from './bandwidth.ts';
import {
  type LargeWrite,
  RemoteUnavailableError,
  type RemoteVersion,
  RemoteVersionGoneError,
  type RemoteWritten,
} from './remote-server.ts';

export class LargeContents {
  readonly #client: MooringClient;
  readonly #workspaceId: string;
  readonly #up: Bandwidth;
  readonly #down: Bandwidth;
  /** The smallest size that the server did not accept. */
  #refusedBytes = Number.POSITIVE_INFINITY;

  constructor(
    client: MooringClient,
    workspaceId: string,
    { up, down }: { readonly up: Bandwidth; readonly down: Bandwidth },
  ) {
    this.#client = client;
    this.#workspaceId = workspaceId;
    this.#up = up;
    this.#down = down;
  }

  async *read(
    version: Pick<RemoteVersion, 'path' | 'revision' | 'sizeBytes'>,
    start: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { sizeBytes } = version;
    for (let at = start; at < sizeBytes; ) {
      const end = Math.min(sizeBytes, at + this.#pieceBytes());
      for await (const chunk of this.#piece(version, at, end, signal)) {
        at += chunk.length;
        await this.#down.take(chunk.length, signal);
        yield chunk;
      }
    }
  }

  /** The range, or less of it. */
  async *#piece(
    { path, revision, sizeBytes }: Pick<RemoteVersion, 'path' | 'revision' | 'sizeBytes'>,
    start: number,
    end: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const stall = new Stall();
    const options = { revision, start, end, signal: AbortSignal.any([signal, stall.signal]) };
    try {
      const raw = await ask(() => this.#client.files.readRaw(this.#workspaceId, path, options));
      if (raw.size !== sizeBytes || raw.part.start !== start)
        throw new RemoteUnavailableError('the server answered with another range than it was asked for');
      const reader = raw.stream.getReader();
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          stall.moved();
          yield next.value;
        }
      } finally {
        void reader.cancel().catch(() => undefined);
      }
    } catch (error) {
      // The next read of the file says what became of it.
      if (error instanceof MooringError) throw new RemoteVersionGoneError(error.message);
      throw interrupted(error, signal);
    } finally {
      stall.end();
    }
  }

  async write(write: LargeWrite, signal: AbortSignal): Promise<RemoteWritten> {
    const { path, expected, contentType, identity, sizeBytes } = write;
    if (sizeBytes >= this.#refusedBytes) return tooLarge;
    const content = await write.open();
    if (content === null) return { kind: 'conflict' };
    const stall = new Stall();
    const limits = AbortSignal.any([signal, stall.signal]);
    try {
      const { targetRevision } = await ask(() =>
        this.#client.files.writeRaw(
          this.#workspaceId,
          path,
          streamOf(this.#limited(content, stall, limits)),
          {
            ifMatch: expected === '' ? '0' : expected,
            contentType,
            contentIdentity: { kind: identityKind, key: identity, ttlSeconds: identityTtlSeconds },
            signal: limits,
            timeoutMs: streamTimeoutMs,
          },
        ),
      );
      return { kind: 'written', revision: targetRevision };
    } catch (error) {
      if (!(error instanceof MooringError)) throw interrupted(error, signal);
      if (error.status === 413) {
        this.#refusedBytes = Math.min(this.#refusedBytes, sizeBytes);
        return tooLarge;
      }
      if (error.status === 409 || error.status === 404) return { kind: 'conflict' };
      if (error.status === 403) return { kind: 'forbidden', message: error.message };
      return { kind: 'refused', message: error.message };
    } finally {
      stall.end();
    }
  }

  async *#limited(
    content: AsyncIterable<Uint8Array>,
    stall: Stall,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      await this.#up.take(chunk.length, signal);
      signal.throwIfAborted();
      stall.moved();
      yield chunk;
    }
  }

  #pieceBytes(): number {
    const { bytesPerSecond } = this.#down;
    if (bytesPerSecond === null) return pieceBytesMax;
    return Math.min(pieceBytesMax, Math.max(pieceBytesMin, (bytesPerSecond * pieceMsMax) / 1000));
  }
}

const tooLarge: RemoteWritten = { kind: 'refused', message: 'it is larger than the server accepts' };

/** Asks for a chunk when one is wanted. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends what does not move. */
class Stall {
  readonly #end = new AbortController();
  readonly #timer = setTimeout(() => this.#end.abort(), stalledMsMax);

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  moved(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** A stream that breaks off, or that does not move, is a lost connection. */
function interrupted(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof RemoteUnavailableError || isNamed(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RemoteUnavailableError(`the transfer was interrupted: ${message}`, null, error);
}

function isNamed(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Remote');
}
