// The ports of a delivery lane: where tasks are leased, where they are sent, and how their results are stored. Implemented by
// outbound/operations/dispatcher.ts and outbound/webhooks/endpoint-worker.ts.
import type { CircuitState } from '../core/outbound/circuit.ts';
import type { AttemptOutcome } from '../core/outbound/decide-attempt.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/observe/logger.ts';

export interface LaneStatus {
  readonly circuit: CircuitState;
  /** When the target is called again, while it is left alone. */
  readonly retryAtMs: number | null;
}

/** What came of one attempt, as its thing needs to know it. */
export interface LaneResult {
  readonly outcome: AttemptResult['outcome'];
  /** true: the failure may be the thing's own; false: others fail at this address, too. */
  readonly counts: boolean;
  /** The settings were changed meanwhile: it goes again at once. */
  readonly isOutdated: boolean;
  /** In [0, 1). */
  readonly random: number;
  readonly atMs: number;
  readonly tookSeconds: number;
}

/** Where things can be sent right now. */
export interface DeliveryTarget<Thing> {
  /** The longest that one attempt takes. */
  readonly timeoutMs: number;
  /** Never rejects for what the other side does. `called` false: there was nothing to send. */
  deliver(
    thing: Thing,
    signal: AbortSignal,
  ): Promise<{ readonly end: AttemptResult; readonly called: boolean }>;
}

export interface TaskSource<Thing> {
  /** Names a thing over all its attempts. */
  keyOf(thing: Thing): string;
  /** null: nothing may be sent just now. */
  target(): Promise<DeliveryTarget<Thing> | null>;
  lease(options: {
    readonly atMs: number;
    readonly leaseMs: number;
    readonly limit: number;
  }): Promise<readonly Thing[]>;
  /** When the next one is due, also in the past; null: none waits. */
  nextDueMs(): Promise<number | null>;
  finish(thing: Thing, end: LaneResult): Promise<void>;
  /** Everything that waits for its next try is due at once. Absent where settings never change. */
  retryNow?(): Promise<void>;
  /** Fields of log lines. */
  about(thing?: Thing): Readonly<Record<string, unknown>>;
}

/** Who counts what came of attempts. */
export interface AttemptCounts {
  attemptEnded(outcome: string, seconds: number): void;
  /** It goes again later. */
  retried(): void;
  deadLettered(cause: string): void;
}

export interface LaneDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** In [0, 1). */
  readonly random: () => number;
}
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** The provider's own wish for the next call, whatever it is about. */
  readonly retryAfterMs: number | null;
}
