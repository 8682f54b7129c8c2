import { describe, expect, it, onTestFinished } from 'vitest';
import { type PoolOptions, WorkerPool } from '../../server/compute/pool.ts';
import { ComputeError } from '../../server/compute/port.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';

/** Threads that answer with their input, do nothing for ever, or end, as `input.before` says. */
const scripted = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ input }) => {
    const what = input.before.trim();
    if (what === 'spin') for (;;);
    if (what === 'wait') return;
    if (what === 'exit') process.exit(3);
    if (what === 'throw') throw new Error('a fault of the thread');
    parentPort.postMessage({ kind: 'answer', ok: true, output: what });
  });
  parentPort.postMessage({ kind: 'ready' });
`)}`,
);
const pad = ' '.repeat(64 * 1024);

function start(options: Partial<PoolOptions> = {}): WorkerPool {
  const pool = new WorkerPool({ clock: systemClock, script: scripted, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

function ask(pool: WorkerPool, what: string, signal?: AbortSignal, timeLimitMs = 60_000): Promise<unknown> {
  const options = { timeLimitMs, ...(signal === undefined ? {} : { signal }) };
  return pool.run('diff_lines', { before: what + pad, after: '' }, options).catch((error: unknown) => {
    if (error instanceof ComputeError) return error.reason;
    throw error;
  });
}

describe('the worker pool', () => {
  it('runs jobs in threads, and small ones on the calling thread', async () => {
    const pool = start();
    await expect(ask(pool, 'one')).resolves.toBe('one');
    await expect(pool.run('diff_lines', { before: 'a\n', after: 'b\n' })).resolves.toEqual({
      hunks: '@@ -1,1 +1,1 @@\n-a\n+b\n',
      tooDifferent: false,
    });
  });

  it('ends a job that runs too long, and goes on with the next one', async () => {
    const pool = start({ threadsMax: 1 });
    const late = ask(pool, 'spin', undefined, 50);
    await expect(Promise.all([late, ask(pool, 'next')])).resolves.toEqual(['time_limit', 'next']);
  });

  it('refuses what is more than the queue holds', async () => {
    const pool = start({ threadsMax: 1, queueMax: 2 });
    const stop = new AbortController();
    const running = [1, 2, 3].map(() => ask(pool, 'wait', stop.signal));
    await expect(ask(pool, 'more')).resolves.toBe('busy');
    stop.abort();
    await expect(Promise.all(running)).resolves.toEqual(['aborted', 'aborted', 'aborted']);
    await expect(ask(pool, 'after')).resolves.toBe('after');
  });

  it('refuses a job that has waited too long for a thread', async () => {
    const clock = createManualClock();
    const pool = start({ clock, threadsMax: 1, waitMsMax: 1000 });
    const first = ask(pool, 'wait', undefined, 60_000);
    const second = ask(pool, 'wait', undefined, 60_000);
    await waitFor('the wait of the second job', () => clock.delays() >= 2);
    clock.advance(1000);
    await expect(second).resolves.toBe('busy');
    await pool.close();
    await expect(first).resolves.toBe('closed');
  });

  it('survives a thread that ends or fails', async () => {
    const pool = start({ threadsMax: 1 });
    await expect(ask(pool, 'exit')).rejects.toThrow('ended with code 3');
    await expect(ask(pool, 'throw')).rejects.toThrow('a fault of the thread');
    await expect(ask(pool, 'fine')).resolves.toBe('fine');
  });

  it('answers nothing once it is closed', async () => {
    const pool = start();
    await pool.close();
    await expect(ask(pool, 'late')).resolves.toBe('closed');
  });
});
