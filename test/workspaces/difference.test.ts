// The difference of two texts whose comparison does not end in its time, as on a machine under heavy load: a patch that replaces the
// text, never "too large" for texts under the limit of a comparison.
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerPool } from '../../server/compute/pool.ts';
import { type Compute, ComputeError, type ComputeFailure } from '../../server/compute/port.ts';
import { diffBytesMax } from '../../server/core/merge/text-diff.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { differenceOfBytes } from '../../server/workspaces/difference.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { longestTurnMs } from '../support/longest-turn.ts';

/** Processor time between two turns of the event loop; in one piece it was 130 to 240 ms. */
const turnMsMax = 100;

/** Refuses each comparison as a pool does that ends its thread. */
function withoutComparisons(reason: ComputeFailure, others: Compute = inlineCompute): Compute {
  return {
    run: (name, input) =>
      name === 'diff_lines'
        ? Promise.reject(new ComputeError(reason, 'the computation was ended'))
        : others.run(name, input),
  };
}

test.each(['time_limit', 'memory'] as const)('a comparison over its %s replaces the text', async (reason) => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', '-', '\\ No newline', '\r'), { maxLength: 12 })
    .chain((lines) => fc.boolean().map((ended) => lines.join('\n') + (ended ? '\n' : '')));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const [old, fresh] = [Buffer.from(before), Buffer.from(after)];
      const difference = await differenceOfBytes(withoutComparisons(reason), '/a', old, fresh);
      if (difference.kind !== 'too_different') throw new Error(`unexpected: ${difference.kind}`);
      const hunks = difference.patch.slice(difference.patch.indexOf('@@'));
      expect(applyPatch(before, `--- a\n+++ b\n${hunks}`)).toBe(after);
    }),
  );
});

test('of the shortest lines of the largest texts no turn is long', async () => {
  const bytes = Buffer.alloc(diffBytesMax, 'a\n');
  const fresh = Buffer.concat([bytes.subarray(2), Buffer.from('b')]);
  const pool = new WorkerPool({ clock: systemClock });
  onTestFinished(() => pool.close());
  const compute = withoutComparisons('time_limit', pool);
  const longestMs = await longestTurnMs(async () => {
    const difference = await differenceOfBytes(compute, '/a', bytes, fresh);
    expect(difference.kind).toBe('too_different');
  });
  expect(longestMs, 'milliseconds of the main thread').toBeLessThan(turnMsMax);
});

test('a pool without a free thread is an error that says so, not a difference', async () => {
  await expect(
    differenceOfBytes(withoutComparisons('busy'), '/a', Buffer.from('a\n'), Buffer.from('b\n')),
  ).rejects.toThrow(ComputeError);
});
