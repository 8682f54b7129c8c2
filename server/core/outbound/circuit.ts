// A circuit breaker as a value: after some failures in a row a provider is left alone for a while, then one call tries it.
// Pure; it knows neither who calls nor what a failure was.
import { type BackoffRule, backoffMs } from './backoff.ts';

/** Failures in a row that open the circuit. */
export const failuresToOpen = 2;
export const cooldown: BackoffRule = { firstDelayMs: 1_000, delayMsMax: 60_000 };

export interface Circuit {
  /** Failures since the last success. */
  readonly failures: number;
  /** For what these failures were: the key of one item, `several` once there were two, null when there was none. */
  readonly failing: { readonly item: string } | 'several' | null;
  /** Nothing is called before this time; null: no pause is asked for. Wall clock, milliseconds since 1970. */
  readonly pausedUntilMs: number | null;
}

export type CircuitState = 'closed' | 'open' | 'half_open';

/** Also what the circuit is after any answer that shows that the provider is there. */
export const closedCircuit: Circuit = { failures: 0, failing: null, pausedUntilMs: null };

/** `half_open`: the pause is over and one call may find out. */
export function circuitState(circuit: Circuit, nowMs: number): CircuitState {
  if (circuit.pausedUntilMs !== null && nowMs < circuit.pausedUntilMs) return 'open';
  return circuit.failures >= failuresToOpen ? 'half_open' : 'closed';
}

/** May a failure of this item be its own fault? Not once another one failed, too: then it is the provider's. */
export function isSuspect(circuit: Circuit, item: string): boolean {
  return circuit.failing === null || (circuit.failing !== 'several' && circuit.failing.item === item);
}

/** `retryAfterMs`: the provider's own wish, which wins when it is longer. */
export function afterFailure(
  circuit: Circuit,
  failure: {
    readonly item: string;
    readonly atMs: number;
    readonly random: number;
    readonly retryAfterMs: number | null;
  },
): Circuit {
  const failures = circuit.failures + 1;
  const opens = failures >= failuresToOpen;
  const ownMs = opens ? backoffMs(cooldown, failures - failuresToOpen + 1, failure.random) : 0;
  const pauseMs = Math.max(ownMs, failure.retryAfterMs ?? 0);
  return {
    failures,
    failing: isSuspect(circuit, failure.item) ? { item: failure.item } : 'several',
    pausedUntilMs: pauseMs === 0 ? null : failure.atMs + pauseMs,
  };
}
