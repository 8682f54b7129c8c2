import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayBePlanned } from '../../../server/mirror/state/plan-order.ts';
import { systemClock } from '../../../server/platform/clock.ts';

const anyPath = fc
  .array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`);
const anyPaths = fc.array(anyPath, { maxLength: 6 });

function isBelow(path: string, ancestor: string): boolean {
  return path !== ancestor && (ancestor === '/' || path.startsWith(`${ancestor}/`));
}

it('plans a path unless it, one above it or one below it waits', async () => {
  await fc.assert(
    fc.asyncProperty(anyPaths, anyPaths, anyPath, async (moving, failed, path) => {
      const mayBe = await mayBePlanned([new Set(moving), new Set(failed)], systemClock);
      const waits = [...moving, ...failed].some(
        (other) => other === path || isBelow(other, path) || isBelow(path, other),
      );
      expect(mayBe(path)).toBe(!waits);
    }),
  );
});
