import { expect, it } from 'vitest';
import {
  isTransient,
  mirrorActivityKey,
  pathStatus,
  stateReason,
} from '../../../../renderer/model/mirror/path-state-view.ts';
import type { PathState } from '../../../../sdk/index.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';

const mirror = {
  mirrorId: 'mir_1',
  state: 'idle',
  conflicts: 0,
  pendingLocal: 0,
  proof: { alarm: null },
  halt: null,
} as Mirror;

function seen(...states: readonly PathState['mirrors'][number]['state'][]): PathState {
  return {
    path: '/a',
    state: states[0] ?? null,
    mirrors: states.map((state, index) => ({
      mirrorId: `mir_${index + 1}`,
      state,
      why: state === 'refused' ? 'No room.' : 'Fine.',
      next: state === 'refused' ? 'Make room.' : null,
      retryAt: null,
    })),
  };
}

it('a state has its word; where nothing is known the mirror says why', () => {
  expect(pathStatus(seen('same'), [mirror])).toEqual({ kind: 'ok', word: 'Up to date' });
  expect(pathStatus(seen(), [mirror])).toBeNull();
  expect(pathStatus(seen('unknown'), [{ ...mirror, state: 'paused', pausedUntil: null }])?.word).toBe(
    'Paused',
  );
  expect(pathStatus(seen('unknown'), [mirror])?.word).toBe('Unknown');
});

it('the reason is that of the mirrors which have the worst state, once', () => {
  expect(stateReason(seen('refused', 'same', 'refused'))).toBe('No room. Make room.');
});

it('what moves by itself is looked at again, and a mirror that moves changes its mark', () => {
  expect([isTransient(seen('sending')), isTransient(seen('same')), isTransient(seen())]).toEqual([
    true,
    false,
    false,
  ]);
  expect(mirrorActivityKey([mirror])).toBe(mirrorActivityKey([{ ...mirror }]));
  expect(mirrorActivityKey([mirror])).not.toBe(mirrorActivityKey([{ ...mirror, pendingLocal: 1 }]));
});
