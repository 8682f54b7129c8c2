// mooring stop: asks the running agent to stop, and waits until its process has ended.
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { readAgentFile } from '../../platform/process/agent-file.ts';
import { isSameProcess } from '../../platform/process/process-identity.ts';
import { type CommonOptions, parseDuration, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { CommandFailure, exitCodes, failure } from '../shared/failure.ts';
import { note, printJson } from '../shared/output.ts';

const timeoutMsDefault = 30_000;
const pollEveryMs = 50;

interface StopOptions extends CommonOptions {
  readonly timeout?: number;
}

export function registerStop(program: Command): void {
  withJson(program.command('stop').description('stop the running agent and wait for its end'))
    .option('--timeout <DURATION>', 'maximum time to wait (default: 30s)', parseDuration)
    .addHelpText('after', '\nRunning requests finish. Mirrors continue at the next start.')
    .action(stop);
}

async function stop(options: StopOptions): Promise<void> {
  const { client, dataDir } = await connect(options);
  // The agent itself says which process it is: the one of the file may have ended, and its id may be another's now.
  const { pid } = await client.agent.status();
  if (readAgentFile(dataDir)?.app === true) {
    throw failure(
      'This agent belongs to the desktop app, which would start it again.',
      'Quit the app: "Quit" in its tray menu.',
    );
  }
  const timeoutMs = options.timeout ?? timeoutMsDefault;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    throw failure(
      `Cannot stop the agent (pid ${pid}): ${error instanceof Error ? error.message : String(error)}.`,
      'Stop it as the user who started it.',
    );
  }
  const deadlineMs = performance.now() + timeoutMs;
  while (isSameProcess({ pid, started: null })) {
    if (performance.now() > deadlineMs) {
      throw new CommandFailure(
        exitCodes.timeout,
        `The agent (pid ${pid}) has not stopped within ${timeoutMs / 1000} s.`,
        'It finishes running work first. Wait longer with --timeout, or see "mooring logs".',
      );
    }
    await setTimeout(pollEveryMs);
  }
  if (options.json) return printJson({ stopped: true, pid, dataDir });
  note(`Stopped the agent on ${dataDir} (pid ${pid}).`);
}
