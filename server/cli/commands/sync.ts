// mooring sync --wait: waits until every change made before the call is synced.
import type { Command } from 'commander';
import type { Mirror, SettleResult } from '../../../sdk/index.ts';
import { type ProgressOptions, parseDuration, withJson, withProgress } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { showActivity, stoppedStates } from '../shared/follow.ts';
import { describeActivity, describeMirrors } from '../shared/mirror-text.ts';
import { note, printJson } from '../shared/output.ts';
import { describeRemoteActivity, describeRemotes, stoppedRemoteStates } from '../shared/remote-text.ts';
import { findWorkspace, type WorkspaceOptions } from '../shared/workspace-arguments.ts';
import { folderArgument, type WorkspaceNames, workspaceNames } from '../shared/workspace-names.ts';

const timeoutMsDefault = 60_000;

interface SyncOptions extends WorkspaceOptions, ProgressOptions {
  readonly timeout?: number;
}

export function registerSync(program: Command): void {
  withJson(
    withProgress(program.command('sync'))
      .description('wait until all earlier changes are synced')
      .requiredOption('--wait', 'wait for the sync to finish')
      .option('--workspace <WORKSPACE>', 'only this workspace (name or id)')
      .option('--timeout <DURATION>', 'maximum time to wait (default: 60s)', parseDuration)
      .addHelpText('after', '\nExit codes: 0 synced, 3 timeout, 4 mirror stopped.'),
  ).action(sync);
}

async function sync(options: SyncOptions): Promise<void> {
  const { client } = await connect(options);
  const workspaceId =
    options.workspace === undefined ? null : (await findWorkspace(client, options.workspace)).workspaceId;
  const timeoutMs = Math.ceil(options.timeout ?? timeoutMsDefault);
  const stopProgress = showActivity(options.progress === true, async (signal) => {
    const { mirrors, remotes } = await client.agent.status({ signal });
    return [...mirrors, ...remotes].filter(
      (each) => workspaceId === null || each.workspaceId === workspaceId,
    );
  });
  let result: SettleResult;
  try {
    result = await client.mirrors.waitUntilSynced({
      timeoutMs,
      ...(workspaceId === null ? {} : { workspaceId }),
    });
  } finally {
    await stopProgress();
  }
  if (options.json) printJson(result);
  for (const line of describeMirrors(result.mirrors)) note(line);
  for (const line of describeRemotes(result.remotes)) note(line);
  const stoppedRemotes = result.remotes.filter(({ state }) => stoppedRemoteStates.has(state));
  const stopped = result.mirrors.filter((mirror) => stoppedStates.has(mirror.state));
  if (stopped.length > 0) {
    const which = stopped.map((mirror) => `${mirror.dir} (${mirror.state})`).join(', ');
    throw new CommandFailure(
      exitCodes.mirrorStopped,
      `Not syncing: ${which}.`,
      remedyFor(stopped, await workspaceNames(client)),
    );
  }
  if (stoppedRemotes.length > 0) {
    const which = stoppedRemotes.map(({ url, state }) => `${url} (${state})`).join(', ');
    throw new CommandFailure(
      exitCodes.mirrorStopped,
      `Not syncing: ${which}.`,
      'See the cause with "mooring remote list".',
    );
  }
  if (!result.settled) {
    const pending = [
      ...result.mirrors.map((mirror) => `${mirror.dir}: ${describeActivity(mirror)}`),
      ...result.remotes.map((remote) => `${remote.url}: ${describeRemoteActivity(remote)}`),
    ];
    throw new CommandFailure(
      exitCodes.timeout,
      `Not synced within ${timeoutMs / 1000} s. ${pending.join('; ')}`,
      'Wait longer with --timeout, or check "mooring status".',
    );
  }
  if (!options.json)
    note(result.mirrors.length + result.remotes.length === 0 ? 'No mirrors or remotes.' : 'Up to date.');
}

function remedyFor(stopped: readonly Mirror[], names: WorkspaceNames): string {
  const [first] = stopped;
  if (first?.state !== 'paused') return 'See the cause with "mooring status".';
  return `Resume it with "mooring mirror resume --workspace ${names.argument(first.workspaceId)} --dir ${folderArgument(first.dir)}".`;
}
