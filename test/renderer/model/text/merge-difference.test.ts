import { describe, expect, it } from 'vitest';
import { mergeDifference } from '../../../../renderer/model/text/merge-difference.ts';

describe('the merge patch between two objects', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
    [{ a: 1 }, { a: 2, b: 'x' }, { a: 2, b: 'x' }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
    [{ a: [1, null] }, { a: [2, null] }, { a: [2, null] }],
    [{ a: { b: 1 } }, { a: 'text' }, { a: 'text' }],
  ])('of %j to %j is %j', (before, after, patch) => {
    expect(mergeDifference(before, after)).toEqual(patch);
  });

  it.each([
    [{ a: 1 }, { a: null }],
    [{}, { a: { b: null } }],
    [{ a: { b: 1 } }, { a: { b: null } }],
  ])('does not exist if %j becomes %j: null removes a member', (before, after) => {
    expect(mergeDifference(before, after)).toBeNull();
  });
});
