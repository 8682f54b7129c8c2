// Words that are commands or options are refused where a name or a value is expected, before an agent is called.
import { afterEach, expect, it, vi } from 'vitest';
import { runProgram } from '../../server/cli/program.ts';
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
  [['bogus'], "unknown command 'bogus'"],
  [['provider', 'bogus'], "unknown command 'bogus'"],
  [['status', 'bogus'], 'too many arguments'],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
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
