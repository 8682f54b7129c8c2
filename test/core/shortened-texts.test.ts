// Long texts of a payload are shortened wherever they are, and nothing else is changed.
import { expect, it } from 'vitest';
import { shortenedMark, shortenedPayload, shortenedText } from '../../server/core/shortened-texts.ts';

const charactersMax = 1_000;

it('leaves a payload without long texts equal', () => {
  const payload = { path: '/a', data: null, list: [1, true, 'b'.repeat(charactersMax)] };
  expect(shortenedPayload(payload, charactersMax)).toEqual({ payload, shortened: null });
});

it('has a mark by which a shortened text is known', () => {
  const long = 'a'.repeat(30_000);
  expect([shortenedMark.test(shortenedText(long, 12)), shortenedMark.test(long)]).toEqual([true, false]);
});

it('shortens long texts in members and lists, never within a character', () => {
  const smile = '\u{1f600}';
  const payload = { data: { content: `a${smile.repeat(1_000)}` }, list: ['b'.repeat(1_001)] };
  expect(shortenedPayload(payload, charactersMax)).toEqual({
    payload: {
      data: { content: `a${smile.repeat(99)}… [text 1: 2,001 characters, shortened]` },
      list: [`${'b'.repeat(200)}… [text 2: 1,001 characters, shortened]`],
    },
    shortened: '2 long texts',
  });
});
