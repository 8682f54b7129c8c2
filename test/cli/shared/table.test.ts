// Tables: aligned in every script, within the width, nothing lost but the middle of a path.
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { shortenPath, tableLines, wrapText } from '../../../server/cli/shared/table.ts';

it('aligns columns in every script', () => {
  const names = [
    'github',
    '日本語プロバイダー',
    'مزود',
    'e\u0301te',
    '📁',
    '한국어',
    '한국어'.normalize('NFD'),
  ];
  const lines = tableLines(
    ['PROVIDER', 'STATE'],
    names.map((name) => [name, 'ok']),
    100,
  );
  expect(lines).toEqual([
    'PROVIDER            STATE',
    'github              ok',
    '日本語プロバイダー  ok',
    'مزود                ok',
    'e\u0301te                 ok',
    '📁                  ok',
    '한국어              ok',
    `${'한국어'.normalize('NFD')}              ok`,
  ]);
});

it('prints control characters of a name as text', () => {
  expect(tableLines(['NAME'], [['a\nb\tc\u001b]0;title\u0007']], 100)[1]).toBe(
    'a\\u000ab\\u0009c\\u001b]0;title\\u0007',
  );
});

it('aligns numbers to the right and omits columns without values', () => {
  expect(
    tableLines(
      ['FOLDER', 'CONFLICTS', 'FILES'],
      [
        ['~/a', '', '7'],
        ['~/b', '', '1,200'],
      ],
      100,
    ),
  ).toEqual(['FOLDER  FILES', '~/a         7', '~/b     1,200']);
});

const path = `/folder/inner/${'deep/'.repeat(30)}the-name-of-the-file.md`;
const text = 'The name ends with a space, which Windows does not allow, so it cannot be synced. Rename it.';

it.each([80, 100, 140])('fits %i columns: paths lose their middle, texts no word', (width) => {
  const lines = tableLines(
    ['PATH', 'CAUSE', 'NEXT ATTEMPT'],
    [
      [path, text, '2026-11-23 14:05:09'],
      ['/a.md', 'short', ''],
    ],
    width,
  );
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
  expect(lines[1]).toMatch(/^\/folder.*….*file\.md {2}/);
  const words = lines.slice(1).join(' ').split(/\s+/);
  for (const word of text.split(' ')) expect(words).toContain(word);
});

it.each([40, 60, 80, 100])(
  'never cuts ids in %i columns: rows become blocks where the table does not fit',
  (width) => {
    const id = 'env_0123456789abcdef0123456789abcdef';
    const headings = ['ENVELOPE', 'PROVIDER', 'FAILED', 'ATTEMPTS', 'PATH', 'CAUSE'];
    const failed = '2026-11-23 14:05:09';
    const rows = [
      [id, 'github', failed, '3', path, text],
      [id, 'プロバイダー', failed, '', '/a.md', ''],
    ];
    const lines = tableLines(headings, rows, width);
    expect(lines.filter((line) => line.includes(id))).toHaveLength(2);
    // An id may be longer than a line of the terminal; nothing else is.
    const others = lines.filter((line) => !line.includes(id));
    expect(Math.max(...others.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).toMatch(/^ENVELOPE {2}env_/);
    // One empty line between blocks, and no line for an empty value.
    expect(lines.filter((line) => line === '')).toHaveLength(1);
    expect(lines.slice(lines.indexOf(''))).toHaveLength(5);
  },
);

it('breaks what no column of its own protects, after a sign where there is one', () => {
  const agent = 'a-very-long-agent-name-of-a-script-in-the-european-division-01';
  const scopes = 'relayfile:fs:read:/docs/**, relayfile:fs:write:/docs/**';
  const lines = tableLines(
    ['TOKEN', 'AGENT', 'STATE', 'SCOPES'],
    [['tok_wltkdfukbso9lzql3j7b', agent, 'valid', scopes]],
    80,
  );
  expect(lines[1]).toMatch(/^tok_wltkdfukbso9lzql3j7b {2}a-very-long-agent- +valid {2}relayfile:fs:read:/);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
});

it('shortens by columns, not by characters', () => {
  const wide = `/${'日本語'.repeat(20)}/終わり.md`;
  expect(stringWidth(shortenPath(wide, 30))).toBeLessThanOrEqual(30);
  expect(shortenPath(wide, 30)).toMatch(/…本?.*\/終わり\.md$/);
  expect(shortenPath('/a.md', 30)).toBe('/a.md');
  expect(wrapText('日本語日本語', 4)).toEqual(['日本', '語日', '本語']);
  expect(wrapText(`${'x'.repeat(25)} end`, 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'xxxxx end']);
});

it('prints a second text of a cell below the first', () => {
  const headings = ['TIME', 'PATH', 'SIZE'];
  const rows = [
    ['09:18:26', { text: '/docs/new.md', below: 'from /docs/old.md' }, '2 B'],
    ['09:18:25', '/a.md', ''],
  ];
  expect(tableLines(headings, rows, 100)).toEqual([
    'TIME      PATH               SIZE',
    '09:18:26  /docs/new.md        2 B',
    '          from /docs/old.md',
    '09:18:25  /a.md',
  ]);
  expect(tableLines(headings, rows, 20)).toContain('      from /d…old.md');
});

it('fits the history of long paths with moves and restores in 100 columns as a table', () => {
  const name = `/docs/${'quarterly-reports-of-the-division/'.repeat(3)}final-version`;
  const row = (action: string) => [
    '2026-11-27 09:18:26',
    'rev_12345',
    'batch_12345',
    'a-very-long-agent-name-of-a-script',
    action,
    '20.0 KiB',
    { text: `${name}-2.md`, below: `from ${name}.md` },
  ];
  const lines = tableLines(
    ['TIME', 'REVISION', 'BATCH', 'CHANGED BY', 'ACTION', 'SIZE', 'PATH'],
    [row('move'), row('restored rev_12344')],
    100,
  );
  expect(lines[0]).toMatch(/^TIME .* PATH$/);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(100);
});
