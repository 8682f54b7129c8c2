// When hints are known to be complete, and which directories get a watch of their own.
import { expect, it } from 'vitest';
import { WatchCoverage } from '../../../server/disk/watch/watch-coverage.ts';

/** A full scan, begun and ended. */
function scanAll(coverage: WatchCoverage): void {
  coverage.fullScanBegins()();
}

function started() {
  const set: string[] = [];
  const state = { closed: 0, size: 0 };
  const coverage = new WatchCoverage();
  coverage.begin({
    set: (directory) => set.push(directory),
    keepOnly: () => undefined,
    get size() {
      return state.size;
    },
    close: () => {
      state.closed += 1;
    },
  });
  coverage.allSet();
  scanAll(coverage);
  return { coverage, set, state };
}

it('is complete from the full scan after the watches are set to their end', () => {
  const before = new WatchCoverage();
  before.found('/a');
  before.renamed('/a');
  expect([before.isComplete, [...before.takeReplaced()]]).toEqual([false, []]);
  const { coverage, set, state } = started();
  expect(coverage.isComplete).toBe(true);
  coverage.found('/a');
  expect(set).toEqual(['/a']);
  coverage.end();
  expect([coverage.isComplete, state.closed]).toEqual([false, 1]);
});

it('is not complete after a loss, until the watches are set anew', () => {
  const { coverage, set } = started();
  coverage.lost();
  coverage.found('/a');
  coverage.renamed('/a');
  expect([coverage.isComplete, set, [...coverage.takeReplaced()]]).toEqual([false, [], []]);
  coverage.begin({ set: () => undefined, keepOnly: () => undefined, size: 0, close: () => undefined });
  coverage.allSet();
  expect([coverage.isIntact, coverage.isComplete]).toEqual([true, false]);
  scanAll(coverage);
  expect(coverage.isComplete).toBe(true);
});

it('is not complete by a full scan that began before all watches were set, or while they were set anew', () => {
  const watches = () => ({
    set: () => undefined,
    keepOnly: () => undefined,
    size: 0,
    close: () => undefined,
  });
  const coverage = new WatchCoverage();
  coverage.begin(watches());
  const early = coverage.fullScanBegins();
  coverage.allSet();
  early();
  expect(coverage.isComplete).toBe(false);
  const former = coverage.fullScanBegins();
  coverage.begin(watches());
  coverage.allSet();
  former();
  expect(coverage.isComplete).toBe(false);
});

it('names each name of a rename to one scan', () => {
  const { coverage } = started();
  coverage.renamed('/a');
  expect([[...coverage.takeReplaced()], [...coverage.takeReplaced()]]).toEqual([['/a'], []]);
});

it('is lost with more directories or names than are remembered', () => {
  const many = started();
  many.state.size = 50_001;
  many.coverage.found('/a');
  expect(many.coverage.isComplete).toBe(false);
  const { coverage } = started();
  for (let n = 0; n <= 50_000; n += 1) coverage.renamed(`/${n}`);
  expect(coverage.isComplete).toBe(false);
});
