// Runs an agent in this process until a request to stop, for `serve` and `start`.
import type { AgentAddress } from '../../agent.ts';
import { systemClock } from '../../platform/clock.ts';
import {
  type AgentConfig,
  type ConfigSources,
  describeConfigErrors,
  loadConfig,
} from '../../platform/config/config.ts';
import { releaseIdleMemory, threadMemory } from '../../platform/process/idle-memory.ts';
import { listenForEnd } from './end-requests.ts';
import { failure, usageError } from './failure.ts';

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

/** Starts the agent, calls `onReady`, and resolves when the agent has stopped after a request (end-requests.ts). */
export async function runAgent(
  config: AgentConfig,
  onReady: (running: StartedAgent) => void | Promise<void>,
  endsWithStdin = false,
): Promise<void> {
  // Imported here because commands that call a running agent do not need it.
  const { AgentStartError, createAgent } = await import('../../agent.ts');
  const ended = new AbortController();
  const { requested, dispose } = listenForEnd(endsWithStdin);
  try {
    const agent = await createAgent(config);
    try {
      const address = await agent.start();
      await onReady({ address, ownerTokenFile: agent.ownerTokenFile });
      const memory = threadMemory();
      if (memory !== null) void releaseIdleMemory(memory, systemClock, ended.signal);
      await requested;
    } finally {
      ended.abort();
      await agent.stop();
    }
  } catch (error) {
    if (error instanceof AgentStartError) {
      throw failure(error.message, error.remedy);
    }
    throw error;
  } finally {
    dispose();
  }
}
