import { describe, expect, it } from 'vitest';
import { createProcessorShares, ProcessorShare } from '../../../server/mirror/state/processor-shares.ts';

/** Rests of mirrors whose work takes so long, when each knows of the others. */
function restsOf(share: ProcessorShare, worksMs: readonly number[]): readonly number[] {
  for (const [at, workMs] of worksMs.entries()) share.restMs(`m${at}`, workMs);
  return worksMs.map((workMs, at) => share.restMs(`m${at}`, workMs));
}

function usedOf(worksMs: readonly number[], restsMs: readonly number[]): number {
  return worksMs.reduce((used, workMs, at) => used + workMs / (workMs + (restsMs[at] ?? 0)), 0);
}

describe('a share of a processor', () => {
  it('is that of all mirrors together, however many they are and whatever each costs', () => {
    for (const worksMs of [
      [5000],
      Array.from({ length: 20 }, () => 2000),
      [9000, 4000, ...Array.from({ length: 50 }, (_, at) => 1 + at)],
      Array.from({ length: 300 }, (_, at) => 2 ** (at % 14)),
    ]) {
      const used = usedOf(worksMs, restsOf(new ProcessorShare(334), worksMs));
      expect(used).toBeLessThanOrEqual(1 / 334);
      expect(used).toBeGreaterThan(0.98 / 334);
    }
  });

  it('is one percent for all kinds of work', () => {
    const work = [100, 5000, 30];
    const { scans, proofs, rehash } = createProcessorShares();
    const used = [scans, proofs, rehash].reduce((sum, share) => sum + usedOf(work, restsOf(share, work)), 0);
    expect(used).toBeLessThanOrEqual(0.01);
    expect(used).toBeGreaterThan(0.0095);
  });

  it('is divided so that a large folder delays small ones little, and they delay it less', () => {
    const share = new ProcessorShare(334);
    const [large = 0, ...small] = restsOf(share, [9000, ...Array.from({ length: 19 }, () => 5)]);
    expect(large / (9000 * 334)).toBeLessThan(1.5);
    // Beside 19 of its own size it would rest 32 s.
    for (const each of small) expect(each).toBeLessThan(110_000);
  });

  it('is that of the others when one has left', () => {
    const share = new ProcessorShare(200);
    expect(share.restMs('a', 100)).toBe(20_000);
    share.restMs('b', 400);
    expect(share.restMs('a', 100)).toBe(60_000);
    share.leave('b');
    expect(share.restMs('a', 100)).toBe(20_000);
    expect(share.restMs('a', 0)).toBe(0);
  });
});
