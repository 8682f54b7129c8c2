// An agent inside this process, from its start to the signal that ends it. `serve` and `start` share it.
import type { AgentAddress } from '../../agent.ts';
import { systemClock } from '../../platform/clock.ts';
import {
  type AgentConfig,
  type ConfigSources,
  describeConfigErrors,
  loadConfig,
} from '../../platform/config/config.ts';
import { releaseAtRest, threadMemory } from '../../platform/process/idle-memory.ts';
import { listenForEnd } from './end-requests.ts';
import { CommandFailure, exitCodes } from './failure.ts';

export interface RunningHere {
  readonly address: AgentAddress;
  readonly ownerTokenFile: string;
}

/** What is wrong with a setting is a usage error that names it. */
export function readConfig(sources: ConfigSources): AgentConfig {
  const loaded = loadConfig(sources);
  if (loaded.ok) return loaded.config;
  throw new CommandFailure(exitCodes.usage, describeConfigErrors(loaded.errors));
}

/** Starts the agent, tells that it is ready, and resolves when it was asked to end (end-requests.ts) and has stopped. */
export async function runAgent(
  config: AgentConfig,
  onReady: (running: RunningHere) => void | Promise<void>,
  endsWithStdin = false,
): Promise<void> {
  // Loaded only here: commands that talk to a running agent need none of it.
  const { AgentStartError, createAgent } = await import('../../agent.ts');
  const ended = new AbortController();
  const { asked, dispose } = listenForEnd(endsWithStdin);
  try {
    const agent = await createAgent(config);
    try {
      const address = await agent.start();
      await onReady({ address, ownerTokenFile: agent.ownerTokenFile });
      const memory = threadMemory();
      if (memory !== null) void releaseAtRest(memory, systemClock, ended.signal);
      await asked;
    } finally {
      ended.abort();
      await agent.stop();
    }
  } catch (error) {
    if (error instanceof AgentStartError) {
      throw new CommandFailure(exitCodes.failed, error.message, error.remedy);
    }
    throw error;
  } finally {
    dispose();
  }
}
