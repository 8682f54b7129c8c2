// Completion as a person uses it: a real shell in a terminal, keys with Tab, a real agent. What the shell then passes to `mooring` is
// compared, so that quotes count too. A missing shell, or a missing terminal (`script`), is skipped with a reason.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Shell, shells } from '../../server/cli/shared/completion-scripts.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

const fish: Shell = 'fish';

/** In each shell: the prompt says that it waits for keys, and `mooring` stores its arguments unless it completes. */
const startFiles: Readonly<Record<Shell, (call: string, at: string) => string>> = {
  bash: (call, at) => `
PROMPT_COMMAND='touch ${at}/ready'
mooring() { if [[ $1 == __complete ]]; then ${call} "$@"; else printf '%s\\n' "$@" > ${at}/part && mv ${at}/part ${at}/words; fi; }
source ${at}/completion.bash`,
  zsh: (call, at) => `
autoload -Uz compinit && compinit -u -d ${at}/dump
precmd() { touch ${at}/ready }
mooring() { if [[ $1 == __complete ]]; then ${call} "$@"; else print -rl -- "$@" > ${at}/part && mv ${at}/part ${at}/words; fi }
source ${at}/completion.zsh`,
  fish: (call, at) => `
function fish_prompt; touch ${at}/ready; echo '> '; end
function mooring
  if test "$argv[1]" = __complete
    ${call} $argv
  else
    printf '%s\\n' $argv > ${at}/part; and mv ${at}/part ${at}/words
  end
end
source ${at}/completion.fish`,
};

const commands: Readonly<Record<Shell, (at: string) => string>> = {
  bash: (at) => `bash --noprofile --rcfile ${at}/start -i`,
  zsh: () => 'zsh -d -i',
  fish: (at) => `fish --no-config -i -C 'source ${at}/start'`,
};

async function terminal(shell: Shell, dataDir: string) {
  const at = tempFolder(`mooring-${shell}`);
  const script = await mooring(['completion', shell], { dataDir });
  writeFileSync(path.join(at, `completion.${shell}`), script.stdout);
  const start = path.join(at, shell === 'zsh' ? '.zshrc' : 'start');
  writeFileSync(start, startFiles[shell](`${process.execPath} ${program}`, at));
  const env = { ...process.env, HOME: at, ZDOTDIR: at, XDG_CONFIG_HOME: at, XDG_DATA_HOME: at };
  const running: ChildProcess = spawn('script', ['-qfec', commands[shell](at), '/dev/null'], {
    env: { ...env, TERM: 'xterm', MOORING_DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let screen = '';
  running.stdout?.on('data', (bytes: Buffer) => {
    screen += bytes.toString('utf8');
  });
  const ready = path.join(at, 'ready');
  const words = path.join(at, 'words');
  return {
    /** The arguments that `mooring` gets after these keys and Enter. */
    async typed(keys: string): Promise<readonly string[]> {
      await waitFor(`the prompt of ${shell}`, () => existsSync(ready), { deadlineMs: 90_000 });
      rmSync(ready);
      running.stdin?.write(`mooring ${keys}\r`);
      await waitFor(`the words of ${keys}`, () => existsSync(words), { deadlineMs: 90_000 }).catch(
        (error: unknown) => {
          throw new Error(`after ${JSON.stringify(keys)} the screen is ${JSON.stringify(screen)}`, {
            cause: error,
          });
        },
      );
      const list = readFileSync(words, 'utf8').split('\n').slice(0, -1);
      rmSync(words);
      return list;
    },
    async end(): Promise<void> {
      const ended = once(running, 'exit');
      running.stdin?.write('exit\r');
      running.stdin?.end();
      await ended;
    },
  };
}

/** `script` of util-linux gives a program a terminal. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
if (!hasTerminal) process.stderr.write('skipped: there is no `script` of util-linux, so no terminal\n');

it.each(shells)('%s completes commands, options, names, ids and paths', async (shell) => {
  const isThere = spawnSync(shell === 'fish' ? fish : shell, ['--version']).error === undefined;
  if (!hasTerminal || !isThere) {
    process.stderr.write(`skipped: ${shell} or a terminal is missing, so it is not typed into\n`);
    return;
  }
  const agent = await startAgent();
  const owner = ownerClient(agent);
  const { workspaceId } = await freshWorkspace(agent, 'my papers');
  const gone = await owner.workspaces.create({ name: 'old notes' });
  await owner.workspaces.remove(gone.workspaceId);
  await owner.workspaces.create({ name: 'notes' });
  await owner.providers.add(workspaceId, { provider: 'github', kind: 'external' });
  await owner.writeFile(workspaceId, '/docs/the plan.md', 'x');
  const { runId } = await owner.runs.create(workspaceId, { name: 'tidy up' });

  const { typed, end } = await terminal(shell, agent.dataDir);
  expect(await typed('prov\tlis\t--works\tmy\t--js\t')).toEqual([
    'provider',
    'list',
    '--workspace',
    'my papers',
    '--json',
  ]);
  expect(await typed('run show run_\t')).toEqual(['run', 'show', runId]);
  expect(await typed("log --workspace 'my papers' /do\tthe\t")).toEqual([
    'log',
    '--workspace',
    'my papers',
    '/docs/the plan.md',
  ]);
  expect(await typed('provider pause git\t')).toEqual(['provider', 'pause', 'github']);
  expect(await typed('workspace restore ol\t')).toEqual(['workspace', 'restore', 'old notes']);
  expect(await typed('mirror add --mode=to-f\t')).toEqual(['mirror', 'add', '--mode=to-folder']);
  expect(await typed('config set historyD\t60')).toEqual(['config', 'set', 'historyDays', '60']);
  await end();
});
