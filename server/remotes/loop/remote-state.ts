// The state of a remote, and what a failed connection makes of it: the next attempt with a growing pause, or a wait for a person.
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import {
  RemoteRefusedError,
  RemoteUnauthorizedError,
  RemoteUnavailableError,
} from '../client/remote-server.ts';
import { changeRetryMs, reconnectMsFirst, reconnectMsLast, tokenRetryMs } from '../limits.ts';

export interface RemoteFailure {
  readonly kind: 'offline' | 'unauthorized' | 'error';
  readonly cause: string;
  readonly sinceMs: number;
  readonly nextTryAtMs: number;
  /** A change here is sent no earlier. */
  readonly earliestTryAtMs: number;
}

export type RemoteState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'listing'; readonly files: number }
  | { readonly kind: 'syncing' }
  | { readonly kind: 'idle' }
  | RemoteFailure
  | { readonly kind: 'halted' }
  | { readonly kind: 'paused' };

export function isFailure(state: RemoteState): state is RemoteFailure {
  return state.kind === 'offline' || state.kind === 'unauthorized' || state.kind === 'error';
}

export interface FailureDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  /** 0 to 1, for the jitter of pauses. */
  readonly random: () => number;
}

/** Failed attempts in a row. */
export class ConnectionFailures {
  readonly #deps: FailureDeps;
  #attempts = 0;
  #sinceMs: number | null = null;

  constructor(deps: FailureDeps) {
    this.#deps = deps;
  }

  /** How long there was no connection; 0: there is one. */
  get offlineMs(): number {
    return this.#sinceMs === null ? 0 : this.#deps.clock.nowMs() - this.#sinceMs;
  }

  /** The next pause is the first one again. */
  forgetAttempts(): void {
    this.#attempts = 0;
  }

  connected(): void {
    this.#attempts = 0;
    this.#sinceMs = null;
  }

  failed(error: unknown, remote: { readonly remoteId: string; readonly url: string }): RemoteFailure {
    const { clock, logger, random } = this.#deps;
    const kind = kindOf(error);
    const cause = error instanceof Error ? error.message : String(error);
    const isFirst = this.#sinceMs === null;
    this.#sinceMs ??= clock.nowMs();
    if (isFirst) logger.warn({ ...remote, state: kind, reason: cause }, 'a remote does not sync');
    if (kind === 'error' && !(error instanceof RemoteRefusedError))
      logger.error({ err: error, remoteId: remote.remoteId }, 'a remote failed');
    const backoffMs = Math.min(reconnectMsFirst * 2 ** this.#attempts, reconnectMsLast);
    this.#attempts += 1;
    const jitteredMs = backoffMs * (0.5 + random() / 2);
    const askedMs = error instanceof RemoteUnavailableError ? (error.retryAfterMs ?? 0) : 0;
    const waitMs = kind === 'unauthorized' ? tokenRetryMs : Math.max(jitteredMs, askedMs);
    const nextTryAtMs = clock.nowMs() + waitMs;
    const earliestMs = Math.max(changeRetryMs, askedMs);
    const earliestTryAtMs =
      kind === 'unauthorized' ? nextTryAtMs : Math.min(nextTryAtMs, clock.nowMs() + earliestMs);
    return { kind, cause, sinceMs: this.#sinceMs, nextTryAtMs, earliestTryAtMs };
  }
}

function kindOf(error: unknown): RemoteFailure['kind'] {
  if (error instanceof RemoteUnavailableError) return 'offline';
  return error instanceof RemoteUnauthorizedError ? 'unauthorized' : 'error';
}
