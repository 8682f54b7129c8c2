import { describe, expect, it } from 'vitest';
import type { Authority } from '../../../server/core/access/authority.ts';
import { refreshesWaitingMax, withRefresh } from '../../../server/core/inbound/refresh.ts';

const by = (agent: string): Authority => ({
  parties: [{ workspaceId: 'rw_1', agent, scopes: [], scope: 'sync:trigger' }],
  deleteLimits: [],
});
const asked = (id: string, agent: string | null) => ({ id, authority: agent === null ? null : by(agent) });
const [a1, a2, b1, b2, owners] = [
  asked('a1', 'a'),
  asked('a2', 'a'),
  asked('b1', 'b'),
  asked('b2', 'b'),
  asked('owners', null),
] as const;

describe('a refresh that is asked for', () => {
  it.each([
    ['is due where none is', { due: null, next: [] }, a1, { due: a1, next: [] }],
    ['takes the place of one of the same authority', { due: a1, next: [b1] }, a2, { due: a2, next: [b1] }],
    ['follows one of another authority', { due: a1, next: [] }, b1, { due: a1, next: [b1] }],
    ['waits once', { due: a1, next: [b1] }, b2, { due: a1, next: [b2] }],
    ['by the owner serves all that wait', { due: a1, next: [b1] }, owners, { due: owners, next: [] }],
    ['is served by one of the owner', { due: owners, next: [] }, a1, { due: owners, next: [] }],
  ])('%s', (_name, before, one, after) => {
    expect(withRefresh(before, one)).toEqual(after);
  });

  it('is refused where as many wait as may', () => {
    const next = Array.from({ length: refreshesWaitingMax }, (_, n) => asked(`${n}`, `agent-${n}`));
    expect(withRefresh({ due: a1, next }, b1)).toBeNull();
    expect(withRefresh({ due: a1, next }, a2)?.due).toBe(a2);
  });
});
