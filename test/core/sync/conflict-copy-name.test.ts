import { describe, expect, it } from 'vitest';
import { nameOf, utf8Length } from '../../../server/core/paths/path.ts';
import { conflictCopyPath } from '../../../server/core/sync/conflict-copy-name.ts';

/** 2026-11-20 14:03:09 UTC. */
const atMs = Date.UTC(2026, 10, 20, 14, 3, 9);
const utc = { atMs, offsetMinutes: 0 };
const free = () => false;

describe('the name of a conflict copy', () => {
  it.each([
    ['/docs/plan.md', '/docs/plan (conflict 2026-11-20 14.03.09).md'],
    ['/plan', '/plan (conflict 2026-11-20 14.03.09)'],
    ['/.env', '/.env (conflict 2026-11-20 14.03.09)'],
    ['/.env.local', '/.env (conflict 2026-11-20 14.03.09).local'],
    ['/a.tar.gz', '/a.tar (conflict 2026-11-20 14.03.09).gz'],
    ['/odd.', '/odd. (conflict 2026-11-20 14.03.09)'],
  ])('of %s is %s', (path, expected) => {
    expect(conflictCopyPath(path, utc, free)).toBe(expected);
  });

  it('tells the time of the zone it is given, across midnight', () => {
    expect(conflictCopyPath('/a', { atMs, offsetMinutes: 660 }, free)).toBe(
      '/a (conflict 2026-11-21 01.03.09)',
    );
    expect(conflictCopyPath('/a', { atMs, offsetMinutes: -210 }, free)).toBe(
      '/a (conflict 2026-11-20 10.33.09)',
    );
  });

  it('replaces the suffix of a copy instead of nesting', () => {
    const once = conflictCopyPath('/a.md', { atMs: atMs - 5000, offsetMinutes: 0 }, free);
    expect(conflictCopyPath(once, utc, free)).toBe('/a (conflict 2026-11-20 14.03.09).md');
    expect(conflictCopyPath('/plan (conflict 2020-01-01 00.00.00)', utc, free)).toBe(
      '/plan (conflict 2026-11-20 14.03.09)',
    );
    expect(conflictCopyPath('/a (conflict 2020-01-01 00.00.00) 7.md', utc, free)).toBe(
      '/a (conflict 2026-11-20 14.03.09).md',
    );
  });

  it('counts up when the name is taken', () => {
    const taken = new Set(['/a (conflict 2026-11-20 14.03.09).md', '/a (conflict 2026-11-20 14.03.09) 2.md']);
    expect(conflictCopyPath('/a.md', utc, (path) => taken.has(path))).toBe(
      '/a (conflict 2026-11-20 14.03.09) 3.md',
    );
  });

  it('stays within 255 bytes and never cuts through a character', () => {
    for (const name of [
      'x'.repeat(255),
      `${'é'.repeat(125)}.md`,
      `${'🙂'.repeat(62)}.txt`,
      `a.${'y'.repeat(253)}`,
    ]) {
      const copy = nameOf(conflictCopyPath(`/${name}`, utc, free));
      expect(utf8Length(copy)).toBeLessThanOrEqual(255);
      expect(utf8Length(copy)).toBeGreaterThan(250);
      expect(copy.isWellFormed()).toBe(true);
      expect(copy).toContain(' (conflict 2026-11-20 14.03.09)');
    }
  });
});
