import { expect, it } from 'vitest';
import { pauseTogether } from '../../../../renderer/model/mirror/pause-together.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';

type State = Mirror['state'];

function together(states: Readonly<Record<string, State>>, own: readonly string[]) {
  const mirrors = Object.entries(states).map(([mirrorId, state]) => ({ mirrorId, state }));
  const chosen = pauseTogether(mirrors, own);
  return [chosen.pauses ? 'pause' : 'resume', ...chosen.mirrors.map(({ mirrorId }) => mirrorId)];
}

it.each([
  ['all that run', { a: 'idle', b: 'scanning', c: 'error' }, [], ['pause', 'a', 'b', 'c']],
  ['no halted one, which waits for a decision', { a: 'idle', b: 'halted' }, [], ['pause', 'a']],
  ['one paused by itself stays', { a: 'idle', b: 'paused' }, [], ['pause', 'a']],
  ['those paused together before get the new end', { a: 'idle', b: 'paused' }, ['b'], ['pause', 'a', 'b']],
  [
    'all are paused: those paused together',
    { a: 'paused', b: 'paused', c: 'halted' },
    ['b', 'c'],
    ['resume', 'b'],
  ],
  ['none of them is paused any more: all', { a: 'paused', b: 'paused' }, ['c'], ['resume', 'a', 'b']],
  ['nothing to do', { a: 'halted' }, ['a'], ['resume']],
] satisfies readonly (readonly [string, Readonly<Record<string, State>>, string[], string[]])[])(
  '%s',
  (_name, states, own, chosen) => {
    expect(together(states, own)).toEqual(chosen);
  },
);
