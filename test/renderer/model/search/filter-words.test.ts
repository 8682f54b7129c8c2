import { expect, it } from 'vitest';
import { filterWords } from '../../../../renderer/model/search/filter-words.ts';

const workspaces = [
  { workspaceId: 'rw_1', name: 'product-docs' },
  { workspaceId: 'rw_2', name: 'Support Desk' },
];
const read = (text: string, options = {}) => {
  const { q, filters } = filterWords(text, workspaces, options);
  return { q, ...filters };
};

it('filters are taken out of the words wherever they are', () => {
  expect(read('type:json path:notion fee in:product-docs after:2026-11-01 "exact words"')).toEqual({
    q: 'fee "exact words"',
    glob: '*.json',
    folder: '/notion',
    workspaceId: 'rw_1',
    changed: '2026-11-01',
  });
  expect(read('fee in:"support desk" glob:guides/*.md changed:week')).toEqual({
    q: 'fee ',
    workspaceId: 'rw_2',
    glob: 'guides/*.md',
    changed: 'week',
  });
});

it('what is quoted, unknown, empty or not valid stays text', () => {
  const texts = [
    '"type:json"',
    '"a type:json',
    'in:nowhere',
    'after:2026-13-01',
    'after:yesterday',
    'changed:toString',
    'type:',
    'http://a:8080',
    'type:*',
    ' a  b ',
  ];
  for (const text of texts) expect(read(text)).toEqual({ q: text });
});

it('while it is typed, the last word stays text until a space follows; the later of two filters counts', () => {
  expect(read('fee type:js', { whileTyping: true })).toEqual({ q: 'fee type:js' });
  expect(read('fee type:js ', { whileTyping: true })).toEqual({ q: 'fee ', glob: '*.js' });
  const { words, filters } = filterWords('type:js type:md', workspaces);
  expect([words, filters]).toEqual([['type:md'], { glob: '*.md' }]);
});
