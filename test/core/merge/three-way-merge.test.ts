import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../server/core/merge/line-diff.ts';
import {
  chosenText,
  type HunkDecision,
  mergeFile,
  mergeLines,
} from '../../../server/core/merge/three-way-merge.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

function clean(mine: string, theirs: string, from = base): string | null {
  const merge = mergeLines(from, mine, theirs);
  return merge.kind === 'clean' ? merge.text : null;
}

describe('a three-way merge of lines', () => {
  it('takes a change of one side', () => {
    expect(clean(base, base.replace('two', 'TWO'))).toBe('one\nTWO\nthree\nfour\nfive\n');
    expect(clean(base.replace('two', 'TWO'), base)).toBe('one\nTWO\nthree\nfour\nfive\n');
  });

  it('takes both changes if an unchanged line separates them', () => {
    expect(clean(base.replace('one', 'ONE'), base.replace('five\n', 'FIVE\nsix\n'))).toBe(
      'ONE\ntwo\nthree\nfour\nFIVE\nsix\n',
    );
    expect(clean(`zero\n${base}`, `${base}six\n`)).toBe(`zero\n${base}six\n`);
    expect(clean(base.replace('two\n', ''), base.replace('four\n', ''))).toBe('one\nthree\nfive\n');
  });

  it('takes an equal change of both sides once', () => {
    const same = base.replace('three', 'THREE');
    expect(clean(same, same)).toBe(same);
    expect(clean(same, same.replace('five', 'FIVE'))).toBe(same.replace('five', 'FIVE'));
  });

  it('reports a conflict if both changed the same lines, or adjacent lines', () => {
    const merge = mergeLines(base, base.replace('two', 'mine'), base.replace('two', 'theirs'));
    expect(merge).toMatchObject({
      kind: 'conflicts',
      conflicts: [{ unit: 'lines 2-2', base: 'two\n', mine: 'mine\n', theirs: 'theirs\n' }],
    });
    expect(clean(base.replace('two', 'mine'), base.replace('three', 'theirs'))).toBeNull();
    expect(clean(`${base}mine\n`, `${base}theirs\n`)).toBeNull();
    expect(clean(base.replace('two\n', ''), base.replace('two', 'TWO'))).toBeNull();
  });

  it('keeps every other byte: line ends, a missing last line end, a byte order mark', () => {
    const windows = '\ufeffone\r\ntwo\r\nthree\r\nfour';
    expect(clean(windows.replace('one', 'ONE'), windows.replace('four', 'FOUR'), windows)).toBe(
      '\ufeffONE\r\ntwo\r\nthree\r\nFOUR',
    );
  });

  it('divides the three versions into the same hunks', () => {
    const merge = mergeLines(base, base.replace('two\n', ''), base.replace('four', 'FOUR\nmore'));
    expect(merge.kind === 'clean' && merge.hunks).toEqual([
      {
        kind: 'same',
        base: { start: 0, count: 1 },
        mine: { start: 0, count: 1 },
        theirs: { start: 0, count: 1 },
      },
      {
        kind: 'mine',
        base: { start: 1, count: 1 },
        mine: { start: 1, count: 0 },
        theirs: { start: 1, count: 1 },
      },
      {
        kind: 'same',
        base: { start: 2, count: 1 },
        mine: { start: 1, count: 1 },
        theirs: { start: 2, count: 1 },
      },
      {
        kind: 'theirs',
        base: { start: 3, count: 1 },
        mine: { start: 2, count: 1 },
        theirs: { start: 3, count: 2 },
      },
      {
        kind: 'same',
        base: { start: 4, count: 1 },
        mine: { start: 3, count: 1 },
        theirs: { start: 5, count: 1 },
      },
    ]);
  });

  it('does not merge versions with nothing in common', () => {
    const many = (word: string) => Array.from({ length: 2000 }, (_, n) => `${word} ${n}\n`).join('');
    expect(mergeLines(many('base'), many('mine'), many('base')).kind).toBe('too_different');
  });

  it('keeps a document valid JSON if all versions are', () => {
    const json = '{\n"a": 1\n\n\n}';
    const without = '{\n\n\n}';
    const more = '{\n"a": 1\n\n,"b": 2\n\n}';
    expect(clean(without, more, json)).toBe('{\n\n,"b": 2\n\n}');
    expect(mergeFile('/x.json', json, without, more)).toBeNull();
    expect(mergeFile('/x.txt', json, without, more)).toBe('{\n\n,"b": 2\n\n}');
    expect(mergeFile('/x.json', json, json, more)).toBe(more);
  });
});

describe('a merge with decisions', () => {
  const versions = {
    base: linesOf('a\nb\nc\nd'),
    mine: linesOf('a\nB\nc\nD1'),
    theirs: linesOf('a\nb\nc\nx\nD2'),
  };
  const merge = mergeLines(versions.base.join(''), versions.mine.join(''), versions.theirs.join(''));
  const hunks = merge.kind === 'conflicts' ? merge.hunks : [];
  const decided = (decision: HunkDecision) => chosenText(versions, hunks, () => decision).text;

  it('has no text before every conflict is decided', () => {
    expect(hunks.map(({ kind }) => kind)).toEqual(['same', 'mine', 'same', 'clash']);
    expect(chosenText(versions, hunks, () => undefined)).toEqual({ text: null, undecided: 1 });
  });

  it('takes the lines of the chosen version', () => {
    expect(decided({ version: 'mine' })).toBe('a\nB\nc\nD1');
    expect(decided({ version: 'theirs' })).toBe('a\nB\nc\nx\nD2');
    expect(decided({ version: 'base' })).toBe('a\nB\nc\nd');
  });

  it('takes a typed text, with a line end if more follows', () => {
    expect(decided({ text: 'typed' })).toBe('a\nB\nc\ntyped');
    const followed = hunks.toReversed();
    const typed = (text: string) => chosenText(versions, followed.slice(0, 2), () => ({ text })).text;
    expect(typed('typed')).toBe('typed\nc\n');
    expect(typed('')).toBe('c\n');
  });
});

describe('any three texts', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e\n', '\n');
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));

  it('merge to the common text of equal sides, and to the changed side if only one changed', () => {
    fc.assert(
      fc.property(text, text, (from, side) => {
        expect(clean(side, side, from)).toBe(side);
        expect(clean(side, from, from)).toBe(side);
        expect(clean(from, side, from)).toBe(side);
      }),
    );
  });

  it('merge to the same text in either order, and lose no line of any version', () => {
    fc.assert(
      fc.property(text, text, text, (from, mine, theirs) => {
        const merge = mergeLines(from, mine, theirs);
        const other = mergeLines(from, theirs, mine);
        expect(other.kind).toBe(merge.kind);
        if (merge.kind === 'too_different' || other.kind === 'too_different') return;
        if (merge.kind === 'clean' && other.kind === 'clean') expect(other.text).toBe(merge.text);
        const lines = (side: 'base' | 'mine' | 'theirs') =>
          merge.hunks.reduce((sum, hunk) => sum + hunk[side].count, 0);
        const count = (whole: string) => whole.split('\n').length - 1;
        expect([lines('base'), lines('mine'), lines('theirs')]).toEqual([from, mine, theirs].map(count));
      }),
    );
  });
});
