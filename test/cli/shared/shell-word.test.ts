// A suggested command can be pasted: a real shell reads each word as it was.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../../server/cli/shared/shell-word.ts';

it.each([
  'notes',
  '日本語のメモ',
  'my papers',
  "it's",
  '$HOME',
  '`id`',
  '"quoted"',
  'a!b',
  'a\\b',
  '',
  '-x',
  '*.md',
  'a;b',
])('the word %j', (text) => {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s' ${shellWord(text, 'linux')}`], { encoding: 'utf8' });
  expect(stdout).toBe(text);
});

it('has quotes only if it needs them, and those of cmd.exe on Windows', () => {
  expect(shellWord('日本語のメモ', 'linux')).toBe('日本語のメモ');
  expect(shellWord('my papers', 'linux')).toBe("'my papers'");
  expect(shellWord('my papers', 'win32')).toBe('"my papers"');
});
