// What the parts of this room share.
import type { DeleteLedger } from '../core/access/authority.ts';
import type { BackoffRule } from '../core/outbound/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/observe/logger.ts';
import type { IngestStore } from '../store/port/store.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

/** Where a test lets the process die, in the order in which an envelope passes. */
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
  /** Envelopes that may wait, over all workspaces. */
  readonly queueCapacity: number;
  /** Tries of what may pass by itself, before it is a dead letter. */
  readonly attemptsMax: number;
  /** Largest content of a delivery, decoded. */
  readonly contentBytesMax: number;
}

export interface IngestContext {
  readonly store: IngestStore;
  readonly workspaces: Pick<
    WorkspaceService,
    'stage' | 'stageStream' | 'applyEnvelopes' | 'previewEnvelope' | 'permitted'
  >;
  /** Where deletions are counted: the same as for direct calls. */
  readonly deletes: DeleteLedger;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  readonly settings: IngestSettings;
  /** In [0, 1). */
  readonly random: () => number;
  readonly atKillPoint: (point: IngestKillPoint) => void;
}

// ---- limits of inbound events; platform/config has those that an owner may set

/** Contract ruling 17: 0.5 s doubling to 30 s. */
export const envelopeBackoff: BackoffRule = { firstDelayMs: 500, delayMsMax: 30_000 };
/** A waiting envelope gives way to a newer one of the same file that comes within this time (contract 2, webhooks). */
export const coalesceWindowMs = 3_000;
/** Bodies that wait; a single one may be larger. */
export const queueBytesMax = 1024 * 1024 * 1024;
/** Envelopes of one provider of one workspace that are applied in one commit, and their bodies. */
export const batchEnvelopesMax = 64;
export const batchBytesMax = 1024 * 1024;
/** The store commits one while the next is read. */
export const batchesPerProviderMax = 2;
/** Envelopes that are being applied at once, of all providers: so long may a request have to wait for the store. */
export const inFlightMax = 256;
/** Bodies in memory while they are applied; one larger than that is applied alone. */
export const inFlightBytesMax = 64 * 1024 * 1024;
/** Requests that are being taken in at once, from which on they go first. */
export const busyIntakeRequests = 8;
/** They go first until there were fewer for so long: longer than a sender takes from an answer to its next request. */
export const intakeCalmMs = 25;
/** While they go first, a batch is applied each time that so long has passed. A batch holds up every answer for some 5 ms and what
 * was about to follow it: with nine a second a sixth of the rate was theirs. */
export const turnPauseMs = 1_000;
/** Of the queue: with more waiting, nothing is held back. */
export const queueShareUnhurried = 0.5;
/** Rows that are read at once when the queue is loaded. */
export const pageRows = 1_000;
/** Dead letters that one request replays or acknowledges. */
export const bulkMax = 1_000;
/** Of the edited payloads that one of its commits takes. */
export const editedCharactersMax = 16 * 1024 * 1024;
