// What the parts of this room share.
import type { DeleteLedger } from '../core/access/authority.ts';
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
