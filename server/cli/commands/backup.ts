// mooring backup DIR, mooring backup restore DIR. A backup is made by the running agent, or without one on the data itself; a
// restore needs that none runs.
import type { Command } from 'commander';
import { parseFolder, withDataDir, withJson } from '../shared/arguments.ts';
import { findAgent } from '../shared/connect.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { formatBytes, note, print, printJson } from '../shared/output.ts';
import { readConfig } from '../shared/run-agent.ts';

/** A large store takes its time; the agent goes on serving meanwhile. */
const backupTimeoutMs = 3_600_000;

export function registerBackup(program: Command): void {
  const backup = withJson(
    program
      .command('backup')
      .description('copy everything into a new or empty folder, verified; the agent may go on working')
      .argument('<dir>', 'the folder', parseFolder),
  ).action(makeBackup);
  withDataDir(
    backup
      .command('restore')
      .description('put a backup in the place of the data, which is kept beside it; no agent may run')
      .argument('<dir>', 'the folder of the backup', parseFolder),
  ).action(restoreBackup);
}

async function makeBackup(dir: string, options: { dataDir?: string; json?: true }): Promise<void> {
  const agent = await findAgent(options.dataDir);
  if (agent === null) {
    throw new CommandFailure(
      exitCodes.noAgent,
      'No agent runs here, and a backup is made by the running one.',
      'Start one with "npm start" or "mooring serve", or name its data directory with --data-dir.',
    );
  }
  const result = await agent.client.backup(dir, { timeoutMs: backupTimeoutMs });
  if (options.json) return printJson(result);
  print(result.dir);
  // Small contents lie in the database itself.
  const large = result.files === 0 ? '' : ` and ${result.files} large contents beside it`;
  note(`The database${large}, ${formatBytes(result.bytes)}, verified.`);
}

async function restoreBackup(
  dir: string,
  _options: { readonly dataDir?: string },
  command: Command,
): Promise<void> {
  // The parent command has the option, too, and commander gives it to whichever comes first.
  const { dataDir } = command.optsWithGlobals<{ dataDir?: string }>();
  const agent = await findAgent(dataDir);
  if (agent !== null) {
    throw new CommandFailure(
      exitCodes.failed,
      `An agent runs on ${agent.dataDir} (pid ${agent.pid}).`,
      'Stop it before restoring, or restore into another data directory with --data-dir.',
    );
  }
  const config = readConfig({ flags: { dataDir } });
  const { AgentStartError, restoreInto } = await import('../../agent.ts');
  try {
    const { replaced } = await restoreInto(config.dataDir, dir);
    if (replaced !== null) note(`What was there before is kept in ${replaced}.`);
  } catch (error) {
    if (error instanceof AgentStartError)
      throw new CommandFailure(exitCodes.failed, error.message, error.remedy);
    throw error;
  }
  note(`${dir} is restored into ${config.dataDir}. Mirrors compare everything anew at the next start.`);
}
