// The utility process's end of the handshake, against the supervisor's end: what one says, the other understands.
import { describe, expect, it } from 'vitest';
import { AgentHost, type HostedProcess } from '../../electron/agent-host.ts';
import type { AgentState } from '../../electron/ipc-contract.ts';
import type { Agent } from '../../server/agent.ts';
import { hostAgent } from '../../server/utility.ts';

const url = 'http://127.0.0.1:4417';

function standInAgent(over: Partial<Agent> = {}): Agent & { stops: number } {
  const address = { url, host: '127.0.0.1', port: 4417 };
  return {
    stops: 0,
    address,
    ownerTokenFile: '',
    start: async () => address,
    async stop() {
      this.stops += 1;
    },
    ...over,
  };
}

/** A host and the function that a forked process would run, joined without processes. */
function joined(create: () => Agent) {
  const states: AgentState[] = [];
  const runs: Promise<void>[] = [];
  const fork = (): HostedProcess => {
    let hear: (message: unknown) => void = () => undefined;
    let exit: (code: number) => void = () => undefined;
    let command: (event: { readonly data: unknown }) => void = () => undefined;
    const port = {
      on: (_event: 'message', listener: (event: { readonly data: unknown }) => void) => {
        command = listener;
      },
      postMessage: (message: unknown) => hear(message),
    };
    // A process starts after fork has returned.
    runs.push(Promise.resolve().then(() => hostAgent(port, create, (code) => exit(code))));
    return {
      on: (_event, listener) => {
        hear = listener;
      },
      once: (_event, listener) => {
        exit = listener;
      },
      postMessage: (data) => command({ data }),
      kill: () => true,
    };
  };
  const clock = { now: () => 0, after: () => () => undefined };
  const host = new AgentHost({ fork, clock, onState: (state) => states.push(state) });
  return { host, states, runs };
}

describe('the agent in its utility process', () => {
  it('tells the host its address once it answers, and stops when told', async () => {
    const agent = standInAgent();
    const { host, states, runs } = joined(() => agent);
    host.start();
    await runs[0];
    await host.stop();
    expect(states).toEqual([{ kind: 'starting' }, { kind: 'ready', url }, { kind: 'stopped' }]);
    expect(agent.stops).toBe(1);
  });

  it('tells why it could not start', async () => {
    const { host, states, runs } = joined(() => {
      throw new Error('the data directory belongs to another agent');
    });
    host.start();
    await runs[0];
    expect(states.at(-1)).toMatchObject({
      kind: 'restarting',
      reason: 'the data directory belongs to another agent',
    });
  });

  it('stops an agent that was still starting when it was told to', async () => {
    const agent = standInAgent({ start: () => new Promise(() => undefined) });
    const { host, states } = joined(() => agent);
    host.start();
    await Promise.resolve();
    const stopped = host.stop();
    await stopped;
    expect(agent.stops).toBe(1);
    expect(states.map((state) => state.kind)).toEqual(['starting', 'stopped']);
  });
});
