import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeFile, mergeLines } from '../../../server/core/merge/three-way-merge.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

function clean(mine: string, theirs: string, from = base): string | null {
  const merge = mergeLines(from, mine, theirs);
  return merge.kind === 'clean' ? merge.text : null;
}

describe('a three-way merge of lines', () => {
  it('takes what only one side changed', () => {
    expect(clean(base, base.replace('two', 'TWO'))).toBe('one\nTWO\nthree\nfour\nfive\n');
    expect(clean(base.replace('two', 'TWO'), base)).toBe('one\nTWO\nthree\nfour\nfive\n');
  });

  it('takes both changes where a line lies between them', () => {
    expect(clean(base.replace('one', 'ONE'), base.replace('five\n', 'FIVE\nsix\n'))).toBe(
      'ONE\ntwo\nthree\nfour\nFIVE\nsix\n',
    );
    expect(clean(`zero\n${base}`, `${base}six\n`)).toBe(`zero\n${base}six\n`);
    expect(clean(base.replace('two\n', ''), base.replace('four\n', ''))).toBe('one\nthree\nfive\n');
  });

  it('takes once what both changed alike', () => {
    const same = base.replace('three', 'THREE');
    expect(clean(same, same)).toBe(same);
    expect(clean(same, same.replace('five', 'FIVE'))).toBe(same.replace('five', 'FIVE'));
  });

  it('guesses nothing where both changed the same lines, or lines without one between them', () => {
    const merge = mergeLines(base, base.replace('two', 'mine'), base.replace('two', 'theirs'));
    expect(merge).toMatchObject({
      kind: 'clashes',
      clashes: [{ unit: 'lines 2-2', base: 'two\n', mine: 'mine\n', theirs: 'theirs\n' }],
    });
    expect(clean(base.replace('two', 'mine'), base.replace('three', 'theirs'))).toBeNull();
    expect(clean(`${base}mine\n`, `${base}theirs\n`)).toBeNull();
    expect(clean(base.replace('two\n', ''), base.replace('two', 'TWO'))).toBeNull();
  });

  it('leaves every other byte as it is: line ends, a missing last one, a mark at the beginning', () => {
    const windows = '\ufeffone\r\ntwo\r\nthree\r\nfour';
    expect(clean(windows.replace('one', 'ONE'), windows.replace('four', 'FOUR'), windows)).toBe(
      '\ufeffONE\r\ntwo\r\nthree\r\nFOUR',
    );
  });

  it('cuts the three texts at the same places', () => {
    const merge = mergeLines(base, base.replace('two\n', ''), base.replace('four', 'FOUR\nmore'));
    expect(merge.kind === 'clean' && merge.pieces).toEqual([
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

  it('gives up on texts that have nothing in common', () => {
    const many = (word: string) => Array.from({ length: 2000 }, (_, n) => `${word} ${n}\n`).join('');
    expect(mergeLines(many('base'), many('mine'), many('base')).kind).toBe('too_different');
  });

  it('does not break a document that was JSON on all sides', () => {
    const json = '{\n"a": 1\n\n\n}';
    const without = '{\n\n\n}';
    const more = '{\n"a": 1\n\n,"b": 2\n\n}';
    expect(clean(without, more, json)).toBe('{\n\n,"b": 2\n\n}');
    expect(mergeFile('/x.json', json, without, more)).toBeNull();
    expect(mergeFile('/x.txt', json, without, more)).toBe('{\n\n,"b": 2\n\n}');
    expect(mergeFile('/x.json', json, json, more)).toBe(more);
  });
});

describe('any three texts', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e\n', '\n');
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));

  it('merge to what both sides agree on when they agree, and to the changed side when only one changed', () => {
    fc.assert(
      fc.property(text, text, (from, side) => {
        expect(clean(side, side, from)).toBe(side);
        expect(clean(side, from, from)).toBe(side);
        expect(clean(from, side, from)).toBe(side);
      }),
    );
  });

  it('merge to the same whoever is asked first, and lose no line of any side', () => {
    fc.assert(
      fc.property(text, text, text, (from, mine, theirs) => {
        const merge = mergeLines(from, mine, theirs);
        const other = mergeLines(from, theirs, mine);
        expect(other.kind).toBe(merge.kind);
        if (merge.kind === 'too_different' || other.kind === 'too_different') return;
        if (merge.kind === 'clean' && other.kind === 'clean') expect(other.text).toBe(merge.text);
        const lines = (side: 'base' | 'mine' | 'theirs') =>
          merge.pieces.reduce((sum, piece) => sum + piece[side].count, 0);
        const count = (whole: string) => whole.split('\n').length - 1;
        expect([lines('base'), lines('mine'), lines('theirs')]).toEqual([from, mine, theirs].map(count));
      }),
    );
  });
});
