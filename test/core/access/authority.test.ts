import { expect, it } from 'vitest';
import {
  type Authority,
  accessOf,
  authorityText,
  combined,
  reaches,
  readAuthority,
} from '../../../server/core/access/authority.ts';

const of = (scopes: readonly string[], more: Partial<Authority> = {}, agent = 'bot'): Authority => ({
  parties: [{ workspaceId: 'rw_1', agent, scopes, scope: 'sync:trigger' }],
  deleteLimits: [],
  ...more,
});

it.each<[string, readonly string[], string, boolean]>([
  ['a forwarder reaches every path', ['sync:trigger'], '/a/x', true],
  ['a path grant of its own scope confines', ['relayfile:sync:trigger:/a/**'], '/a/x', true],
  ['outside of it nothing is reached', ['relayfile:sync:trigger:/a/**'], '/b/x', false],
  ['a path grant of writing confines, too', ['sync:trigger', 'relayfile:fs:write:/a/**'], '/b/x', false],
  ['within it, it reaches', ['sync:trigger', 'relayfile:fs:write:/a/**'], '/a/x', true],
  [
    'writing decides where reading is wider',
    ['sync:trigger', 'fs:read', 'relayfile:fs:write:/a/**'],
    '/b/x',
    false,
  ],
  ['reading confines where there is no writing', ['sync:trigger', 'relayfile:fs:read:/a/**'], '/b/x', false],
  ['reading everything does not', ['sync:trigger', 'fs:read'], '/b/x', true],
  [
    'a path that is not valid grants nothing',
    ['sync:trigger', 'fs:write', 'relayfile:fs:write:a'],
    '/a/x',
    false,
  ],
  ['without the scope nothing is reached', ['fs:write'], '/a/x', false],
])('%s', (_name, scopes, path, reached) => {
  expect(reaches(of(scopes), path)).toBe(reached);
});

it('the owner is limited by nothing', () => {
  expect([reaches(null, '/x'), accessOf(null), combined(null, null)]).toEqual([true, null, null]);
});

it('two together may what both may, each identity named once', () => {
  const limit = { tokenId: 'tok_1', perMinute: 1 };
  const one = of(['relayfile:sync:trigger:/a/**'], { deleteLimits: [limit] });
  const both = combined(
    one,
    of(['sync:trigger'], { deleteLimits: [limit, { tokenId: 'tok_2', perMinute: 2 }] }, 'eve'),
  );
  expect([reaches(both, '/a/x'), reaches(both, '/b/x')]).toEqual([true, false]);
  expect(accessOf(both)).toMatchObject({ agent: 'bot', parents: [{ agent: 'eve' }] });
  expect(both?.deleteLimits.map(({ tokenId }) => tokenId)).toEqual(['tok_1', 'tok_2']);
  expect(combined(both, one)).toEqual(both);
  expect([combined(null, one), combined(one, null)]).toEqual([one, one]);
});

it('comes back from the store as it was', () => {
  const both = combined(of(['sync:trigger']), of(['fs:write'], {}, 'eve'));
  expect(readAuthority(authorityText(both))).toEqual(both);
  expect(readAuthority(authorityText(null))).toBeNull();
});
