// Registers all commands and maps the result of a command to its exit code, with cause and remedy on stderr.
import { Command, CommanderError } from 'commander';
import { InvalidArgumentError, MooringError, NoAnswerError } from '../../sdk/index.ts';
import { packageVersion } from '../platform/version.ts';
import { registerBackup } from './commands/backup.ts';
import { registerBrowser } from './commands/browser.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerConfig } from './commands/config.ts';
import { registerConflicts } from './commands/conflicts.ts';
import { registerDeadLetters } from './commands/dead-letters.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerExplain } from './commands/explain.ts';
import { registerExport } from './commands/export.ts';
import { registerFork } from './commands/fork.ts';
import { registerHistory } from './commands/history.ts';
import { registerHub } from './commands/hub.ts';
import { registerImport } from './commands/import.ts';
import { registerLogs } from './commands/logs.ts';
import { registerMcp } from './commands/mcp.ts';
import { registerMirror } from './commands/mirror.ts';
import { registerOpen } from './commands/open.ts';
import { registerOpenapi } from './commands/openapi.ts';
import { registerOps } from './commands/ops.ts';
import { registerProvider } from './commands/provider.ts';
import { registerRemote } from './commands/remote.ts';
import { registerRun } from './commands/run.ts';
import { withRunVerb } from './commands/run-command.ts';
import { registerSearch } from './commands/search.ts';
import { registerServe } from './commands/serve.ts';
import { registerStart } from './commands/start.ts';
import { registerStatus } from './commands/status.ts';
import { registerStop } from './commands/stop.ts';
import { registerSync } from './commands/sync.ts';
import { registerToken } from './commands/token.ts';
import { registerUndo } from './commands/undo.ts';
import { registerWorkspace } from './commands/workspace.ts';
import { registerWriteback } from './commands/writeback.ts';
import { replaceDeprecatedNames } from './shared/deprecated-names.ts';
import { displayWidth, setDisplay } from './shared/display.ts';
import { addExamples } from './shared/examples.ts';
import {
  CommandFailure,
  exitCodeMeanings,
  exitCodes,
  failure,
  ProgramExit,
  usageError,
} from './shared/failure.ts';
import { expandHelp } from './shared/help-words.ts';
import { refuseMistakenWords } from './shared/mistaken-words.ts';
import { note } from './shared/output.ts';
import { refusal } from './shared/refusal-text.ts';
import { isSystemError, systemErrorRemedy, systemErrorText } from './shared/system-errors.ts';
import { reportUsageErrors } from './shared/usage-errors.ts';

type Register = (program: Command) => void;

/** In the order of the help. */
const groups: readonly (readonly [heading: string, commands: readonly Register[]])[] = [
  [
    'Agent',
    [
      registerStart,
      registerServe,
      registerStop,
      registerStatus,
      registerOpen,
      registerConfig,
      registerDoctor,
      registerLogs,
    ],
  ],
  [
    'Workspaces, mirrors and remotes',
    [registerWorkspace, registerMirror, registerRemote, registerSync, registerConflicts, registerExplain],
  ],
  ['Files and history', [registerSearch, registerHistory, registerUndo]],
  ['Staged work', [registerRun, registerFork]],
  ['Copies', [registerExport, registerImport, registerBackup]],
  ['Access', [registerToken, registerBrowser, registerMcp]],
  ['Hub', [registerHub]],
  ['Providers', [registerProvider, registerWriteback, registerOps, registerDeadLetters]],
  ['Other', [registerOpenapi, registerCompletion]],
];

/** @param args without the interpreter and the script. Resolves with the exit code; never rejects. */
export async function runProgram(args: readonly string[]): Promise<number> {
  // A reader may stop early (head, a closed pager), which is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.ok);
  });
  // A failed write to stderr (a full disk, a closed terminal) must not end the agent.
  process.stderr.on('error', () => undefined);
  // Until the options are read: an error in them has no colours either.
  setDisplay({ color: !args.includes('--no-color') });
  const current = replaceDeprecatedNames(args);
  for (const hint of current.hints) note(hint);
  let command: Command | null = null;
  try {
    const program = createProgram();
    program.hook('preAction', (_program, action) => {
      command = action;
    });
    await program.parseAsync(expandHelp(program, withRunVerb(current.args)), { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error, command);
  }
}

export function createProgram(): Command {
  const program = new Command('mooring')
    .description('One workspace for people, tools and agents: served on localhost, mirrored to a folder.')
    .version(packageVersion, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--no-color', 'print without colours (as does NO_COLOR=1)')
    .option('--utc', 'print times in UTC')
    .configureHelp({ showGlobalOptions: true, helpWidth: displayWidth() })
    .hook('preAction', (_program, command) => setDisplay(command.optsWithGlobals()))
    .exitOverride();
  // Subcommands inherit exitOverride only when they are registered after it.
  for (const [heading, commands] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const register of commands) register(program);
  }
  for (const group of [program, ...program.commands])
    if (group.commands.length > 0 && group.registeredArguments.length === 0)
      group.helpCommand('help [COMMAND]', 'explain a command');
  const codes = Object.entries(exitCodeMeanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  program.addHelpText('after', `\nExit codes:\n${codes.join('\n')}`);
  refuseMistakenWords(program);
  reportUsageErrors(program);
  addExamples(program);
  return program;
}

/** Prints cause and remedy, and maps the error to an exit code. */
function report(error: unknown, command: Command | null): number {
  if (error instanceof ProgramExit) return error.exitCode;
  // Commander has printed its message already. Help and version also end here, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const failed = failureOf(error, command);
  if (failed === null) {
    note(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return exitCodes.failed;
  }
  note(failed.message, 'red');
  if (failed.remedy !== null) note(failed.remedy);
  return failed.exitCode;
}

/** null: a defect of this program. */
function failureOf(error: unknown, command: Command | null): CommandFailure | null {
  if (error instanceof CommandFailure) return error;
  if (error instanceof MooringError) return refusal(error, command);
  if (error instanceof NoAnswerError)
    return new CommandFailure(
      exitCodes.noAgent,
      `No response from the agent: ${error.message}.`,
      'Check that it is running with "mooring status".',
    );
  if (error instanceof InvalidArgumentError) return usageError(`Invalid argument: ${error.message}.`);
  if (!isSystemError(error)) return null;
  const file = error.path ?? error.syscall ?? '';
  return failure(`Cannot access ${file}: ${systemErrorText(error)}.`, systemErrorRemedy(error));
}
