import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ancestorsOf,
  comparePaths,
  depthOf,
  isWithin,
  joinPath,
  nameOf,
  normalizeReadPath,
  parentOf,
  parseWritePath,
  providerOf,
  utf8Length,
} from '../../../server/core/paths/path.ts';

// The reference's published cases lie beside the checkout, where they lie at all; they are not part of the project.
const published = path.resolve(import.meta.dirname, '../../../../shared/contract/fixtures/containment.json');

describe('reading a path', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    ['//', '/'],
    ['a', '/a'],
    ['/a/', '/a'],
    ['/a//', '/a/'],
    ['/a/../b', '/a/../b'],
    ['/A', '/A'],
  ])('%j is looked up as %j', (raw, expected) => {
    expect(normalizeReadPath(raw)).toBe(expected);
  });
});

describe('a path that is written', () => {
  it.each([
    ['/a', '/a'],
    ['a/b', '/a/b'],
    ['/a/', '/a'],
    ['/a b/ü.md', '/a b/ü.md'],
    ['/...', '/...'],
    [`/${'x'.repeat(255)}`, `/${'x'.repeat(255)}`],
    [`/${'d/'.repeat(99)}f`, `/${'d/'.repeat(99)}f`],
  ])('%j is accepted as %j', (raw, path) => {
    expect(parseWritePath(raw)).toEqual({ ok: true, path });
  });

  it.each([
    ['', 'the path is empty'],
    ['/', 'the root is not a file'],
    ['//', 'the root is not a file'],
    ['/a//b', 'the path has an empty segment'],
    ['//a', 'the path has an empty segment'],
    ['/a//', 'the path has an empty segment'],
    ['/./a', 'the path has a segment "."'],
    ['/a/..', 'the path has a segment ".."'],
    ['/a\0', 'the path holds a NUL'],
    ['/\ud800', 'the path holds an unpaired surrogate'],
    [`/${'ü'.repeat(128)}`, 'a segment of the path is longer than 255 bytes'],
    [`/${'d/'.repeat(100)}f`, 'the path has more than 100 segments'],
    [`/${'0123456789/'.repeat(400)}f`, 'the path is longer than 4096 bytes'],
  ])('%j is refused: %s', (raw, reason) => {
    expect(parseWritePath(raw)).toEqual({ ok: false, reason });
  });

  it('is a fixed point: an accepted path is accepted unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const parsed = parseWritePath(raw);
        if (parsed.ok) expect(parseWritePath(parsed.path)).toEqual(parsed);
      }),
    );
  });
});

describe('the provider of a path', () => {
  it.each([
    ['/github/a.md', 'github'],
    ['/GitHub/a.md', 'github'],
    ['/b.md', 'b.md'],
    ['/', ''],
  ])('of %s is %j', (path, provider) => {
    expect(providerOf(path)).toBe(provider);
  });
});

describe('containment', () => {
  it.each([
    ['/', '/', true],
    ['/', '/a/b', true],
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/ab', false],
    ['/a/b', '/a', false],
    ['a/', 'a/b/', true],
    ['/a', '/A/b', false],
  ])('%s holds %s: %s', (base, path, expected) => {
    expect(isWithin(base, path)).toBe(expected);
  });

  it('agrees with the published cases where they are at hand', ({ skip }) => {
    if (!existsSync(published)) skip('the published cases are not at hand');
    const { cases } = JSON.parse(readFileSync(published, 'utf8')) as {
      cases: { name: string; base: string; candidate: string; expect: { contains: boolean } }[];
    };
    expect(cases.length).toBeGreaterThan(0);
    for (const one of cases) expect(isWithin(one.base, one.candidate), one.name).toBe(one.expect.contains);
  });
});

describe('the parts of a path', () => {
  it.each([
    ['/', [], null, '', 0],
    ['/a', ['/'], '/', 'a', 1],
    ['/a/b/c.md', ['/', '/a', '/a/b'], '/a/b', 'c.md', 3],
  ])('of %s', (whole, ancestors, parent, name, depth) => {
    expect([ancestorsOf(whole), parentOf(whole), nameOf(whole), depthOf(whole)]).toEqual([
      ancestors,
      parent,
      name,
      depth,
    ]);
    if (parent !== null) expect(joinPath(parent, name)).toBe(whole);
  });
});

describe('the order of paths', () => {
  it('is the order of their UTF-8 bytes, surrogate pairs included', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const bytes = Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));
        expect(Math.sign(comparePaths(left, right))).toBe(bytes);
      }),
    );
    expect(comparePaths('/\u{1f600}', '/\uffee')).toBeGreaterThan(0);
  });

  it('counts the bytes that Node counts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});
