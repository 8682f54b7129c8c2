// The difference of two texts whose comparison does not end in its time, as on a machine under heavy load: a patch that replaces the
// text, never "too large" for texts under the limit of a comparison.
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Compute, ComputeError, type ComputeFailure } from '../../server/compute/port.ts';
import { differenceOfBytes } from '../../server/workspaces/difference.ts';

/** Refuses each job as a pool does that ends its thread. */
function computeThatFails(reason: ComputeFailure): Compute {
  return { run: () => Promise.reject(new ComputeError(reason, 'the computation was ended')) };
}

test.each(['time_limit', 'memory'] as const)('a comparison over its %s replaces the text', async (reason) => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', '-', '\\ No newline', '\r'), { maxLength: 12 })
    .chain((lines) => fc.boolean().map((ended) => lines.join('\n') + (ended ? '\n' : '')));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const [old, fresh] = [Buffer.from(before), Buffer.from(after)];
      const difference = await differenceOfBytes(computeThatFails(reason), '/a', old, fresh);
      if (difference.kind !== 'too_different') throw new Error(`unexpected: ${difference.kind}`);
      const hunks = difference.patch.slice(difference.patch.indexOf('@@'));
      expect(applyPatch(before, `--- a\n+++ b\n${hunks}`)).toBe(after);
    }),
  );
});

test('a pool without a free thread is an error that says so, not a difference', async () => {
  await expect(
    differenceOfBytes(computeThatFails('busy'), '/a', Buffer.from('a\n'), Buffer.from('b\n')),
  ).rejects.toThrow(ComputeError);
});
