import { describe, expect, it } from 'vitest';
import { draftTarget, isDraftName, parseNameGlob } from '../../../server/core/outbound/draft-names.ts';

describe('the target of a draft', () => {
  it.each([
    ['/git/issues/draft.md', { externalId: 'X 1/2', canonicalPath: null }, '/git/issues/X_1_2.md'],
    ['/git/draft', { externalId: '7', canonicalPath: null }, '/git/7'],
    ['/git/a.md', { externalId: '7', canonicalPath: '/git/x/7.md' }, '/git/x/7.md'],
    ['/Git/a.md', { externalId: null, canonicalPath: '/git/b.md' }, '/git/b.md'],
    ['/git/a.md', { externalId: '7', canonicalPath: '/docs/7.md' }, '/git/7.md'],
    ['/git/a.md', { externalId: null, canonicalPath: '/docs/7.md' }, null],
    ['/git/a.md', { externalId: '7', canonicalPath: '/git/../docs/7.md' }, '/git/7.md'],
    ['/git/a', { externalId: '..', canonicalPath: null }, null],
    ['/git/a.md', { externalId: 'x'.repeat(300), canonicalPath: null }, null],
    ['/git/a.md', { externalId: null, canonicalPath: null }, null],
  ])('%s, named %j: %s', (path, named, place) => {
    expect(draftTarget(path, named)).toBe(place);
  });
});

describe('names of drafts', () => {
  it('are a resource, a space and a UUID', () => {
    const uuid = '0e89a031-65f0-480e-a823-ab1d94b324ea';
    expect(isDraftName(`messages ${uuid}.json`)).toBe(true);
    expect(isDraftName(`two words ${uuid.toUpperCase()}.json`)).toBe(true);
    expect(isDraftName(`${uuid}.json`)).toBe(false);
    expect(isDraftName(`messages ${uuid}.md`)).toBe(false);
    expect(isDraftName(`messages-${uuid}.json`)).toBe(false);
  });

  it.each([
    ['wb-*.json', 'wb-1.json', true],
    ['wb-*.json', 'wb-.json', true],
    ['wb-*.json', 'a-wb-1.json', false],
    ['?a', 'ba', true],
    ['?a', 'a', false],
    ['*', '', true],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['a.b', 'axb', false],
    ['**a**', 'xxaxx', true],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'aXbXb', false],
  ])('the glob %s and the name %s: %s', (glob, name, matches) => {
    expect(parseNameGlob(glob)?.matches(name)).toBe(matches);
  });

  it.each(['', 'a/b', '[z-a]', '[', '[]', 'a\\', 'x'.repeat(257)])('%j is no glob', (glob) => {
    expect(parseNameGlob(glob)).toBeNull();
  });

  it('a glob made to be slow is fast', () => {
    const startedAt = performance.now();
    expect(parseNameGlob(`${'*a'.repeat(100)}b`)?.matches('a'.repeat(255))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
