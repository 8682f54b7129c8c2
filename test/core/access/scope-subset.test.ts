import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bareScopes, grantsScope } from '../../../server/core/access/scope.ts';
import { scopeOutside } from '../../../server/core/access/scope-subset.ts';

const docs = 'relayfile:fs:read:/docs/**';

it.each([
  ['the same bare scope', ['fs:read'], ['fs:read']],
  ['a path of a bare scope', ['fs:read'], [docs]],
  ['the same path', [docs], [docs]],
  ['a directory below', [docs], ['relayfile:fs:read:/docs/a/**']],
  ['all below without the directory', [docs], ['relayfile:fs:read:/docs/*']],
  ['one file', [docs], ['relayfile:fs:read:/docs/a.md']],
  ['a prefix below', [docs], ['relayfile:fs:read:/docs/a*']],
  ['a longer prefix', ['relayfile:fs:read:/do*'], ['relayfile:fs:read:/docs*']],
  ['a directory that a prefix covers', ['relayfile:fs:read:/do*'], [docs]],
  ['reading, of whoever manages', ['relayfile:fs:manage'], ['fs:read', 'fs:write']],
  ['a bare scope, of a wildcard', ['relayfile:*:read'], ['fs:read', 'ops:read']],
  ['the same wildcard', ['relayfile:*:*'], ['relayfile:*:*']],
  ['a word of another system that it has itself', ['billing:read'], ['billing:read']],
])('hands out %s', (_, held, wanted) => {
  expect(scopeOutside(held, wanted)).toBeNull();
});

it.each([
  ['another action', ['fs:read'], 'fs:write'],
  ['the whole, of a part', [docs], 'fs:read'],
  ['the whole, of a bare scope that a path confines', ['fs:read', docs], 'fs:read'],
  ['the directory itself, of what is below', ['relayfile:fs:read:/docs/*'], docs],
  ['a sibling that begins the same', [docs], 'relayfile:fs:read:/docs2/a'],
  ['a wildcard, of what it stands for today', [...bareScopes], 'relayfile:*:*'],
  ['managing, of reading and writing', ['fs:read', 'fs:write'], 'relayfile:fs:manage'],
  ['a shorter prefix', ['relayfile:fs:read:/docs*'], 'relayfile:fs:read:/do*'],
  ['all below, of the directory alone', ['relayfile:fs:read:/docs'], docs],
  ['a word of another system', ['fs:read'], 'finance:admin'],
  ['anything, of nothing', [], 'fs:read'],
])('does not hand out %s', (_, held, wanted) => {
  expect(scopeOutside(held, [wanted])).toBe(wanted);
});

const segment = fc.constantFrom('a', 'ab', 'b');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const scope = fc.oneof(
  fc.constantFrom('fs:read', 'fs:write', 'relayfile:fs:*', 'relayfile:*:read', 'relayfile:fs:manage'),
  fc
    .tuple(
      fc.constantFrom('fs:read', 'fs:write', '*:read', 'fs:manage'),
      path,
      fc.constantFrom('', '/*', '/**', '*'),
    )
    .map(([action, base, end]) => `relayfile:${action}:${base}${end}`),
);

it('what is handed out never opens a path that was closed', () => {
  fc.assert(
    fc.property(
      fc.array(scope, { minLength: 1, maxLength: 3 }),
      fc.array(scope, { minLength: 1, maxLength: 3 }),
      path,
      fc.constantFrom('fs:read', 'fs:write', 'ops:read'),
      (held, wanted, asked, required) => {
        fc.pre(scopeOutside(held, wanted) === null);
        return !grantsScope(wanted, required, asked) || grantsScope(held, required, asked);
      },
    ),
    { numRuns: 5_000 },
  );
});
