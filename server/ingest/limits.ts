// The bounds of what comes in, each with its unit. Those that an owner may set stand in platform/settings.
import type { BackoffRule } from '../core/retry.ts';

/** Contract ruling 17: 0.5 s doubling to 30 s. */
export const envelopeBackoff: BackoffRule = { firstDelayMs: 500, delayMsMax: 30_000 };
/** A waiting envelope gives way to a newer one of the same file that comes within this time (contract 2, webhooks). */
export const coalesceWindowMs = 3_000;
/** Bodies that wait; a single one may be larger. */
export const queueBytesMax = 1024 * 1024 * 1024;
/** Envelopes that are being applied at once, and of one provider of one workspace. */
export const inFlightMax = 512;
export const inFlightPerProviderMax = 256;
/** Begun in one turn of the event loop: requests come in between, and the store commits while further ones are read. */
export const begunAtOnceMax = 32;
/** Bodies in memory while they are applied; one larger than that is applied alone. */
export const inFlightBytesMax = 64 * 1024 * 1024;
/** Rows that are read at once when the queue is loaded. */
export const pageRows = 1_000;
/** Dead letters that one request replays or acknowledges. */
export const bulkMax = 1_000;
