import { expect, it } from 'vitest';
import { mergePatch } from '../../../server/core/merge/json-merge-patch.ts';

// RFC 7396, appendix A.
it.each<[unknown, unknown, unknown]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ a: 'foo' }, null, null],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with %j is %j', (target, patch, expected) => {
  expect(JSON.parse(JSON.stringify(mergePatch(target, patch)))).toEqual(expected);
});

it('takes a member named __proto__ for what it is', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"x":1}}'));
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"x":1}}');
});
