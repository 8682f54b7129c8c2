// mooring backup DIR, mooring backup restore DIR. The running agent makes the backup. A restore requires that no agent is running.
import type { Command } from 'commander';
import {
  type CommonOptions,
  type ProgressOptions,
  parseFolder,
  withDataDir,
  withJson,
  withProgress,
} from '../shared/arguments.ts';
import { showBackupProgress } from '../shared/backup-progress.ts';
import { findAgent } from '../shared/connect.ts';
import { CommandFailure, exitCodes, failure, usageError } from '../shared/failure.ts';
import { formatBytes, note, plural, print, printJson } from '../shared/output.ts';
import { readConfig } from '../shared/run-agent.ts';

/** Long enough for a large store. The agent continues to serve requests. */
const backupTimeoutMs = 3_600_000;

export function registerBackup(program: Command): void {
  const backup = withJson(
    withProgress(program.command('backup'))
      .description('copy all data to a new or empty folder and verify it')
      .argument('<DIR>', 'folder of the backup', parseFolder),
  ).action(makeBackup);
  withDataDir(
    backup
      .command('restore')
      .description('replace the data directory with a backup')
      .argument('<DIR>', 'folder of the backup', parseFolder),
  )
    .addHelpText('after', '\nThe agent must be stopped. The old data directory is renamed, not deleted.')
    .action(restoreBackup);
}

async function makeBackup(dir: string, options: CommonOptions & ProgressOptions): Promise<void> {
  const agent = await findAgent(options.dataDir);
  if (agent === null) {
    throw new CommandFailure(
      exitCodes.noAgent,
      'A backup requires a running agent, and none is running here.',
      'Start one with "npm start" or "mooring serve", or pass its data directory with --data-dir.',
    );
  }
  const { members } = await agent.client.agent.status();
  if (members !== undefined) {
    throw usageError(
      'A hub makes no backups of its own.',
      'Back up its database with pg_dump, and keep the master key file beside it: see docs/hub.md.',
    );
  }
  const endProgress = showBackupProgress(agent.dataDir, dir, options.progress === true);
  const result = await agent.client.agent.backup(dir, { timeoutMs: backupTimeoutMs }).finally(endProgress);
  if (options.json) return printJson(result);
  print(result.dir);
  // Small blobs are rows of the database.
  const blobs = result.files === 0 ? '' : ` and ${plural(result.files, 'blob file')}`;
  note(`Copied and verified the database${blobs}: ${formatBytes(result.bytes)}.`);
}

async function restoreBackup(dir: string, _options: CommonOptions, command: Command): Promise<void> {
  // The parent command has the same option, and commander assigns the value to one of them.
  const { dataDir } = command.optsWithGlobals<CommonOptions>();
  const agent = await findAgent(dataDir);
  if (agent !== null) {
    throw failure(
      `An agent is running on ${agent.dataDir} (pid ${agent.pid}).`,
      'Stop it, or restore into another data directory with --data-dir.',
    );
  }
  const config = readConfig({ flags: { dataDir } });
  const { AgentStartError, restoreInto } = await import('../../agent.ts');
  try {
    const { replaced } = await restoreInto(config.dataDir, dir);
    if (replaced !== null) note(`Moved the old data directory to ${replaced}.`);
  } catch (error) {
    if (error instanceof AgentStartError) throw failure(error.message, error.remedy);
    throw error;
  }
  note(`Restored ${dir} into ${config.dataDir}. Mirrors rescan everything at the next start.`);
}
