import { expect, test } from 'vitest';
import { parsePathGlob, pathGlobCharactersMax } from '../../../server/core/paths/path-glob.ts';

const matches = (glob: string, path: string) => parsePathGlob(glob)?.(path);

test.each([
  ['/docs/a.md', '/docs/a.md', true],
  ['/docs/a.md', '/docs/a.mdx', false],
  ['/docs/*.md', '/docs/a.md', true],
  ['/docs/*.md', '/docs/sub/a.md', false],
  ['/docs/**', '/docs/sub/a.md', true],
  ['/docs/**', '/docs', true],
  ['/docs/', '/docs/sub/a.md', true],
  ['/docs/', '/docsx/a.md', false],
  ['/docs/**/a.md', '/docs/a.md', true],
  ['/docs/**/a.md', '/docs/x/y/a.md', true],
  ['*.md', '/a.md', true],
  ['*.md', '/x/y/a.md', true],
  ['sub/*.md', '/x/sub/a.md', true],
  ['sub/*.md', '/x/sub/y/a.md', false],
  ['/a?.md', '/ab.md', true],
  ['/a?.md', '/a.md', false],
  ['/a*b*c', '/a-b-b-c', true],
  ['/a*b*c', '/a-c-b', false],
  ['/[a].md', '/[a].md', true],
  ['**', '/any/file', true],
  ['/ü*', '/über', true],
])('%s and %s: %s', (glob, path, expected) => {
  expect(matches(glob, path)).toBe(expected);
});

test.each([[''], ['//a'], ['/a//b'], ['x'.repeat(pathGlobCharactersMax + 1)], ['\ud800']])(
  'an invalid glob is none',
  (glob) => {
    expect(parsePathGlob(glob)).toBe(null);
  },
);

test('a glob with many stars takes no exponential time', () => {
  const started = performance.now();
  expect(matches(`/${'*a'.repeat(200)}`, `/${'a'.repeat(199)}b`)).toBe(false);
  expect(matches(`/${'**/'.repeat(100)}x`, `/${'a/'.repeat(500)}b`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});
