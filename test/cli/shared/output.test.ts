// Output of names with control characters and wide characters.
import { expect, it } from 'vitest';
import { tableLines, visible } from '../../../server/cli/shared/output.ts';

it('prints an escape sequence in a name as text', () => {
  expect(visible('/a/\u001b[31mred\u009b2J\u0007\r\n\tend')).toBe(
    '/a/\\u001b[31mred\\u009b2J\\u0007\\u000d\n\tend',
  );
  expect(tableLines([['NAME'], ['a\nb\tc\u001b]0;title\u0007']])[1]).toBe(
    'a\\u000ab\\u0009c\\u001b]0;title\\u0007',
  );
});

it('aligns columns in every script', () => {
  const names = ['github', '日本語プロバイダー', 'مزود', 'e\u0301te', '📁', '한국어'];
  const lines = tableLines([['PROVIDER', 'DEAD'], ...names.map((name) => [name, '1'])]);
  expect(lines).toEqual([
    'PROVIDER            DEAD',
    'github              1',
    '日本語プロバイダー  1',
    'مزود                1',
    'e\u0301te                 1',
    '📁                  1',
    '한국어              1',
  ]);
});
