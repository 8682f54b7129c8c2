// One agent after the other in this process, each for one epoch of its store: what an agent has in memory is of the epoch in which it began.
import { setTimeout as delay } from 'node:timers/promises';
import type { Agent, AgentAddress } from '../../agent.ts';

/** The database of a hub that has just been set back may still be starting. */
const retryMs = 1_000;

export interface AgentsOfEpochs {
  /** null: the first one; otherwise where it has to listen. */
  readonly makeAgent: (address: AgentAddress | null) => Agent;
  /** Resolves at the request to stop. */
  readonly requested: Promise<void>;
  /** Called for the first one. */
  readonly onReady: (agent: Agent, address: AgentAddress) => Promise<void>;
}

/** Resolves when the last one has stopped after the request. Rejects when the first one cannot start. */
export async function agentsOfEpochs({ makeAgent, requested, onReady }: AgentsOfEpochs): Promise<void> {
  const stop = new AbortController();
  const stopped = requested.then(() => stop.abort());
  const first = makeAgent(null);
  let agent: Agent | null = first;
  try {
    const address = await first.start();
    await onReady(first, address);
    for (;;) {
      await Promise.race([stopped, agent.epochEnded]);
      if (stop.signal.aborted) return;
      // Each part that does not stop is in the log.
      await agent.stop().catch(() => undefined);
      agent = await startAgain(() => makeAgent(address), stop.signal);
      if (agent === null) return;
    }
  } finally {
    await agent?.stop();
  }
}

/** null: a stop was requested before one could start. Each failure is in the log. */
async function startAgain(makeAgent: () => Agent, signal: AbortSignal): Promise<Agent | null> {
  while (!signal.aborted) {
    const agent = makeAgent();
    try {
      await agent.start();
      return agent;
    } catch (error) {
      agent.reportFailedStart(error);
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}
