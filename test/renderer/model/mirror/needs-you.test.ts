import { expect, it } from 'vitest';
import { needsYouItems, remoteHeadline } from '../../../../renderer/model/mirror/needs-you.ts';
import type { Remote } from '../../../../server/contract/remotes.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';

const nothing = { conflicts: new Map(), deadLetters: new Map(), failedOperations: new Map() };

function remote(change: Partial<Remote>): Remote {
  const plain = {
    remoteId: 'rem_1',
    workspaceId: 'rw_r',
    url: 'https://hub.example.com',
    state: 'idle',
    cause: null,
    pendingLocal: 0,
    halt: null,
    conflicts: 0,
  };
  return { ...plain, ...change } as Remote;
}
const halt = {} as NonNullable<Remote['halt']>;

const proof = { state: 'equal', alarm: null };

it('what waits for a person is one item each, worst first', () => {
  const mirrors = [
    { mirrorId: 'mir_1', workspaceId: 'rw_a', dir: '/a', state: 'halted', proof },
    { mirrorId: 'mir_2', workspaceId: 'rw_b', dir: '/b', state: 'idle', proof },
    { mirrorId: 'mir_3', workspaceId: 'rw_c', dir: '/c', state: 'idle', proof: { ...proof, alarm: {} } },
    { mirrorId: 'mir_4', workspaceId: 'rw_d', dir: '/d', state: 'error', proof },
  ] as Mirror[];
  const remotes = [
    remote({ state: 'offline', pendingLocal: 3 }),
    remote({ state: 'unauthorized', cause: 'the token expired' }),
    remote({ state: 'halted', halt }),
  ];
  const items = needsYouItems(
    { mirrors, remotes },
    {
      conflicts: new Map([
        ['rw_a', 0],
        ['rw_b', 4],
      ]),
      deadLetters: new Map([['rw_b', 1]]),
      failedOperations: new Map([['rw_b', 2]]),
    },
  );
  expect(items.map(({ workspaceId, what, detail }) => [workspaceId, what, detail])).toEqual([
    ['rw_a', 'Halted', '/a. Nothing was deleted.'],
    ['rw_r', 'Remote halted', 'hub.example.com. Nothing was deleted.'],
    ['rw_c', 'Not equal', '/c. Both versions are kept.'],
    ['rw_d', 'Offline', '/d. The folder is unreachable.'],
    ['rw_r', 'No access', 'hub.example.com: the token expired'],
    ['rw_b', '4 conflicts', 'Both versions are kept.'],
    ['rw_b', '1 dead letter', 'Inbound events that could not be applied.'],
    ['rw_b', '2 failed operations', 'Refused by a provider.'],
    ['rw_r', 'Remote offline', 'hub.example.com: 3 changes wait here.'],
  ]);
});

it('silence is the good state: a remote that is offline without changes waits for no person', () => {
  const remotes = [remote({ state: 'offline' }), remote({ state: 'syncing', pendingLocal: 2 })];
  expect(needsYouItems({ mirrors: [], remotes }, nothing)).toEqual([]);
  expect(remoteHeadline(remotes)).toBeNull();
});

it('the headline says the worst of the remotes', () => {
  const offline = remote({ state: 'offline', pendingLocal: 1 });
  const offlineToo = remote({ state: 'offline', pendingLocal: 2 });
  const refused = remote({ state: 'unauthorized' });
  expect(remoteHeadline([offline])).toBe('1 remote offline, 1 change waits');
  expect(remoteHeadline([offline, offlineToo])).toBe('2 remotes offline, 3 changes wait');
  expect(remoteHeadline([offline, remote({ state: 'error' })])).toBe('1 remote failed');
  expect(remoteHeadline([offline, refused])).toBe('1 remote without access');
  expect(remoteHeadline([refused, remote({ state: 'halted', halt })])).toBe(
    '1 remote halted. Nothing was deleted.',
  );
});
