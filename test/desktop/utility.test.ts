// The utility process's end of the handshake, against the supervisor's end: what one says, the other understands.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentHost, type HostedProcess } from '../../electron/agent-host.ts';
import type { AgentState } from '../../electron/ipc-contract.ts';
import { type HostedAgent, hostAgent, type MakeAgent } from '../../server/utility.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const url = 'http://127.0.0.1:4417';

function standInAgent(over: Partial<HostedAgent> = {}): HostedAgent & { stops: number } {
  const address = { url, host: '127.0.0.1', port: 4417 };
  const ownerTokenFile = path.join(tempFolder(), 'owner.token');
  writeFileSync(ownerTokenFile, 'owner-token\n');
  return {
    stops: 0,
    ownerTokenFile,
    start: async () => address,
    async stop() {
      this.stops += 1;
    },
    ...over,
  };
}

/** A host and the function that a forked process would run, joined without processes. */
function joined(make: MakeAgent) {
  const states: AgentState[] = [];
  const fork = (): HostedProcess => {
    let hear: (message: unknown) => void = () => undefined;
    let exit: (code: number) => void = () => undefined;
    let command: ((event: { readonly data: unknown }) => void) | undefined;
    const early: unknown[] = [];
    const port = {
      on: (_event: 'message', listener: (event: { readonly data: unknown }) => void) => {
        command = listener;
        for (const data of early) listener({ data });
      },
      postMessage: (message: unknown) => hear(message),
    };
    // A process starts after fork has returned; what is said to it meanwhile waits.
    queueMicrotask(() => hostAgent(port, make, (code) => exit(code)));
    return {
      on: (_event, listener) => {
        hear = listener;
      },
      once: (_event, listener) => {
        exit = listener;
      },
      postMessage: (data) => (command === undefined ? early.push(data) : command({ data })),
      kill: () => true,
    };
  };
  const clock = { now: () => 0, after: () => () => undefined };
  const host = new AgentHost({
    fork,
    clock,
    onState: (state) => states.push(state),
    onCrash: () => undefined,
    isHealthy: async () => true,
    masterKey: () => Buffer.alloc(32, 7).toString('base64'),
  });
  return { host, states };
}

describe('the agent in its utility process', () => {
  it('begins with the key that it is given, tells the host its address once it answers, and stops when told', async () => {
    const agent = standInAgent();
    let key: Uint8Array | null = null;
    const { host, states } = joined((masterKey) => {
      key = masterKey;
      return agent;
    });
    host.start();
    await waitFor('the agent to be ready', () => host.state.kind === 'ready');
    expect(host.ownerToken).toBe('owner-token');
    expect(key).toEqual(Buffer.alloc(32, 7));
    await host.stop();
    expect(states).toEqual([{ kind: 'starting' }, { kind: 'ready', url }, { kind: 'stopped' }]);
    expect(agent.stops).toBe(1);
  });

  it('tells why it could not start', async () => {
    const { host, states } = joined(() => {
      throw new Error('the data directory belongs to another agent');
    });
    host.start();
    await waitFor('the failure', () => host.state.kind === 'restarting');
    expect(states.at(-1)).toMatchObject({ reason: 'the data directory belongs to another agent' });
  });

  it('stops an agent that was still starting when it was told to', async () => {
    const agent = standInAgent({ start: () => new Promise(() => undefined) });
    const { host, states } = joined(() => agent);
    host.start();
    await Promise.resolve();
    await host.stop();
    expect(agent.stops).toBe(1);
    expect(states.map((state) => state.kind)).toEqual(['starting', 'stopped']);
  });

  it('ends at once when it is told to before it was told to begin', async () => {
    let code: number | undefined;
    let command: (event: { readonly data: unknown }) => void = () => undefined;
    const port = {
      on: (_event: 'message', listener: typeof command) => {
        command = listener;
      },
      postMessage: () => undefined,
    };
    hostAgent(
      port,
      () => {
        throw new Error('nothing should have been made');
      },
      (exitCode) => {
        code = exitCode;
      },
    );
    for (const data of [null, 'start', { command: 'dance' }]) command({ data });
    command({ data: { command: 'stop' } });
    command({ data: { command: 'start', masterKey: null } });
    expect(code).toBe(0);
  });
});
