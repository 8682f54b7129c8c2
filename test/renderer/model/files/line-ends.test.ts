// Editing in the UI must not change the line ends of untouched lines.
import { describe, expect, it } from 'vitest';
import { forField, fromField } from '../../../../renderer/model/files/line-ends.ts';

describe('line ends', () => {
  it.each(['', 'a', 'a\nb\n', 'a\r\nb\r\n', 'a\rb', 'a\r\n\r\nb\nc', '\r\n', 'a\r\nb\nc\r'])(
    'of %j are unchanged without an edit',
    (content) => expect(fromField(content, forField(content))).toBe(content),
  );

  it('stay with their lines, and new lines get the most frequent one', () => {
    const mixed = 'one\r\ntwo\nthree\r\nfour\r\n';
    expect(forField(mixed)).toBe('one\ntwo\nthree\nfour\n');
    expect(fromField(mixed, 'one\nnew\ntwo\nthree\nfour\n')).toBe('one\r\nnew\r\ntwo\nthree\r\nfour\r\n');
    expect(fromField(mixed, 'two\nthree!\nfour')).toBe('two\nthree!\r\nfour');
  });

  it('are added to a last line without one', () => {
    expect(fromField('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc');
  });
});
