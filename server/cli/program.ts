// Registers all commands and maps the result of a command to its exit code, with cause and remedy on stderr.
import { Command, CommanderError } from 'commander';
import { MooringError, NoAnswerError } from '../../sdk/index.ts';
import { packageVersion } from '../platform/version.ts';
import { registerBackup } from './commands/backup.ts';
import { registerConflicts } from './commands/conflicts.ts';
import { registerDeadLetters } from './commands/dead-letters.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerExplain } from './commands/explain.ts';
import { registerExport } from './commands/export.ts';
import { registerFork } from './commands/fork.ts';
import { registerHistory } from './commands/history.ts';
import { registerMcp } from './commands/mcp.ts';
import { registerMirror } from './commands/mirror.ts';
import { registerOpen } from './commands/open.ts';
import { registerOpenapi } from './commands/openapi.ts';
import { registerOps } from './commands/ops.ts';
import { registerProvider } from './commands/provider.ts';
import { registerRun } from './commands/run.ts';
import { registerSearch } from './commands/search.ts';
import { registerServe } from './commands/serve.ts';
import { registerStart } from './commands/start.ts';
import { registerStatus } from './commands/status.ts';
import { registerSync } from './commands/sync.ts';
import { registerToken } from './commands/token.ts';
import { registerUndo } from './commands/undo.ts';
import { registerWorkspace } from './commands/workspace.ts';
import { registerWriteback } from './commands/writeback.ts';
import { replaceDeprecatedNames } from './shared/deprecated-names.ts';
import { CommandFailure, type ExitCode, exitCodes } from './shared/failure.ts';
import { note } from './shared/output.ts';

/** In the order of the help. */
const commands: readonly ((program: Command) => void)[] = [
  registerStart,
  registerServe,
  registerStatus,
  registerSync,
  registerWorkspace,
  registerMirror,
  registerConflicts,
  registerExplain,
  registerToken,
  registerMcp,
  registerDeadLetters,
  registerProvider,
  registerWriteback,
  registerOps,
  registerSearch,
  registerExport,
  registerFork,
  registerRun,
  registerHistory,
  registerUndo,
  registerOpen,
  registerBackup,
  registerDoctor,
  registerOpenapi,
];

/** @param args without the interpreter and the script. Resolves with the exit code; never rejects. */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  // A reader may stop early (head, a closed pager), which is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.ok);
  });
  // A failed write to stderr (a full disk, a closed terminal) must not end the agent.
  process.stderr.on('error', () => undefined);
  const current = replaceDeprecatedNames(args);
  for (const hint of current.hints) note(hint);
  try {
    await createProgram().parseAsync([...current.args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error);
  }
}

export function createProgram(): Command {
  const program = new Command('mooring')
    .description('One workspace for people, tools and agents: served on localhost, mirrored to a folder.')
    .version(packageVersion)
    .showHelpAfterError('(See --help.)')
    .exitOverride();
  // Subcommands inherit exitOverride only when they are registered after it.
  for (const register of commands) register(program);
  return program;
}

/** Prints cause and remedy, and maps the error to an exit code. */
function report(error: unknown): ExitCode {
  // Commander has printed its message already. Help and version also end here, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof CommandFailure) {
    note(error.message);
    if (error.remedy !== null) note(error.remedy);
    return error.exitCode;
  }
  if (error instanceof MooringError) {
    note(`The agent refused: ${error.message} (${error.status} ${error.code}).`);
    // A 4xx answer states its full cause. The log has more about a 5xx answer.
    if (error.status >= 500) note(`See correlation id ${error.correlationId} in the agent's log.`);
    return exitCodes.failed;
  }
  if (error instanceof NoAnswerError) {
    note(`No response from the agent: ${error.message}.`);
    note('Check that it is running with "mooring status".');
    return exitCodes.noAgent;
  }
  note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.failed;
}
