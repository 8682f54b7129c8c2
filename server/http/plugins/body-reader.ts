// Reads the body of a request into memory, limited by its route, by the shared memory budget and by a minimum rate. The values of a
// JSON body are counted as they arrive. It parses nothing.
import type { Readable } from 'node:stream';
import { joinedInSlices } from '../../platform/joined-bytes.ts';
import { type JsonExcess, JsonScan } from '../../platform/json/json-scan.ts';
import { ApiError } from '../base/api-error.ts';
import {
  bodyBytesPerSecondMin,
  bodyRateWindowMs,
  jsonDepthMax,
  jsonLimits,
  jsonMembersMax,
  jsonValuesMax,
  largeBodiesBytesMax,
  largeBodiesWaitingMax,
  largeBodyRetryAfterSeconds,
  largeBodyWaitMsMax,
  smallBodiesBytesMax,
  smallBodyBytes,
  unverifiedBodiesBytesMax,
} from '../base/limits.ts';
import { BodyBudget, type BodyShare } from './body-budget.ts';
import { SenderWatch, type SenderWatchLimits } from './sender-watch.ts';

/** Smaller chunks are combined: each alone would cost more than its bytes. */
const ownChunkBytes = 4 * 1024;
const slabBytes = 64 * 1024;

export interface BodyToRead {
  readonly bytesMax: number;
  /** Counts its values and levels. */
  readonly isJson: boolean;
  /** The sender is authorized. */
  readonly isVerified: boolean;
}

export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Call when the body is no longer used. */
  release(): void;
}

export class BodyReader {
  readonly watch: SenderWatch;
  readonly #verified = budget(largeBodiesBytesMax);
  readonly #unverified = budget(unverifiedBodiesBytesMax);

  constructor(senders: SenderWatchLimits = defaultSenderLimits) {
    this.watch = new SenderWatch(senders);
  }

  /** Rejects with an ApiError; the rest of the body is then discarded. */
  async read(payload: Readable, body: BodyToRead): Promise<ReceivedBody> {
    const receiving = new Receiving(
      payload,
      body,
      this.watch,
      body.isVerified ? this.#verified : this.#unverified,
    );
    return await receiving.ended;
  }
}

const defaultSenderLimits: SenderWatchLimits = {
  bytesPerSecondMin: bodyBytesPerSecondMin,
  windowMs: bodyRateWindowMs,
  waitMsMax: largeBodyWaitMsMax,
};

function budget(bytesMax: number): BodyBudget {
  return new BodyBudget({
    smallBytes: smallBodyBytes,
    smallBodiesBytesMax,
    largeBodiesBytesMax: bytesMax,
    waitingMax: largeBodiesWaitingMax,
  });
}

class Receiving {
  readonly ended: Promise<ReceivedBody>;
  readonly #payload: Readable;
  readonly #bytesMax: number;
  readonly #share: BodyShare;
  readonly #sender: ReturnType<SenderWatch['watch']>;
  readonly #scan: JsonScan | null;
  readonly #chunks: Buffer[] = [];
  #slab: Buffer | null = null;
  #slabUsed = 0;
  readonly #resolve: (received: ReceivedBody | Promise<ReceivedBody>) => void;
  readonly #reject: (error: Error) => void;

  constructor(payload: Readable, { bytesMax, isJson }: BodyToRead, watch: SenderWatch, shares: BodyBudget) {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedBody>();
    this.ended = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#payload = payload;
    this.#bytesMax = bytesMax;
    this.#scan = isJson ? new JsonScan(jsonLimits) : null;
    this.#sender = watch.watch(
      () => this.#refuse(tooSlow()),
      () => this.#refuse(noMemory()),
    );
    this.#share = shares.open(() => {
      this.#sender.resume();
      payload.resume();
    });
    payload.on('data', this.#onData).once('end', this.#onEnd).on('error', this.#onError);
    payload.resume();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#sender.received(chunk.length);
    const refused = this.#refusalOf(chunk);
    if (refused !== null) {
      this.#refuse(refused);
      return;
    }
    this.#append(chunk);
    const decision = this.#share.take(chunk.length);
    if (decision === 'full') this.#refuse(noMemory());
    if (decision !== 'wait') return;
    this.#payload.pause();
    this.#sender.pause();
  };

  #refusalOf(chunk: Buffer): ApiError | null {
    if (this.#share.bytes + chunk.length > this.#bytesMax) return tooLarge();
    const excess = this.#scan?.add(chunk) ?? null;
    if (excess === null) return null;
    return tooMuch(excess);
  }

  readonly #onEnd = (): void => {
    this.#stop();
    this.#endSlab();
    this.#resolve(this.#joined());
  };

  readonly #onError = (error: Error): void => {
    this.#stop();
    this.#discard();
    this.#reject(error);
  };

  #refuse(error: ApiError): void {
    this.#stop();
    this.#discard();
    // Otherwise the client, still sending, would not read the response.
    this.#payload.resume();
    this.#reject(error);
  }

  #discard(): void {
    this.#chunks.length = 0;
    this.#slab = null;
    this.#share.release();
  }

  #stop(): void {
    this.#sender.end();
    this.#payload.off('data', this.#onData).off('end', this.#onEnd);
  }

  #append(chunk: Buffer): void {
    if (chunk.length >= ownChunkBytes) {
      this.#endSlab();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#slab === null || this.#slabUsed + chunk.length > this.#slab.length) {
      this.#endSlab();
      // Most requests have one chunk.
      this.#slab = this.#chunks.length === 0 ? chunk : Buffer.allocUnsafeSlow(slabBytes);
      this.#slabUsed = 0;
    }
    if (this.#slab !== chunk) chunk.copy(this.#slab, this.#slabUsed);
    this.#slabUsed += chunk.length;
  }

  #endSlab(): void {
    if (this.#slab === null) return;
    this.#chunks.push(this.#slab.subarray(0, this.#slabUsed));
    this.#slab = null;
  }

  async #joined(): Promise<ReceivedBody> {
    const bytes = await joinedInSlices(this.#chunks, this.#share.bytes);
    return { bytes, release: () => this.#share.release() };
  }
}

export function tooLarge(): ApiError {
  return new ApiError('payload_too_large', 'request body exceeds configured limit');
}

export function tooSlow(): ApiError {
  return new ApiError(
    'request_timeout',
    `the body arrived at less than ${bodyBytesPerSecondMin} bytes per second for ${bodyRateWindowMs / 1000} seconds: send the request again`,
  );
}

/** A JSON body exceeds a limit. */
export function tooMuch(excess: JsonExcess): ApiError {
  return new ApiError('payload_too_large', excessTexts[excess]);
}

const excessTexts: Readonly<Record<JsonExcess, string>> = {
  too_many_values: `the body has more than ${jsonValuesMax} JSON values: send it in several requests`,
  too_deep: `the body is nested deeper than ${jsonDepthMax} levels of objects and arrays: send a flatter body`,
  too_many_members: `an object of the body has more than ${jsonMembersMax} members: send it in several requests`,
};

function noMemory(): ApiError {
  return new ApiError('rate_limited', 'too many large request bodies at once: send the request again', {
    retryAfterSeconds: largeBodyRetryAfterSeconds,
  });
}
