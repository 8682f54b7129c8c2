// A circuit breaker as a value: after some consecutive failures a provider is not called for a while, then one call tests it.
// Pure; it knows neither the caller nor the kind of failure.
import { backoffMs, circuitBackoff } from './backoff.ts';

/** Consecutive failures that open the circuit. */
export const failuresToOpen = 2;

export interface Circuit {
  /** Failures since the last success. */
  readonly failures: number;
  /** Whose failures these were: the key of one item, `several` for more than one, null for none. */
  readonly failing: { readonly item: string } | 'several' | null;
  /** Nothing is called before this time; null: no pause. Wall clock, milliseconds since 1970. */
  readonly pausedUntilMs: number | null;
}

export type CircuitState = 'closed' | 'open' | 'half_open';

/** Also the state after any answer that shows that the provider is reachable. */
export const closedCircuit: Circuit = { failures: 0, failing: null, pausedUntilMs: null };

/** `half_open`: the pause is over, and one call may test the provider. */
export function circuitState(circuit: Circuit, nowMs: number): CircuitState {
  if (circuit.pausedUntilMs !== null && nowMs < circuit.pausedUntilMs) return 'open';
  return circuit.failures >= failuresToOpen ? 'half_open' : 'closed';
}

/** Can a failure of this item be caused by the item? Not after another item failed, too: then the provider is the cause. */
export function canBeOwnFault(circuit: Circuit, item: string): boolean {
  return circuit.failing === null || (circuit.failing !== 'several' && circuit.failing.item === item);
}

/** `retryAfterMs`: the provider's Retry-After, which wins when it is longer. */
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
  const ownMs = opens ? backoffMs(circuitBackoff, failures - failuresToOpen + 1, failure.random) : 0;
  const pauseMs = Math.max(ownMs, failure.retryAfterMs ?? 0);
  return {
    failures,
    failing: canBeOwnFault(circuit, failure.item) ? { item: failure.item } : 'several',
    pausedUntilMs: pauseMs === 0 ? null : failure.atMs + pauseMs,
  };
}
