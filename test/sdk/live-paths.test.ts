import { expect, it } from 'vitest';
import { matchesAny, prefixesOf } from '../../sdk/live-paths.ts';

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', false],
  ['/a/*', '/a/b', true],
  ['/a/*', '/a/b/c', false],
  ['/*/b', '/a/b', true],
  ['/a/**', '/a/b/c', true],
  ['/a/**', '/ab/c', false],
  ['/**', '/anything/below', true],
  ['/*/x/**', '/a/x/y/z', true],
])('a filter %s on %s: %s', (filter, path, expected) => {
  expect(matchesAny([filter], path)).toBe(expected);
});

it('matches every path without filters', () => {
  expect(matchesAny(undefined, '/a')).toBe(true);
  expect(matchesAny([], '/a')).toBe(true);
});

it('returns the longest prefix without a wildcard of each filter, without duplicates', () => {
  expect(prefixesOf(undefined)).toEqual(['/']);
  expect(prefixesOf(['/a/b', '/a/*/c', '/a/**', '/**'])).toEqual(['/a/b', '/a', '/']);
});
