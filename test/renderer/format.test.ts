import { describe, expect, it, vi } from 'vitest';
import {
  dirName,
  inFolder,
  isAbsoluteDir,
  nameOf,
  parentOf,
  withAncestors,
} from '../../renderer/model/files/path.ts';
import { shownSize } from '../../renderer/model/files/stored-size.ts';
import { age, ago, duration, fullTime, plural, size } from '../../renderer/model/format.ts';

describe('figures', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [9_960, '10.0 KB'],
    [12_400, '12 KB'],
    [999_499, '999 KB'],
    [999_600, '1.0 MB'],
    [999_600_000, '1.0 GB'],
    [48_000_000, '48 MB'],
    [3_200_000_000_000, '3200 GB'],
  ])('%d bytes read %s', (bytes, text) => {
    expect(size(bytes)).toBe(text);
  });

  it.each([
    ['UTC', '3 Sep 2026, 02:05:09.040 UTC'],
    ['Europe/Berlin', '3 Sep 2026, 04:05:09.040 UTC+2'],
    ['America/St_Johns', '2 Sep 2026, 23:35:09.040 UTC-2:30'],
    ['Asia/Kathmandu', '3 Sep 2026, 07:50:09.040 UTC+5:45'],
  ])('a time in %s reads %s', (zone, text) => {
    vi.stubEnv('TZ', zone);
    expect(fullTime(Date.UTC(2026, 8, 3, 2, 5, 9, 40))).toBe(text);
    vi.unstubAllEnvs();
  });

  it('counts have separators and their word', () => {
    expect([plural(1, 'file'), plural(2_104, 'file'), plural(0, 'entry', 'entries')]).toEqual([
      '1 file',
      '2,104 files',
      '0 entries',
    ]);
  });

  it('an age is short, and a date from a day on', () => {
    const now = new Date(2026, 10, 20, 12, 0, 0).getTime();
    const since = (ms: number) => age(now - ms, now);
    expect([since(0), since(59_999), since(60_000), since(3_599_000), since(3_600_000)]).toEqual([
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '1 h',
    ]);
    expect(since(2 * 86_400_000)).toBe('18 Nov');
    expect(since(86_399_999)).toBe('23 h');
    expect(since(86_400_000)).toBe('19 Nov');
    // A clock that is ahead of this one.
    expect(ago(now + 5_000, now)).toBe('just now');
    expect(ago(now - 120_000, now)).toBe('2 min ago');
    expect(ago(now - 2 * 86_400_000, now)).toBe('on 18 Nov');
    expect(age(new Date(2025, 0, 2).getTime(), now)).toBe('2 Jan 2025');
  });

  it('a duration is rounded up, so that it never promises too much', () => {
    expect([0, 1, 59_001, 61_000, 3_540_000, 3_540_001, 3_600_001].map(duration)).toEqual([
      '0 s',
      '1 s',
      '1 min',
      '2 min',
      '59 min',
      '1 h',
      '2 h',
    ]);
  });

  it('a binary file counts its bytes, not its base64', () => {
    expect(shownSize({ path: '/a.png', size: 400 })).toBe(300);
    expect(shownSize({ path: '/a.md', size: 400 })).toBe(400);
    expect(shownSize({ path: '/a.md' })).toBe(0);
  });
});

describe('paths', () => {
  it('know their parent, name and ancestors', () => {
    expect([parentOf('/a.md'), parentOf('/a/b/c.md'), nameOf('/a/b/c.md')]).toEqual(['/', '/a/b', 'c.md']);
    expect(withAncestors('/a/b')).toEqual(['/', '/a', '/a/b']);
    expect(withAncestors('/')).toEqual(['/']);
  });

  it('are found in a folder of any system', () => {
    expect(inFolder('/srv/ada/notes', '/a/b.md')).toBe('/srv/ada/notes/a/b.md');
    expect(inFolder('/srv/ada/notes/', '/a.md')).toBe('/srv/ada/notes/a.md');
    expect(inFolder('C:\\Users\\ada', '/a/b.md')).toBe('C:\\Users\\ada\\a\\b.md');
  });

  it('of a folder are whole, and name the workspace', () => {
    expect(['/a', 'C:\\a', 'a', '~/a', ''].map(isAbsoluteDir)).toEqual([true, true, false, false, false]);
    expect(['/srv/ada/notes/', 'C:\\ada\\notes', '/'].map(dirName)).toEqual(['notes', 'notes', '']);
  });
});
