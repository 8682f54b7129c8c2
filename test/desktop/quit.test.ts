import { describe, expect, it } from 'vitest';
import { type PendingTransfers, Quit } from '../../electron/quit.ts';
import { waitFor } from '../support/wait-for.ts';

function quitUnderTest(busy: PendingTransfers | null, answer: 'after' | 'now' | 'cancel' = 'after') {
  const now = { busy, answer, mayLose: true };
  const said: (string | null)[] = [];
  const asked: string[] = [];
  const timers: { callback: () => void }[] = [];
  const log: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const quit = new Quit({
    canDiscard: async () => now.mayLose,
    busy: async () => now.busy,
    ask: async ({ message }) => {
      asked.push(message);
      return now.answer;
    },
    onWaiting: (text) => said.push(text),
    stopAgent: async () => {
      log.push('stop');
      await stopped.promise;
    },
    exit: () => log.push('exit'),
    after: (_delayMs, callback) => {
      const timer = { callback };
      timers.push(timer);
      return () => timers.splice(0, timers.length, ...timers.filter((one) => one !== timer));
    },
  });
  const tick = () => timers.shift()?.callback();
  return { quit, now, said, asked, log, tick, agentEnds: () => stopped.resolve() };
}

describe('quitting', () => {
  it('stops nothing while the person would lose text that is not saved', async () => {
    const { quit, now, log, asked, agentEnds } = quitUnderTest(null);
    now.mayLose = false;
    expect(quit.request()).toBe(false);
    await Promise.resolve();
    await Promise.resolve();
    now.mayLose = true;
    agentEnds();
    expect(quit.request()).toBe(false);
    await waitFor('the exit', () => log.includes('exit'));
    expect([log, asked]).toEqual([['stop', 'exit'], []]);
  });

  it('stops the agent first and goes when it is gone', async () => {
    const { quit, asked, log, agentEnds } = quitUnderTest(null);
    expect(quit.request()).toBe(false);
    await waitFor('the stop', () => log.length === 1);
    expect(quit.request()).toBe(false);
    agentEnds();
    await waitFor('the end', () => log.length === 2);
    expect([log, asked, quit.request()]).toEqual([['stop', 'exit'], [], true]);
  });

  it('asks when something is being sent, waits for it, and says so', async () => {
    const { quit, now, said, asked, log, tick, agentEnds } = quitUnderTest({ sending: 2, files: 0 });
    quit.request();
    await waitFor('the waiting', () => said.length === 1);
    expect(asked).toEqual(['2 operations are still pending. Wait before quitting?']);
    now.busy = { sending: 0, files: 1 };
    tick();
    await waitFor('the next look', () => said.length === 2);
    expect(log).toEqual([]);
    now.busy = null;
    tick();
    await waitFor('the stop', () => log.length === 1);
    agentEnds();
    await waitFor('the end', () => log.length === 2);
    expect(said).toEqual(['Quitting after 2 operations', 'Quitting after 1 file', null]);
  });

  it('goes on running when the person says so, and asks again the next time', async () => {
    const { quit, asked, log } = quitUnderTest({ sending: 1, files: 1 }, 'cancel');
    quit.request();
    await waitFor('the first question', () => asked.length === 1);
    await waitFor('a second question', () => {
      quit.request();
      return asked.length === 2;
    });
    expect(asked[0]).toBe('1 operation and 1 file are still pending. Wait before quitting?');
    expect(log).toEqual([]);
  });

  it('asked for again while it waits means now', async () => {
    const { quit, said, log } = quitUnderTest({ sending: 1, files: 0 });
    quit.request();
    await waitFor('the waiting', () => said.length === 1);
    quit.request();
    expect(log).toEqual(['stop']);
  });

  it('by the system asks nothing, even while a question stands', async () => {
    const { quit, log, agentEnds } = quitUnderTest({ sending: 1, files: 0 }, 'cancel');
    quit.request();
    expect(quit.requestNow()).toBe(false);
    agentEnds();
    await waitFor('the end', () => log.length === 2);
    expect(quit.requestNow()).toBe(true);
    expect(log).toEqual(['stop', 'exit']);
  });

  it('says what it waits for when the agent takes its time', async () => {
    const { quit, said, log, tick } = quitUnderTest(null);
    quit.request();
    await waitFor('the stop', () => log.length === 1);
    tick();
    expect(said).toEqual(['Quitting after the agent has finished its writes']);
  });
});
