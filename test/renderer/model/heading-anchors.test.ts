import { expect, it } from 'vitest';
import { anchorIn, headingAnchors } from '../../../renderer/model/viewers/heading-anchors.ts';

it('headings are named as on GitHub', () => {
  expect(
    headingAnchors(['The Plan', 'What’s next?', 'a_b - c', 'Über uns', 'The plan', 'The plan', '日本', '!']),
  ).toEqual(['the-plan', 'whats-next', 'a_b---c', 'über-uns', 'the-plan-1', 'the-plan-2', '日本', '']);
});

it('a number never takes the name of another heading', () => {
  expect(headingAnchors(['a', 'a-1', 'a', 'a'])).toEqual(['a', 'a-1', 'a-2', 'a-3']);
});

it.each([
  ['#the-plan', 'the-plan'],
  ['#%C3%9Cber', 'über'],
  ['#The-Plan', 'the-plan'],
  ['#', null],
  ['#%', null],
  ['a.md#b', null],
])('%s asks for %s', (address, name) => {
  expect(anchorIn(address)).toBe(name);
});
