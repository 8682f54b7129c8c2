// The shared context of inbound events, with its limits.
import type { DeleteLedger } from '../core/access/authority.ts';
import type { BackoffRule } from '../core/outbound/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/observe/logger.ts';
import type { IngestStore } from '../store/port/store.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

/** Points at which a test may kill the process, in the order of an envelope's path. */
export const ingestKillPoints = [
  'receive.read',
  'receive.accepted',
  'apply.loaded',
  'apply.prepared',
  'apply.sent',
  'apply.settled',
  'apply.failed',
] as const;
export type IngestKillPoint = (typeof ingestKillPoints)[number];

export interface IngestSettings {
  /** Maximum of pending envelopes, of all workspaces. */
  readonly queueCapacity: number;
  /** Attempts after a temporary failure, before the envelope becomes a dead letter. */
  readonly attemptsMax: number;
  /** Maximum size of an envelope's decoded content. */
  readonly contentBytesMax: number;
  /** Other processes accept envelopes as well (default: false). */
  readonly isShared?: boolean;
}

export interface IngestContext {
  readonly store: IngestStore;
  readonly workspaces: Pick<
    WorkspaceService,
    'stage' | 'stageStream' | 'applyEnvelopes' | 'previewEnvelope' | 'permitted'
  >;
  /** Counts deletions together with those of direct calls. */
  readonly deletes: DeleteLedger;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  readonly settings: IngestSettings;
  /** In [0, 1). */
  readonly random: () => number;
  readonly atKillPoint: (point: IngestKillPoint) => void;
}

// ---- limits of inbound events; platform/config has those that an owner may set

/** 0.5 s, doubling to 30 s (docs/wire-contract.md#inbound-events). */
export const envelopeBackoff: BackoffRule = { firstDelayMs: 500, delayMsMax: 30_000 };
/** A pending envelope is replaced by a newer one for the same file within this time (docs/wire-contract.md#inbound-events). */
export const coalesceWindowMs = 3_000;
/** Bytes of pending bodies; a single body may be larger. */
export const queueBytesMax = 1024 * 1024 * 1024;
/** Envelopes of one provider of one workspace per commit, and bytes of their bodies. */
export const batchEnvelopesMax = 64;
export const batchBytesMax = 1024 * 1024;
/** The store commits one batch while the next is read. */
export const batchesPerProviderMax = 2;
/** Envelopes of all providers that are applied at once: it bounds how long a request waits for the store. */
export const inFlightMax = 256;
/** Bytes of bodies in memory while they are applied; a larger one is applied alone. */
export const inFlightBytesMax = 64 * 1024 * 1024;
/** Concurrent requests from which on intake has priority. */
export const busyRequestsMin = 8;
/** Priority ends after fewer requests for this time: longer than a sender takes from an answer to its next request. */
export const acceptanceCalmMs = 25;
/** Interval between batches while intake has priority. A batch delays every answer by about 5 ms: nine batches per second cost a
 * sixth of the rate. */
export const turnPauseMs = 1_000;
/** Share of the queue above which batches are no longer delayed. */
export const queueShareUnhurried = 0.5;
/** Bytes of accepted bodies whose parsed payload stays in memory until it is applied; a lone one may be larger. */
export const receivedPayloadBytesMax = 16 * 1024 * 1024;
/** Values (objects, members, items) of one of them; most have fewer than 20. */
export const receivedPayloadValuesMax = 200;
/** Rows per read when the queue is loaded. */
export const pageRows = 1_000;
/** Dead letters per replay or acknowledge request. */
export const bulkMax = 1_000;
/** Characters, or bytes of long ones, of edited payloads per commit. */
export const editedLengthMax = 16 * 1024 * 1024;
