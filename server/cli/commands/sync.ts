// mooring sync --wait: scan, then wait until every change made before the call was seen and settled.
import type { Command } from 'commander';
import type { Mirror, MooringClient, SettleResult } from '../../../sdk/index.ts';
import { parseDuration, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { follow, stoppedStates } from '../shared/follow.ts';
import { describeActivity, describeMirrors } from '../shared/mirror-text.ts';
import { note, Progress, printJson } from '../shared/output.ts';
import { findWorkspace } from '../shared/workspace-arguments.ts';

interface SyncOptions {
  readonly wait: true;
  readonly workspace?: string;
  readonly timeout: number;
  readonly json?: true;
  readonly dataDir?: string;
}

export function registerSync(program: Command): void {
  withJson(
    program
      .command('sync')
      .description(
        'exit 0 once everything changed before this call is settled; 3 timeout, 4 a mirror does not run',
      )
      .requiredOption('--wait', 'wait for it')
      .option('--workspace <workspace>', 'only this one: id or name')
      .option('--timeout <duration>', 'how long to wait at most', parseDuration, 60_000),
  ).action(sync);
}

async function sync(options: SyncOptions): Promise<void> {
  const { client } = await connect(options);
  const workspaceId =
    options.workspace === undefined ? null : (await findWorkspace(client, options.workspace)).workspaceId;
  const stopProgress = showProgress(client, workspaceId);
  let result: SettleResult;
  try {
    result = await client.settle({
      timeoutMs: Math.ceil(options.timeout),
      ...(workspaceId === null ? {} : { workspaceId }),
    });
  } finally {
    await stopProgress();
  }
  if (options.json) printJson(result);
  for (const line of describeMirrors(result.mirrors)) note(line);
  const stopped = result.mirrors.filter((mirror) => stoppedStates.has(mirror.state));
  if (stopped.length > 0) {
    const which = stopped.map((mirror) => `${mirror.dir} (${mirror.state})`).join(', ');
    throw new CommandFailure(exitCodes.mirrorStopped, `Not syncing: ${which}.`, remedyFor(stopped));
  }
  if (!result.settled) {
    const pending = result.mirrors.map((mirror) => `${mirror.dir}: ${describeActivity(mirror)}`);
    throw new CommandFailure(
      exitCodes.timeout,
      `Not settled within ${options.timeout / 1000} s. ${pending.join('; ')}`,
      'Wait longer with --timeout, or see "mooring status".',
    );
  }
  if (!options.json) note(result.mirrors.length === 0 ? 'Nothing is mirrored.' : 'Everything is settled.');
}

function remedyFor(stopped: readonly Mirror[]): string {
  const [first] = stopped;
  if (first?.state !== 'paused') return 'See why with "mooring status".';
  return `Go on with "mooring mirror resume --workspace ${first.workspaceId} --dir ${JSON.stringify(first.dir)}".`;
}

/** On a terminal, what is pending, twice a second. Returns how to end it. */
function showProgress(client: MooringClient, workspaceId: string | null): () => Promise<void> {
  if (!process.stderr.isTTY) return async () => undefined;
  const progress = new Progress();
  const stop = new AbortController();
  const isShown = (mirror: Mirror) => workspaceId === null || mirror.workspaceId === workspaceId;
  const loop = follow({
    read: async (signal) => (await client.agentStatus({ signal })).mirrors.filter(isShown),
    show: (line) => progress.show(line),
    signal: stop.signal,
  });
  // Progress is a courtesy: when it cannot be had, settling itself says why.
  const running = loop.catch((error: unknown) => {
    if (!stop.signal.aborted)
      note(`No progress to show: ${error instanceof Error ? error.message : String(error)}`);
  });
  return async () => {
    stop.abort();
    await running;
    progress.done();
  };
}
