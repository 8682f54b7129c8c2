// The deletion guard over any sequence of changes in a folder: within a minute the workspace never loses more files than the limit,
// and never more than half of its files, in any order of deletions, truncations and new contents.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allSteps } from '../../server/core/paths/steps.ts';
import type { Plan } from '../../server/core/sync/plan.ts';
import { reconcile } from '../../server/core/sync/reconcile.ts';
import { isTruncation, truncationBytesMin } from '../../server/core/sync/truncation.ts';
import type { FolderFile } from '../../server/disk/port/folder.ts';
import { DeletionGuard, type GuardVerdict } from '../../server/mirror/guard/deletion-guard.ts';
import { deletionWindowMs } from '../../server/mirror/guard/halt-causes.ts';
import { baseRow, MirrorTrees } from '../../server/mirror/state/trees.ts';
import { scaled } from '../support/scale.ts';

const files = 24;
const limit = 8;
const fullBytes = 10_000;

const step = fc.record({
  verb: fc.constantFrom('delete', 'empty', 'cut', 'refill', 'refill'),
  first: fc.nat(files - 1),
  count: fc.integer({ min: 1, max: 6 }),
  waitMs: fc.constantFrom(0, 0, 1000, 20_000, deletionWindowMs + 1),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A mirror without a disk: the contents of folder and workspace, and the guard between them. */
class Course {
  nowMs = 0;
  readonly trees: MirrorTrees;
  readonly guard: DeletionGuard;
  verdict: GuardVerdict = { cause: null, pendingDeletions: [] };
  /** Time at which the workspace lost the content of a path, and its size before. */
  readonly lost = new Map<string, { readonly atMs: number; readonly before: number }>();
  #contents = 0;

  constructor() {
    const rows = Array.from({ length: files }, (_, n) => baseRow(pathOf(n), this.#file(fullBytes), 1));
    this.trees = new MirrorTrees(rows);
    this.guard = new DeletionGuard({ monotonicMs: () => this.nowMs }, this.trees, limit);
  }

  act({ verb, first, count, waitMs }: Step): void {
    this.nowMs += waitMs;
    for (let n = first; n < Math.min(files, first + count); n += 1) {
      const sizeBytes = { delete: null, empty: 0, cut: 900, refill: fullBytes }[verb];
      const isThere = this.trees.localAt(pathOf(n)) !== null;
      if (sizeBytes === null) this.trees.setLocal(pathOf(n), null);
      else if (isThere || verb === 'refill') this.trees.setLocal(pathOf(n), this.#file(sizeBytes));
    }
    const plan = reconcile(this.trees.forPlanner(this.trees.candidates(), () => false));
    const counted = { tracked: this.trees.tracked, left: this.trees.localFiles, leaving: 0, unmarked: false };
    this.verdict = allSteps(this.guard.check(plan, counted, this.verdict.cause));
    if (this.verdict.cause === null) this.#apply(plan);
  }

  /** Files whose content the workspace lost within a minute and has not got back. */
  recentlyLost(): number {
    let count = 0;
    for (const [path, { atMs, before }] of this.lost) {
      const now = this.trees.workspaceAt(path);
      const isLost = now === null || isTruncation(before, now.sizeBytes);
      if (isLost && atMs >= this.nowMs - deletionWindowMs) count += 1;
    }
    return count;
  }

  #apply(plan: Plan): void {
    this.guard.recordApplied();
    for (const { path } of plan.toWorkspace.flat()) {
      const before = this.trees.workspaceAt(path)?.sizeBytes ?? 0;
      const local = this.trees.localAt(path);
      if (local?.kind === 'file') {
        if (isTruncation(before, local.sizeBytes)) this.lost.set(path, { atMs: this.nowMs, before });
        this.trees.setWorkspace(path, { hash: local.hash, revision: 1, sizeBytes: local.sizeBytes });
        this.trees.agree(path, baseRow(path, local, 1));
      } else {
        this.lost.set(path, { atMs: this.nowMs, before });
        this.trees.setWorkspace(path, null);
        this.trees.agree(path, null);
      }
    }
  }

  #file(sizeBytes: number): FolderFile {
    this.#contents += 1;
    const hash = sizeBytes === 0 ? 'empty' : `content${this.#contents}`;
    const times = { mtimeNs: '1', ctimeNs: '1', inode: `${this.#contents}`, mode: 0o644, trusted: true };
    return { kind: 'file', hash, sizeBytes, ...times };
  }
}

function pathOf(n: number): string {
  return `/f${String(n).padStart(2, '0')}`;
}

it('lets no more than the limit and half of the files be lost within a minute', () => {
  let halts = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const course = new Course();
      for (const each of steps) {
        course.act(each);
        const lost = course.recentlyLost();
        if (lost > limit) throw new Error(`${lost} files are lost`);
        if (course.verdict.cause !== null) halts += 1;
        for (const { change, sizeBytes, sizeAfterBytes } of course.verdict.pendingDeletions) {
          if ((change === 'deletion') !== (sizeAfterBytes === null)) throw new Error('sizes of a deletion');
          if (sizeAfterBytes !== null && !isTruncation(sizeBytes, sizeAfterBytes))
            throw new Error(`${sizeBytes} to ${sizeAfterBytes} is no truncation`);
        }
      }
    }),
    { numRuns: scaled(2000, 1_000_000) },
  );
  expect(halts).toBeGreaterThan(0);
});

it('takes a file for truncated when it is empty, or lost more than 90 % of at least 4 KiB, and never when it grew', () => {
  expect(truncationBytesMin).toBe(4096);
  const table = [
    [1, 0, true],
    [0, 0, false],
    [4095, 1, false],
    [4096, 409, true],
    [4096, 410, false],
    [100_000, 10_000, false],
    [100_000, 9_999, true],
  ] as const;
  for (const [before, after, truncated] of table) expect(isTruncation(before, after)).toBe(truncated);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (before, after, more) => {
      if (isTruncation(before, after + more) && !isTruncation(before, after))
        throw new Error('fewer bytes left are no smaller loss');
      if (isTruncation(after, after + more)) throw new Error('a file that grew is not truncated');
    }),
  );
});
