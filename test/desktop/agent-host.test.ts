import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  type AgentCrash,
  AgentHost,
  type Clock,
  failuresMax,
  type HostedProcess,
  healthMissesMax,
  restartDelayMs,
} from '../../electron/agent-host.ts';
import type { AgentState } from '../../electron/ipc-contract.ts';

const url = 'http://127.0.0.1:4417';
const ownerToken = 'owner-token';
const ready = { event: 'ready', url, ownerToken };
const started = { command: 'start', masterKey: 'a2V5' };

class StandInProcess extends EventEmitter implements HostedProcess {
  readonly sent: unknown[] = [];
  killed = false;

  postMessage(message: unknown): void {
    this.sent.push(message);
  }

  kill(): boolean {
    this.killed = true;
    this.emit('exit', 143);
    return true;
  }

  say(message: unknown): void {
    this.emit('message', message);
  }

  exit(code: number): void {
    this.emit('exit', code);
  }
}

/** A clock that moves when told to. */
class StandInClock implements Clock {
  #nowMs = 0;
  #timers: { atMs: number; callback: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    const due = this.#timers.filter((timer) => timer.atMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => timer.atMs > this.#nowMs);
    for (const timer of due) timer.callback();
  }
}

function hostUnderTest() {
  const clock = new StandInClock();
  const processes: StandInProcess[] = [];
  const states: AgentState[] = [];
  const crashes: AgentCrash[] = [];
  const health = { answers: true, asked: 0 };
  const host = new AgentHost({
    clock,
    onCrash: (crash) => crashes.push(crash),
    isHealthy: async () => {
      health.asked += 1;
      return health.answers;
    },
    masterKey: () => 'a2V5',
    fork: () => {
      const child = new StandInProcess();
      processes.push(child);
      return child;
    },
    onState: (state) => states.push(state),
  });
  const current = () => {
    const child = processes.at(-1);
    if (child === undefined) throw new Error('nothing was forked');
    return child;
  };
  return { clock, host, processes, states, crashes, health, current };
}

describe('the handshake', () => {
  it('makes the agent ready at the address that it gives', () => {
    const { host, states, current } = hostUnderTest();
    host.start();
    current().say(ready);
    expect(states).toEqual([{ kind: 'starting' }, { kind: 'ready', url }]);
    expect(current().sent).toEqual([started]);
  });

  it('gives the owner token to the main process alone, and only while the agent is ready', () => {
    const { host, states, current } = hostUnderTest();
    host.start();
    expect(host.ownerToken).toBeUndefined();
    current().say(ready);
    expect(host.ownerToken).toBe(ownerToken);
    expect(JSON.stringify(states)).not.toContain(ownerToken);
    current().exit(1);
    expect(host.ownerToken).toBeUndefined();
  });

  it('believes only addresses of this machine, and ignores what it does not know', () => {
    const { host, states, current } = hostUnderTest();
    host.start();
    const others = [
      'http://example.com:80',
      'https://127.0.0.1:1',
      'http://127.0.0.1:1/path',
      'file:///etc',
      17,
    ];
    for (const wrong of others) current().say({ ...ready, url: wrong });
    for (const wrong of [null, 'ready', { event: 'hello' }, { event: 'ready', url }, {}])
      current().say(wrong);
    expect(states).toEqual([{ kind: 'starting' }]);
  });

  it('that does not come within a minute ends the process, which counts as a failure', () => {
    const { clock, host, states, current } = hostUnderTest();
    host.start();
    clock.advance(60_000);
    expect(current().killed).toBe(true);
    expect(states.at(-1)).toEqual({
      kind: 'restarting',
      attempt: 1,
      delayMs: 500,
      reason: 'not ready within 60 s',
    });
  });

  it('tells why an agent could not start', () => {
    const { host, states, current } = hostUnderTest();
    host.start();
    current().say({ event: 'failed', reason: 'port 4417 is taken' });
    current().exit(1);
    expect(states.at(-1)).toMatchObject({ kind: 'restarting', reason: 'port 4417 is taken' });
  });
});

describe('health', () => {
  /** One look, and what follows from it. */
  async function look(clock: StandInClock): Promise<void> {
    clock.advance(10_000);
    await Promise.resolve();
    await Promise.resolve();
  }

  it('is looked at every 10 s, and an agent that answers is left alone', async () => {
    const { clock, host, health, current } = hostUnderTest();
    host.start();
    current().say(ready);
    for (let round = 0; round < 20; round += 1) await look(clock);
    expect(health.asked).toBe(20);
    expect(current().killed).toBe(false);
  });

  it('replaces an agent that did not answer for a minute, and says so', async () => {
    const { clock, host, health, states, current } = hostUnderTest();
    host.start();
    current().say(ready);
    health.answers = false;
    for (let miss = 1; miss < healthMissesMax; miss += 1) await look(clock);
    expect(current().killed).toBe(false);
    await look(clock);
    expect(current().killed).toBe(true);
    expect(states.at(-1)).toMatchObject({ kind: 'restarting', reason: '6 consecutive health checks failed' });
  });

  it('counts anew after an answer', async () => {
    const { clock, host, health, current } = hostUnderTest();
    host.start();
    current().say(ready);
    for (let round = 0; round < 3; round += 1) {
      health.answers = false;
      for (let miss = 1; miss < healthMissesMax; miss += 1) await look(clock);
      health.answers = true;
      await look(clock);
    }
    expect(current().killed).toBe(false);
  });
});

describe('a crash', () => {
  it('is told with its reason and how often in a row; a stop is none', async () => {
    const { clock, host, crashes, current } = hostUnderTest();
    host.start();
    current().exit(139);
    clock.advance(500);
    current().say({ event: 'failed', reason: 'the disk is full' });
    current().exit(1);
    clock.advance(1000);
    current().say(ready);
    const stopped = host.stop();
    current().exit(0);
    await stopped;
    expect(crashes).toEqual([
      { reason: 'exited with code 139', failures: 1 },
      { reason: 'the disk is full', failures: 2 },
    ]);
  });
});

describe('restarting', () => {
  it('pauses twice as long after each failure in a row, up to 30 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(restartDelayMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
  });

  it('forks a new process after the pause, and not before', () => {
    const { clock, host, processes, current } = hostUnderTest();
    host.start();
    current().exit(139);
    clock.advance(499);
    expect(processes).toHaveLength(1);
    clock.advance(1);
    expect(processes).toHaveLength(2);
  });

  it('gives up after eight failures in a row, says why, and can be revived', () => {
    const { clock, host, processes, states, current } = hostUnderTest();
    host.start();
    for (let failure = 1; failure <= failuresMax; failure += 1) {
      current().exit(1);
      clock.advance(30_000);
    }
    expect(states.at(-1)).toEqual({ kind: 'failed', reason: 'exited with code 1' });
    expect(processes).toHaveLength(failuresMax);

    host.start();
    current().say(ready);
    expect(host.state).toEqual({ kind: 'ready', url });
  });

  it('starts counting anew once an agent was ready for a minute', () => {
    const { clock, host, states, current } = hostUnderTest();
    host.start();
    current().exit(1);
    clock.advance(500);
    current().exit(1);
    clock.advance(1000);
    current().say(ready);
    clock.advance(60_000);
    current().exit(1);
    expect(states.at(-1)).toMatchObject({ kind: 'restarting', attempt: 1, delayMs: 500 });
  });

  it('goes on counting when an agent dies soon after it was ready', () => {
    const { clock, host, states, current } = hostUnderTest();
    host.start();
    current().exit(1);
    clock.advance(500);
    current().say(ready);
    clock.advance(59_999);
    current().exit(1);
    expect(states.at(-1)).toMatchObject({ kind: 'restarting', attempt: 2, delayMs: 1000 });
  });

  it('does not listen to a process that it has replaced', () => {
    const { clock, host, processes, states, current } = hostUnderTest();
    host.start();
    const first = current();
    first.exit(1);
    clock.advance(500);
    first.say({ ...ready, url: 'http://127.0.0.1:1' });
    first.exit(1);
    expect(processes).toHaveLength(2);
    expect(states.at(-1)).toEqual({ kind: 'starting' });
  });
});

describe('stopping', () => {
  it('asks the agent to end and does not restart it', async () => {
    const { clock, host, processes, current } = hostUnderTest();
    host.start();
    current().say(ready);
    const stopped = host.stop();
    expect(current().sent).toEqual([started, { command: 'stop' }]);
    current().exit(0);
    await stopped;
    clock.advance(60_000);
    expect(host.state).toEqual({ kind: 'stopped' });
    expect(processes).toHaveLength(1);
  });

  it('insists after 30 s', async () => {
    const { clock, host, current } = hostUnderTest();
    host.start();
    const stopped = host.stop();
    clock.advance(29_999);
    expect(current().killed).toBe(false);
    clock.advance(1);
    await stopped;
    expect(current().killed).toBe(true);
  });

  it('between two starts cancels the next one', async () => {
    const { clock, host, processes, current } = hostUnderTest();
    host.start();
    current().exit(1);
    await host.stop();
    clock.advance(60_000);
    expect(processes).toHaveLength(1);
    expect(host.state).toEqual({ kind: 'stopped' });
  });
});
