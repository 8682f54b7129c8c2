// Counts the bytes of an export as they pass, and shows them with rate and time left on stderr. Where only the size before
// compression is known, it decompresses a copy to see how far the export is. It never writes to stdout and changes no byte.
import { Transform } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { formatBytes, Progress } from './output.ts';
import { timeLeft } from './work-progress.ts';

/** Decompressed at once; zlib's default of 16 KiB costs twice as much. */
const stepBytes = 256 * 1024;
const shownEveryMs = 500;
/** Lines of a log. */
const loggedEveryMs = 5000;
/** Before that a rate says nothing. */
const measuredMsMin = 1000;
const gzipLead = [0x1f, 0x8b] as const;

export interface ExportProgressOptions {
  /** Of the tar before compression. null: unknown, so there is no time left. */
  readonly tarBytes: number | null;
  /** Also where stderr is not a terminal: a line now and then. */
  readonly always: boolean;
}

export class ExportProgress extends Transform {
  /** That passed. */
  bytes = 0;
  readonly #options: ExportProgressOptions;
  readonly #line: Progress;
  readonly #everyMs: number;
  /** Of the tar, without its compression. */
  #unpackedBytes = 0;
  /** undefined: nothing passed; null: not compressed, or no use. */
  #gunzip: Gunzip | null | undefined;
  readonly #startMs = performance.now();
  #shownAtMs = this.#startMs;

  constructor(options: ExportProgressOptions) {
    super({ writableHighWaterMark: stepBytes, readableHighWaterMark: stepBytes });
    this.#options = options;
    this.#line = new Progress(options.always);
    this.#everyMs = process.stderr.isTTY ? shownEveryMs : loggedEveryMs;
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    callback: (error: null, chunk: Buffer) => void,
  ): void {
    this.bytes += chunk.length;
    if (this.#gunzip === undefined) this.#gunzip = this.#startGunzip(chunk);
    this.#show();
    const next = () => callback(null, chunk);
    if (this.#gunzip === null) {
      this.#unpackedBytes = this.bytes;
      next();
    } else if (this.#gunzip.write(chunk)) next();
    else this.#gunzip.once('drain', next);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#gunzip?.destroy();
    this.#line.done();
    callback(error);
  }

  #startGunzip(first: Buffer): Gunzip | null {
    const isGzip = gzipLead.every((byte, index) => first[index] === byte);
    if (!isGzip || this.#options.tarBytes === null || !this.#line.isShown) return null;
    const gunzip = createGunzip({ chunkSize: stepBytes });
    gunzip.on('data', (bytes: Buffer) => {
      this.#unpackedBytes += bytes.length;
    });
    // Only the display ends: the program that unpacks the bytes checks them.
    gunzip.on('error', () => {
      this.#gunzip = null;
      gunzip.emit('drain');
    });
    return gunzip;
  }

  #show(): void {
    const nowMs = performance.now();
    if (nowMs - this.#shownAtMs < this.#everyMs) return;
    this.#shownAtMs = nowMs;
    this.#line.show(
      progressText({
        passedBytes: this.bytes,
        unpackedBytes: this.#unpackedBytes,
        tarBytes: this.#options.tarBytes,
        elapsedMs: nowMs - this.#startMs,
      }),
    );
  }
}

/** `Exporting 120.0 MiB, 31 %, 88.1 MiB/s, about 12 s left`: the bytes that passed; the rest is about the tar before compression. */
export function progressText(at: {
  readonly passedBytes: number;
  readonly unpackedBytes: number;
  readonly tarBytes: number | null;
  readonly elapsedMs: number;
}): string {
  const { passedBytes, unpackedBytes, tarBytes, elapsedMs } = at;
  const rate = elapsedMs < measuredMsMin ? 0 : (unpackedBytes / elapsedMs) * 1000;
  const parts = [`Exporting ${formatBytes(passedBytes)}`];
  if (tarBytes !== null && tarBytes > 0)
    parts.push(`${Math.min(99, Math.floor((unpackedBytes / tarBytes) * 100))} %`);
  if (rate > 0) parts.push(`${formatBytes(Math.round(rate))}/s`);
  if (rate > 0 && tarBytes !== null)
    parts.push(`about ${timeLeft(Math.max(0, tarBytes - unpackedBytes) / rate)} left`);
  return parts.join(', ');
}
