import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PayloadText, wholeCharactersMax } from '../../../../renderer/model/inbound/payload-text.ts';
import { runs } from '../../../support/scale.ts';

const long = 'a line of 😀\n'.repeat(wholeCharactersMax);
const lookalike = 'a… [text 1: 5 characters, shortened]';

it('is a JSON object, or says why not', () => {
  const payload = new PayloadText({ path: '/a', data: null });
  expect(payload.text).toBe('{\n  "path": "/a",\n  "data": null\n}');
  expect(payload.note).toBeNull();
  expect(payload.read('{"a":1}')).toEqual({ ok: true, payload: { a: 1 } });
  for (const text of ['[]', 'null', '1', '{', '"a"']) expect(payload.read(text).ok).toBe(false);
  expect([payload.whole(null), payload.whole('{"a":')]).toEqual([payload.text, '{"a":']);
});

it('shows a long text shortened, and replays and copies all of it', () => {
  const value = { path: '/a', data: { content: long, encoding: 'latin1' } };
  const payload = new PayloadText(value);
  expect(payload.text.length).toBeLessThan(1_000);
  expect(payload.text.isWellFormed()).toBe(true);
  expect(payload.note).toBe('1 long text shortened. A replay and Copy use all of it.');
  expect(new PayloadText([long, `${long}!`]).note).toMatch(
    '2 long texts shortened. A replay and Copy use all of them.',
  );
  const edited = payload.text.replace('latin1', 'utf-8');
  const mended = { ...value, data: { content: long, encoding: 'utf-8' } };
  expect(payload.read(edited)).toEqual({ ok: true, payload: mended });
  expect(payload.whole(null)).toBe(JSON.stringify(value, null, 2));
  expect(payload.whole(edited)).toBe(JSON.stringify(mended, null, 2));
  expect(payload.read(payload.text.replace(/"a line.*"/, '"another"'))).toEqual({
    ok: true,
    payload: { ...value, data: { content: 'another', encoding: 'latin1' } },
  });
});

it('takes no shortened text for a text', () => {
  const payload = new PayloadText({ content: long });
  const changed = payload.text.replace('a line', 'a linE');
  const refused = {
    ok: false,
    reason: 'A shortened text was changed. Leave it unchanged or replace all of it.',
  };
  expect(payload.read(changed)).toEqual(refused);
  expect(payload.whole(changed)).toBe(changed);
  // One of another payload, which was open before.
  expect(new PayloadText({ content: 'short' }).read(payload.text)).toEqual(refused);
});

it('is the same payload when nothing is edited', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(long, `${long}!`, lookalike, '__proto__', 'a'.repeat(wholeCharactersMax + 1)),
  );
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text), fc.dictionary(text, text))), (value) => {
      const payload = new PayloadText(value);
      expect(payload.read(payload.text)).toEqual({ ok: true, payload: value });
      expect(payload.whole(payload.text)).toBe(JSON.stringify(value, null, 2));
    }),
    runs(100, 10_000),
  );
});
