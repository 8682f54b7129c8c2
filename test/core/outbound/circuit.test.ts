import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, circuitBackoff } from '../../../server/core/outbound/backoff.ts';
import {
  afterFailure,
  type Circuit,
  canBeOwnFault,
  circuitState,
  closedCircuit,
  failuresToOpen,
} from '../../../server/core/outbound/circuit.ts';

const fail = (circuit: Circuit, item: string, more: { atMs?: number; retryAfterMs?: number } = {}) =>
  afterFailure(circuit, { item, atMs: more.atMs ?? 0, random: 0, retryAfterMs: more.retryAfterMs ?? null });

describe('a circuit', () => {
  it('opens after failures in a row, lets one call try when the pause is over, and closes with any answer', () => {
    const once = fail(closedCircuit, 'a');
    expect(circuitState(once, 0)).toBe('closed');
    const twice = fail(once, 'b');
    expect(circuitState(twice, 0)).toBe('open');
    expect(circuitState(twice, circuitBackoff.firstDelayMs)).toBe('half_open');
    expect(circuitState(closedCircuit, 0)).toBe('closed');
  });

  it('suspects an item until another one failed, too', () => {
    const once = fail(closedCircuit, 'a');
    expect([canBeOwnFault(closedCircuit, 'a'), canBeOwnFault(once, 'a'), canBeOwnFault(once, 'b')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(canBeOwnFault(fail(once, 'b'), 'a')).toBe(false);
    expect(canBeOwnFault(fail(fail(once, 'a'), 'a'), 'a')).toBe(true);
  });

  it('waits as long as the provider asks, when that is longer', () => {
    expect(fail(closedCircuit, 'a', { retryAfterMs: 90_000 }).pausedUntilMs).toBe(90_000);
    expect(circuitState(fail(closedCircuit, 'a', { retryAfterMs: 90_000 }), 89_999)).toBe('open');
  });

  it('never pauses longer than its maximum by itself, however long the outage', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 200 }), (draws) => {
        let circuit = closedCircuit;
        draws.forEach((random, index) => {
          circuit = afterFailure(circuit, { item: `${index}`, atMs: 0, random, retryAfterMs: null });
          expect(circuit.failures).toBe(index + 1);
          expect(circuit.pausedUntilMs ?? 0).toBeLessThanOrEqual(circuitBackoff.delayMsMax);
          expect(circuit.pausedUntilMs !== null).toBe(circuit.failures >= failuresToOpen);
        });
      }),
    );
  });
});

describe('a pause before the next try', () => {
  const rule = { firstDelayMs: 500, delayMsMax: 30_000 };

  it('doubles up to the maximum, between its half and its whole', () => {
    expect([1, 2, 3, 7, 60].map((attempt) => backoffMs(rule, attempt, 0))).toEqual([
      250, 500, 1_000, 15_000, 15_000,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const pauseMs = backoffMs(rule, attempt, random);
          const fullMs = Math.min(500 * 2 ** Math.min(attempt - 1, 30), 30_000);
          expect(pauseMs).toBeGreaterThanOrEqual(fullMs / 2);
          expect(pauseMs).toBeLessThanOrEqual(fullMs);
        },
      ),
    );
  });
});
