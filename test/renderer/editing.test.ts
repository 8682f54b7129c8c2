// What editing in the page must not do: change lines that nobody touched, or lose either of two edits.
import { describe, expect, it } from 'vitest';
import { whyNotEdited } from '../../renderer/model/files/edit-view.ts';
import { forField, fromField } from '../../renderer/model/files/line-ends.ts';
import { linesOf, mergedText, type Texts } from '../../renderer/model/text/conflict-rows.ts';
import { threeWayPieces } from '../../renderer/model/text/three-way.ts';

describe('line ends', () => {
  it.each(['', 'a', 'a\nb\n', 'a\r\nb\r\n', 'a\rb', 'a\r\n\r\nb\nc', '\r\n', 'a\r\nb\nc\r'])(
    'of %j come back when nothing was edited',
    (content) => expect(fromField(content, forField(content))).toBe(content),
  );

  it('stay with their lines, and new lines get the usual one', () => {
    const mixed = 'one\r\ntwo\nthree\r\nfour\r\n';
    expect(forField(mixed)).toBe('one\ntwo\nthree\nfour\n');
    expect(fromField(mixed, 'one\nnew\ntwo\nthree\nfour\n')).toBe('one\r\nnew\r\ntwo\nthree\r\nfour\r\n');
    expect(fromField(mixed, 'two\nthree!\nfour')).toBe('two\nthree!\r\nfour');
  });

  it('grow behind a last line that had none', () => {
    expect(fromField('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc');
  });
});

const textsOf = (base: string, folder: string, workspace: string): Texts => ({
  base: linesOf(base),
  folder: linesOf(folder),
  workspace: linesOf(workspace),
});

describe('two edits of one text', () => {
  it('go together where they do not touch', () => {
    const texts = textsOf('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\nf\n', 'a\nb\nC\nd\ne\n');
    const pieces = threeWayPieces(texts);
    expect(pieces.map(({ kind }) => kind)).toEqual(['folder', 'same', 'workspace', 'same', 'folder']);
    expect(mergedText(pieces, texts, new Map())).toEqual({ text: 'A\nb\nC\nd\ne\nf\n', undecided: 0 });
  });

  it('wait for a decision where they do, and count what both did alike once', () => {
    const texts = textsOf('a\nb\nc\n', 'a\nmine\nc\nend\n', 'a\ntheirs\nc\nend\n');
    const pieces = threeWayPieces(texts);
    expect(pieces.map(({ kind }) => kind)).toEqual(['same', 'clash', 'same', 'both']);
    expect(mergedText(pieces, texts, new Map()).undecided).toBe(1);
  });

  it('cut every line of every text exactly once', () => {
    const words = ['a\n', 'b\n', 'c\n'];
    const random = numbers(7);
    for (let round = 0; round < 300; round += 1) {
      const text = (): string => Array.from({ length: random(8) }, () => words[random(3)] ?? '').join('');
      const texts = textsOf(text(), text(), text());
      const pieces = threeWayPieces(texts);
      for (const side of ['base', 'folder', 'workspace'] as const) {
        let line = 0;
        for (const piece of pieces) {
          expect(piece[side].start).toBe(line);
          line += piece[side].count;
        }
        expect(line).toBe(texts[side].length);
      }
      // One side alone changed it: its text is the result.
      const alone = textsOf(texts.base.join(''), texts.folder.join(''), texts.base.join(''));
      expect(mergedText(threeWayPieces(alone), alone, new Map()).text).toBe(alone.folder.join(''));
    }
  });
});

/** Numbers below a limit, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('what cannot be edited', () => {
  const file = { content: 'text\n' };

  it('is said in words', () => {
    expect(whyNotEdited(file)).toBeNull();
    expect(whyNotEdited({ ...file, encoding: 'base64' })).toMatch(/no text/);
    expect(whyNotEdited({ ...file, content: 'a\0b' })).toMatch(/no text/);
    expect(whyNotEdited({ ...file, content: 'x'.repeat(1_000_001) })).toMatch(/1,000 KB|1\.0 MB|1 MB/);
  });
});
