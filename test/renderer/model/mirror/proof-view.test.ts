import { describe, expect, it } from 'vitest';
import {
  proofExtent,
  proofStatus,
  proofSummary,
  proofTime,
} from '../../../../renderer/model/mirror/proof-view.ts';
import type { MirrorProof } from '../../../../server/contract/proof.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';

const early = '2026-11-20T12:31:00.000Z';
const late = '2026-11-20T12:31:07.000Z';
const unproven: MirrorProof = {
  state: 'unproven',
  last: null,
  beforeRestart: null,
  alarm: null,
  rehashedAt: null,
};

function provedAt(at: string, change: Partial<MirrorProof> = {}): MirrorProof {
  const last = { provedAt: at, root: 'ab', files: 12, bytes: 9, leftOut: 0, hashedFiles: 12, hashedBytes: 9 };
  return { ...unproven, state: 'equal', last, ...change };
}

const alarm = { since: late, files: 2, paths: ['/a', '/b'] };
const mirrors = (...proofs: readonly MirrorProof[]) => proofs.map((proof) => ({ proof }) as Mirror);

describe('the proof meter', () => {
  it('says equal with the oldest time, and only when every mirror was proved', () => {
    expect(proofSummary([])).toBeNull();
    expect(proofSummary(mirrors(provedAt(late), provedAt(early)))).toEqual({
      view: { kind: 'ok', word: 'Proved equal' },
      provedAt: early,
    });
    expect(proofSummary(mirrors(provedAt(late), unproven))?.view.word).toBe('Not all proved');
    // It was equal before it halted.
    expect(proofSummary(mirrors(provedAt(late), provedAt(early, { state: 'unproven' })))).toEqual({
      view: { kind: 'waiting', word: 'Not all proved' },
      provedAt: null,
    });
  });

  it('puts an alarm before everything else', () => {
    const different = provedAt(early, { state: 'not-equal', alarm });
    expect(proofSummary(mirrors(provedAt(late), different))).toEqual({
      view: { kind: 'halted', word: '1 of 2 not equal' },
      provedAt: null,
    });
    expect(proofTime(different)).toEqual({ at: late, kind: 'since' });
    expect(proofStatus(different).word).toBe('Not equal');
  });

  it('says how much was compared and read, and how much is left out', () => {
    const { last } = provedAt(late);
    if (last === null) throw new Error('it is proved');
    expect(proofExtent(provedAt(late))).toBe('12 files compared, all read from disk');
    expect(proofExtent(provedAt(late, { last: { ...last, hashedFiles: 3, leftOut: 1 } }))).toBe(
      '12 files compared, 3 read from disk, 1 excluded',
    );
    expect(proofExtent(provedAt(late, { last: { ...last, hashedFiles: 0 } }))).toBe('12 files compared');
    expect(proofExtent(unproven)).toBeNull();
    expect(proofTime(unproven)).toBeNull();
  });

  it('never takes what was proved before the restart for proved', () => {
    const restarted = { ...unproven, beforeRestart: provedAt(early).last };
    expect(proofTime(restarted)).toEqual({ at: early, kind: 'before-restart' });
    expect(proofSummary(mirrors(restarted))).toEqual({
      view: { kind: 'waiting', word: 'Not all proved' },
      provedAt: null,
    });
  });
});
