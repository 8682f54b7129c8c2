// Words that are commands or options are refused where a name or a value is expected, before an agent is called.
import { afterEach, expect, it, vi } from 'vitest';
import { createProgram, runProgram } from '../../server/cli/program.ts';
import { suggestedCommands } from '../../server/cli/shared/other-tools-words.ts';
import { tempFolder } from '../support/temp-folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
  // Each command listens for the end of its reader.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
});

async function run(args: readonly string[]): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  return { code: await runProgram([...args, '--data-dir', tempFolder('mooring-data')]), stderr };
}

it.each([
  [['provider', 'add', 'help'], '"help" is a command. For help run "mooring provider add --help"'],
  [['provider', 'add', 'list'], '"list" is a command'],
  [
    ['provider', 'add', '--url', '--secret-file', 'x'],
    '"--secret-file" is an option, and a value is missing',
  ],
  [['workspace', 'rename', 'notes', 'help'], '"help" is a command'],
  [['workspace', 'create', '--name', '--mirror', 'x'], '"--mirror" is an option'],
  [['workspace', 'create', '--name', 'list'], '"list" is a command'],
  [['workspace', 'create', '--name', '--bogus'], 'written like an option'],
  [['token', 'create', '--agent', 'help'], '"help" is a command'],
  [['fork', 'create', 'list'], '"list" is a command'],
  [['start', 'status'], 'For a folder of that name pass ./status'],
  [['backup', 'help'], '"help" is a command'],
  [
    ['workspace', 'help', 'bogus'],
    '"bogus" is not a command.\nList the commands with "mooring workspace --help"',
  ],
  [['help', 'bogus'], '"bogus" is not a command'],
  [['help', 'provider', 'bogus'], '"bogus" is not a command'],
  [['xyzzy'], 'Unknown command \'xyzzy\'.\nSee "mooring --help"'],
  [['provider', 'bogus'], 'Unknown command \'bogus\'.\nSee "mooring provider --help"'],
  [['status', 'bogus'], 'Too many arguments'],
  [['staus'], "Unknown command 'staus'. Did you mean status?"],
  [['provider', 'ad'], "Unknown command 'ad'. Did you mean add?"],
  [['status', '--jsno'], "Unknown option '--jsno'. Did you mean --json?"],
  [['history'], "Unknown command 'history'. Did you mean log?"],
  [['diff', '/a.md'], "Unknown command 'diff'. Did you mean show --diff?"],
  [['version'], "Unknown command 'version'. Did you mean --version?"],
  [['workspace', 'add', 'x'], "Unknown command 'add'. Did you mean create?"],
  [['provider', 'delete', 'x'], "Unknown command 'delete'. Did you mean remove?"],
  [['token', 'rm', 'x'], "Unknown command 'rm'. Did you mean revoke?"],
  [['help', 'history'], '"history" is not a command. Did you mean log?'],
  [['help', 'provder'], '"provder" is not a command. Did you mean provider?'],
  [['provider', 'help', 'ad'], 'Did you mean add?\nList the commands with "mooring provider --help"'],
  [['run', 'npm', 'test'], 'To run it as a program: mooring run -- npm'],
  [['run', 'lst'], '"lst" is not a command of "mooring run". Did you mean list?'],
  [['workspace', 'create', '--name', ' '], 'Enter a name'],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it.each(suggestedCommands)('suggests %s, which exists', (suggested) => {
  const program = createProgram();
  const [name = '', second] = suggested.split(' ');
  const command = program.commands.find((each) => each.name() === name);
  if (name.startsWith('-')) expect(program.options.map(({ long }) => long)).toContain(name);
  else if (second?.startsWith('-')) expect(command?.options.map(({ long }) => long)).toContain(second);
  else if (second === undefined) expect(command).toBeDefined();
  else expect(command?.commands.map((each) => each.name())).toContain(second);
});

it('prints the help of a verb', async () => {
  let stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  for (const args of [
    ['help', 'provider', 'add'],
    ['provider', 'help', 'add'],
  ]) {
    stdout = '';
    expect(await runProgram(args)).toBe(0);
    expect(stdout).toMatch(/^Usage: mooring provider add [\s\S]*Example:\n {2}mooring provider add github/);
  }
});

it('allows an existing name that is a command word, so that it can be removed', async () => {
  // 5: the arguments are valid, and no agent is running.
  expect(await run(['provider', 'remove', 'help', '--yes'])).toMatchObject({ code: 5 });
  expect(await run(['log', '/help'])).toMatchObject({ code: 5 });
});

// `Date.parse` takes each of these for a day of 2001 or of another month, and an undo since then would take back everything.
it.each(['10', '5', 'foo 1', '10M', '1.5h', '2026-02-31', '20261120', '2026-11-20T25:00', 'yesterday'])(
  'refuses %j as a time',
  async (time) => {
    for (const args of [
      ['undo', '--since', time],
      ['restore', '/', '--at', time],
      ['logs', '--since', time],
    ])
      expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('Enter a time') });
  },
);

it.each([
  '10m',
  '2026-11-20',
  '2026-11-20T15:00',
  '2026-11-20 15:00:09',
  '2026-11-20 15:00:09Z',
  '2026-11-20T15:00:00.5+01:00',
])('takes %j for a time', async (time) => {
  expect(await run(['undo', '--since', time])).toMatchObject({ code: 5 });
});
