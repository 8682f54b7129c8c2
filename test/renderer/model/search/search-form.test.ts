import { expect, it } from 'vitest';
import {
  contentRequest,
  hasFilters,
  nameRequest,
  optionsOf,
  type SearchForm,
} from '../../../../renderer/model/search/search-form.ts';

const form: SearchForm = {
  q: '',
  kind: 'all',
  workspaceId: null,
  folder: '',
  glob: '',
  changed: 'any',
  caseSensitive: false,
};

it('a word is found by its beginning while it is typed, and not when it is quoted', () => {
  const q = (text: string) => contentRequest({ ...form, kind: 'words', q: text })?.q;
  expect(q('harbour mas')).toBe('harbour mas*');
  expect(q('"harbour master"')).toBe('"harbour master"');
  expect(q('"harbour mas')).toBe('"harbour mas');
  expect(q('harbour mas*')).toBe('harbour mas*');
  expect(q('ende ')).toBe('ende*');
});

it('All searches names and words; what has no word is searched as it is written', () => {
  const all = { ...form, q: '=> "a"' };
  expect(nameRequest(all)).toMatchObject({ mode: 'name', q: '=>  a' });
  expect(contentRequest({ ...form, q: '=>' })).toMatchObject({ mode: 'literal', q: '=>' });
  expect(contentRequest({ ...form, q: 'fee' })).toMatchObject({ mode: 'text' });
  expect(contentRequest({ ...form, kind: 'regex', q: '^a' })).toMatchObject({ mode: 'regex', q: '^a' });
  expect(contentRequest({ ...form, kind: 'exact', q: ' a ' })).toMatchObject({ mode: 'literal', q: ' a ' });
  expect(contentRequest({ ...form, kind: 'names', q: 'a' })).toBeNull();
  expect(nameRequest({ ...form, kind: 'words', q: 'a' })).toBeNull();
  expect([nameRequest(form), contentRequest(form)]).toEqual([null, null]);
});

it('filters are options of the request, at the time of the search', () => {
  const request = contentRequest({ ...form, q: 'fee', folder: 'docs', glob: '*.md', changed: 'hour' });
  if (request === null) throw new Error('no request');
  expect(optionsOf(request, 3_600_000)).toEqual({
    mode: 'text',
    path: '/docs',
    glob: '*.md',
    caseSensitive: false,
    changedSince: new Date(0),
  });
  expect(hasFilters(form)).toBe(false);
  expect(hasFilters({ ...form, changed: 'day' })).toBe(true);
});
