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

it('lets everything through without filters', () => {
  expect(matchesAny(undefined, '/a')).toBe(true);
  expect(matchesAny([], '/a')).toBe(true);
});

it('asks the feed for the longest prefix without a wildcard, each once', () => {
  expect(prefixesOf(undefined)).toEqual(['/']);
  expect(prefixesOf(['/a/b', '/a/*/c', '/a/**', '/**'])).toEqual(['/a/b', '/a', '/']);
});
