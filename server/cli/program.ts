// Registers all commands and maps the result of a command to its exit code, with cause and remedy on stderr.
import { Command, CommanderError } from 'commander';
import { MooringError, NoAnswerError } from '../../sdk/index.ts';
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
import { CommandFailure, exitCodeMeanings, exitCodes, ProgramExit } from './shared/failure.ts';
import { expandHelp } from './shared/help-words.ts';
import { refuseMistakenWords } from './shared/mistaken-words.ts';
import { note } from './shared/output.ts';

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
  try {
    const program = createProgram();
    await program.parseAsync(expandHelp(program, withRunVerb(current.args)), { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error);
  }
}

export function createProgram(): Command {
  const program = new Command('mooring')
    .description('One workspace for people, tools and agents: served on localhost, mirrored to a folder.')
    .version(packageVersion)
    .option('--no-color', 'print without colours (as does NO_COLOR=1)')
    .option('--utc', 'print times in UTC')
    .configureHelp({ showGlobalOptions: true, helpWidth: displayWidth() })
    .showHelpAfterError('(See --help.)')
    .hook('preAction', (_program, command) => setDisplay(command.optsWithGlobals()))
    .exitOverride();
  // Subcommands inherit exitOverride only when they are registered after it.
  for (const [heading, commands] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const register of commands) register(program);
  }
  program.helpCommand('help [COMMAND]', 'explain a command');
  const codes = Object.entries(exitCodeMeanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  program.addHelpText('after', `\nExit codes:\n${codes.join('\n')}`);
  refuseMistakenWords(program);
  addExamples(program);
  return program;
}

/** What to do after a refusal, by its HTTP status. */
const remedies: Readonly<Record<number, string>> = {
  401: 'The agent has another owner token than this data directory: restart it, or pass its --data-dir.',
  403: 'Use an account or a setting that allows it: see the help of the command.',
  404: 'Check the path, id or name, and --workspace.',
  409: 'Read the current state, and repeat the command if it still applies.',
  413: 'Split it, or raise the limit that the message names.',
  429: 'Wait a moment and repeat the command.',
};

/** Prints cause and remedy, and maps the error to an exit code. */
function report(error: unknown): number {
  if (error instanceof ProgramExit) return error.exitCode;
  // Commander has printed its message already. Help and version also end here, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof CommandFailure) {
    note(error.message, 'red');
    if (error.remedy !== null) note(error.remedy);
    return error.exitCode;
  }
  if (error instanceof MooringError) {
    note(`The agent refused: ${error.message} (${error.status} ${error.code}).`, 'red');
    // A 4xx answer states its full cause. The log has more about a 5xx answer.
    const remedy =
      error.status >= 500
        ? `See its cause with "mooring logs --correlation-id ${error.correlationId}".`
        : remedies[error.status];
    if (remedy !== undefined) note(remedy);
    return exitCodes.failed;
  }
  if (error instanceof NoAnswerError) {
    note(`No response from the agent: ${error.message}.`, 'red');
    note('Check that it is running with "mooring status".');
    return exitCodes.noAgent;
  }
  note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.failed;
}
