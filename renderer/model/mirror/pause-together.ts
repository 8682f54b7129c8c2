// Which mirrors "Pause all" pauses and "Resume all" resumes. Pure.
import type { Mirror } from '../../../server/contract/workspaces.ts';

type Pausable = Pick<Mirror, 'mirrorId' | 'state'>;

export interface PauseTogether<M extends Pausable> {
  /** false: they are resumed. */
  readonly pauses: boolean;
  /** Empty: no mirror can be paused or resumed. */
  readonly mirrors: readonly M[];
}

/**
 * Pauses all but halted mirrors while one runs, and gives those of `own`, which were paused together before, the new end. Otherwise resumes
 * those of `own`; when none of these is paused, all.
 */
export function pauseTogether<M extends Pausable>(
  mirrors: readonly M[],
  own: readonly string[],
): PauseTogether<M> {
  const running = mirrors.filter(({ state }) => state !== 'paused' && state !== 'halted');
  const paused = mirrors.filter(({ state }) => state === 'paused');
  const ownPaused = paused.filter(({ mirrorId }) => own.includes(mirrorId));
  if (running.length > 0) return { pauses: true, mirrors: [...running, ...ownPaused] };
  return { pauses: false, mirrors: ownPaused.length > 0 ? ownPaused : paused };
}
