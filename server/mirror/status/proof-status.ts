// The proof of a mirror as the API returns it, and the problems of an alarm. Reads only; no I/O.
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

/** An alarm remains until a later proof finds both sides equal. */
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
    cause: `The agent cannot read it (${detail}), so the proof is incomplete.`,
    next: 'Check the disk. Mooring retries automatically.',
    retryAt: null,
  }));
  const different = (alarm?.differences ?? []).map((difference) => ({
    kind: 'not_equal',
    path: difference.path,
    cause: `No listed problem explains this difference: ${describeDifference(difference)}.`,
    next: nextOf(difference),
    retryAt: null,
  }));
  return [...hidden, ...different];
}

function nextOf({ folder, workspace }: Difference): string {
  if (folder === workspace) return 'No action needed. Both sides are equal; the base is being updated.';
  return 'Compare both versions. Save the file in the folder to keep its version; the other version stays in the history.';
}
