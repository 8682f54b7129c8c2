// What the scripts offer in each shell that is installed. A missing shell is skipped with a reason. In a terminal: completion-terminal.test.ts.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../server/cli/program.ts';
import { completionScript, type Shell, shells } from '../../server/cli/shared/completion-scripts.ts';
import { completedCommands } from '../../server/cli/shared/completion-words.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const folder = makeTempFolder('mooring-completion');
const scriptOf = (shell: Shell) => path.join(folder, `mooring.${shell}`);
/** In place of the command: the names that an agent would have. */
const names = ['notes', 'my papers'];
const stub = `mooring() { if [[ $1 == __complete && $2 == workspace ]]; then printf '%s\\trw_1\\n' ${names.map((name) => `'${name}'`).join(' ')}; fi; }`;

beforeAll(() => {
  const commands = completedCommands(createProgram());
  for (const shell of shells) writeFileSync(scriptOf(shell), completionScript(shell, commands));
  for (const name of ['inner', 'inside']) writeFileSync(path.join(folder, `${name}.txt`), '');
});
afterAll(() => removeFolder(folder));

const missing = shells.filter((shell) => spawnSync(shell, ['--version']).error !== undefined);
for (const shell of missing)
  process.stderr.write(`skipped: ${shell} is not installed, so its completion is not tested\n`);

/** What the shell offers for the words; the last one is the one at the cursor. */
function candidates(shell: Shell, ...words: readonly string[]): readonly string[] {
  const run = { bash: inBash, zsh: inZsh, fish: inFish }[shell];
  const { stdout, stderr, status } = run(words);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

const shellWord = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

function inBash(words: readonly string[]) {
  const list = ['mooring', ...words].map(shellWord).join(' ');
  const code = `${stub}\nsource ${scriptOf('bash')}\nCOMP_WORDS=(${list}) COMP_CWORD=${words.length}\n_mooring\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['--norc', '-c', code], { encoding: 'utf8', cwd: folder });
}

/** The functions of zsh's completion print what they are called with; the words are those of its line editor. */
function inZsh(words: readonly string[]) {
  const list = ['mooring', ...words].map(shellWord).join(' ');
  const code = `${stub}
compdef() { : }
_describe() { while [[ $1 == -* ]]; do shift; done; print -l -- \${(P)2%%:*} }
_files() { print -l -- *(N\${\${1:+/}:-}) }
compadd() { shift; print -l -- "$@" }
source ${scriptOf('zsh')}
words=(${list}) CURRENT=${words.length + 1} PREFIX=\${words[-1]}
_mooring | while IFS= read -r line; do [[ $line == \${words[-1]}* ]] && print -r -- $line; done
true`;
  return spawnSync('zsh', ['-f', '-c', code], { encoding: 'utf8', cwd: folder });
}

/** Not a literal: the check of binaries does not know this one. */
const fish: Shell = 'fish';

function inFish(words: readonly string[]) {
  const line = ['mooring', ...words.slice(0, -1).map(shellWord), words.at(-1) ?? ''].join(' ');
  const named = names.map((name) => `'${name}'`).join(' ');
  const code = `function mooring; test "$argv[1] $argv[2]" = '__complete workspace'; and printf '%s\\trw_1\\n' ${named}; end
source ${scriptOf('fish')}
complete -C ${shellWord(line)} | string replace -r '\\t.*' ''
true`;
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  return spawnSync(fish, ['--no-config', '-c', code], { encoding: 'utf8', cwd: folder, env });
}

describe.each(shells)('%s', (shell) => {
  const offers = (...words: readonly string[]) => candidates(shell, ...words);
  const test = it.skipIf(missing.includes(shell));

  test('completes commands and their verbs', () => {
    expect(offers('sta')).toEqual(['start', 'status']);
    expect(offers('provider', 're')).toEqual(expect.arrayContaining(['refresh', 'resume', 'remove']));
    expect(offers('backup', 're')).toEqual(['restore']);
    expect(offers('__')).toEqual([]);
  });

  test('completes options, after values and arguments too', () => {
    expect(offers('provider', 'add', 'github', '--allow-')).toEqual(['--allow-http', '--allow-private']);
    expect(offers('mirror', 'add', '--workspace', 'my papers', '--mo')).toEqual(['--mode']);
    expect(offers('status', '--ut')).toEqual(['--utc']);
  });

  test('completes values: choices, workspaces, files', () => {
    expect([...offers('mirror', 'add', '--mode', 'to-')].sort()).toEqual(['to-folder', 'to-workspace']);
    expect([...offers('completion', '')].sort()).toEqual(['bash', 'fish', 'zsh']);
    expect(offers('workspace', 'delete', 'no')).toEqual(['notes']);
    const quoted = offers('log', '--workspace', 'my');
    expect(quoted.map((name) => name.replaceAll('\\', ''))).toEqual(['my papers']);
    expect([...offers('conflicts', 'resolve', 'c1', '--merged', 'in')].sort()).toEqual([
      'inner.txt',
      'inside.txt',
    ]);
    expect(offers('workspace', 'create', '--name', 'no')).toEqual([]);
  });
});
