// The proof meter of a mirror as everybody is shown it, and the problems that an alarm makes. Reads only; no I/O.
import type { MirrorProof, ProofState, ProvedEqual } from '../../contract/proof.ts';
import type { MirrorProblem, MirrorState } from '../../contract/workspaces.ts';
import { type Difference, describeDifference } from '../proof/compare-trees.ts';
import type { Proof, ProofReading } from '../proof/proof-meter.ts';
import { workspacePath } from '../state/scoped-workspace.ts';

export function proofOf(reading: ProofReading, state: MirrorState, rootPath: string): MirrorProof {
  const { last, before, alarm, rehashedAtMs } = reading;
  return {
    state: proofState(reading, state),
    last: last === null ? null : shown(last),
    beforeRestart: before === null ? null : shown(before),
    alarm:
      alarm === null
        ? null
        : {
            since: new Date(alarm.sinceMs).toISOString(),
            files: alarm.count,
            paths: alarm.differences.map(({ path }) => workspacePath(rootPath, path)),
          },
    rehashedAt: rehashedAtMs === null ? null : new Date(rehashedAtMs).toISOString(),
  };
}

function shown({ atMs, root, files, bytes, leftOut, hashedFiles, hashedBytes }: Proof): ProvedEqual {
  const provedAt = new Date(atMs).toISOString();
  return { provedAt, root, files, bytes, leftOut, hashedFiles, hashedBytes };
}

/** An alarm stays until a proof takes it back, whatever the mirror does meanwhile. */
function proofState(
  { isRunning, isDue, hasMoved, last, alarm }: ProofReading,
  state: MirrorState,
): ProofState {
  if (alarm !== null) return 'not-equal';
  switch (state) {
    case 'paused':
      return last === null || hasMoved ? 'unproven' : 'equal-until-pause';
    case 'halted':
    case 'error':
      return 'unproven';
    case 'scanning':
    case 'syncing':
    case 'idle':
      return isRunning || isDue || last === null ? 'proving' : 'equal';
  }
}

export function proofProblems({ alarm, unreadable }: ProofReading): readonly MirrorProblem[] {
  const hidden = unreadable.map(({ path, detail }) => ({
    kind: 'unreadable',
    path,
    cause: `The agent cannot read it (${detail}), so it cannot be proved to be unchanged.`,
    next: 'See the disk; it is tried again by itself.',
    retryAt: null,
  }));
  const different = (alarm?.differences ?? []).map((difference) => ({
    kind: 'not_equal',
    path: difference.path,
    cause: `Nothing that is listed says why ${describeDifference(difference)}.`,
    next: nextOf(difference),
    retryAt: null,
  }));
  return [...hidden, ...different];
}

function nextOf({ folder, workspace }: Difference): string {
  if (folder === workspace)
    return 'Nothing: both sides hold the same, and what was agreed on is written down again.';
  return 'Compare both versions. Save or touch the file in the folder to take its version; the other one stays in the history and can be restored.';
}
