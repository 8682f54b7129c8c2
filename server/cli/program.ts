// All commands in one program, and how each of them ends: the exit code, and cause and remedy on stderr.
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
import { registerMirror } from './commands/mirror.ts';
import { registerOpen } from './commands/open.ts';
import { registerOpenapi } from './commands/openapi.ts';
import { registerOps } from './commands/ops.ts';
import { registerProvider } from './commands/provider.ts';
import { registerServe } from './commands/serve.ts';
import { registerStart } from './commands/start.ts';
import { registerStatus } from './commands/status.ts';
import { registerSync } from './commands/sync.ts';
import { registerToken } from './commands/token.ts';
import { registerWorkspace } from './commands/workspace.ts';
import { registerWriteback } from './commands/writeback.ts';
import { CommandFailure, type ExitCode, exitCodes } from './shared/failure.ts';
import { note } from './shared/output.ts';

/** @param args without the interpreter and the script. Resolves with the exit code; never rejects. */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  const program = new Command('mooring')
    .description('One workspace for people, tools and agents: served on localhost, mirrored to a folder.')
    .version(packageVersion)
    .showHelpAfterError('(See --help.)')
    .exitOverride();
  // Registered after exitOverride: subcommands inherit it.
  registerStart(program);
  registerServe(program);
  registerStatus(program);
  registerSync(program);
  registerWorkspace(program);
  registerMirror(program);
  registerConflicts(program);
  registerExplain(program);
  registerToken(program);
  registerDeadLetters(program);
  registerProvider(program);
  registerWriteback(program);
  registerOps(program);
  registerExport(program);
  registerFork(program);
  registerHistory(program);
  registerOpen(program);
  registerBackup(program);
  registerDoctor(program);
  registerOpenapi(program);
  // Whoever reads the output may stop reading (head, a closed pager): that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.ok);
  });
  // Notes that nobody can read (a full disk, a terminal that is gone) end no agent.
  process.stderr.on('error', () => undefined);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): ExitCode {
  // Commander has printed its message; help and version come here, too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof CommandFailure) {
    note(error.message);
    if (error.remedy !== null) note(error.remedy);
    return error.exitCode;
  }
  if (error instanceof MooringError) {
    note(`The agent refused: ${error.message} (${error.status} ${error.code}).`);
    // A refusal is no fault: the log knows no more of it than its words say.
    if (error.status >= 500) note(`Its log tells more under the correlation id ${error.correlationId}.`);
    return exitCodes.failed;
  }
  if (error instanceof NoAnswerError) {
    note(`The agent does not answer: ${error.message}.`);
    note('See whether it still runs with "mooring status".');
    return exitCodes.noAgent;
  }
  note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.failed;
}
