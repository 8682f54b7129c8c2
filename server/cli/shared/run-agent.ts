// Runs an agent in this process until a request to stop, for `serve` and `start`.
import { flushCompileCache } from 'node:module';
import type { AgentAddress } from '../../agent.ts';
import { systemClock } from '../../platform/clock.ts';
import {
  type AgentConfig,
  type ConfigSources,
  describeConfigErrors,
  loadConfig,
} from '../../platform/config/config.ts';
import { LogFile } from '../../platform/observe/log-file.ts';
import { createLogger, type Logger } from '../../platform/observe/logger.ts';
import { releaseIdleMemory, threadMemory } from '../../platform/process/idle-memory.ts';
import { limitThreadHeaps } from '../../platform/process/thread-heaps.ts';
import { agentsOfEpochs } from './agents-of-epochs.ts';
import { exitCodes, failure, usageError } from './failure.ts';

export interface StartedAgent {
  readonly address: AgentAddress;
  readonly ownerTokenFile: string;
}

/** An invalid setting is a usage error that names it. */
export function readConfig(sources: ConfigSources): AgentConfig {
  const loaded = loadConfig(sources);
  if (loaded.ok) return loaded.config;
  throw usageError(describeConfigErrors(loaded.errors));
}

export interface RunOptions {
  readonly endsWithStdin?: boolean;
  /** A person reads this terminal: messages of the command replace the info log, which is in the log file. */
  readonly isForPerson?: boolean;
}

/** Starts the agent, calls `onReady`, and resolves when the agent has stopped after a request. */
export async function runAgent(
  config: AgentConfig,
  onReady: (running: StartedAgent) => void | Promise<void>,
  { endsWithStdin = false, isForPerson = false }: RunOptions = {},
): Promise<void> {
  // Imported here because commands that call a running agent do not need it.
  const { AgentStartError, Agent } = await import('../../agent.ts');
  const options = isForPerson ? { logger: quietLogger(config) } : {};
  limitThreadHeaps();
  const ended = new AbortController();
  const { requested, dispose } = listenForEnd(endsWithStdin);
  try {
    await agentsOfEpochs({
      makeAgent: (address) =>
        new Agent(address === null ? config : { ...config, ...portOf(address) }, options),
      requested,
      async onReady(agent, address) {
        await onReady({ address, ownerTokenFile: agent.ownerTokenFile });
        // Node writes it at a regular exit alone: an agent that always ends with its machine would compile the program at each start,
        // which is a third of its processor time.
        flushCompileCache();
        const memory = threadMemory();
        if (memory !== null) void releaseIdleMemory(memory, systemClock, ended.signal);
      },
    });
  } catch (error) {
    if (error instanceof AgentStartError) {
      throw failure(error.message, error.remedy);
    }
    throw error;
  } finally {
    ended.abort();
    dispose();
  }
}

/** The address that clients know, also where any free port was wanted. */
function portOf({ port }: AgentAddress): Pick<AgentConfig, 'listenPort' | 'portFallback'> {
  return { listenPort: port, portFallback: false };
}

function quietLogger({ logLevel, dataDir }: AgentConfig): Logger {
  const file = new LogFile(dataDir);
  return createLogger({ level: logLevel, file, ...(logLevel === 'info' ? { terminalLevel: 'warn' } : {}) });
}

interface EndRequests {
  /** Resolves at the first request to stop. */
  readonly requested: Promise<void>;
  /** Releases stdin, which would keep the process alive. */
  dispose(): void;
}

/**
 * Requests to stop: SIGTERM, SIGINT, the end of the terminal, or with `endsWithStdin` the end of stdin, a pipe that only the starting
 * process holds open. A second signal exits immediately.
 */
function listenForEnd(endsWithStdin: boolean): EndRequests {
  const { promise: requested, resolve: request } = Promise.withResolvers<void>();
  const onSignal = (signal: NodeJS.Signals) => {
    request();
    // Exiting without a clean stop loses nothing that was acknowledged.
    process.once(signal, () => process.exit(exitCodes.failed));
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  // Node resets the SIGHUP handling of `nohup`, so SIGHUP would end the agent there. It is a request to stop only for a process that
  // writes to a terminal and does not end with the process that started it.
  const isInTerminal = process.stdout.isTTY || process.stderr.isTTY;
  if (isInTerminal && !endsWithStdin) process.once('SIGHUP', onSignal);
  else process.on('SIGHUP', () => undefined);
  if (!endsWithStdin) return { requested, dispose: () => undefined };
  // On some systems a broken pipe ends with an error instead of `end`.
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, request);
  process.stdin.resume();
  return { requested, dispose: () => process.stdin.destroy() };
}
