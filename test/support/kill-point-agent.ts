// Starts agent-at-kill-points.ts for the length of one vitest test, again and again on the same data.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { agentFlags } from '../../server/platform/process/engine-flags.ts';
import { processFile } from './processes.ts';

export interface KillPointAgent {
  readonly owner: MooringClient;
  readonly url: string;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  /** From now on it dies at the nth arrival there, from 1. */
  arm(point: string, times: number): Promise<void>;
  stop(): Promise<void>;
}

/** `point`: where it dies; null: nowhere. `times`: at which arrival there, from 1. `fault`: it goes on after a fault at each of them. */
export async function startKillPointAgent(
  dataDir: string,
  point: string | null,
  times = 1,
  what: 'kill' | 'fault' = 'kill',
): Promise<KillPointAgent> {
  const child: ChildProcess = spawn(
    process.execPath,
    [...agentFlags, processFile('agent-at-kill-points'), dataDir, point ?? 'none', String(times), what],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const gone = once(child, 'close').then(() => undefined);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(stop);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('it has no streams');
  const lines = createInterface({ input: stdout });
  const first = await Promise.race([once(lines, 'line'), gone]);
  if (first === undefined) throw new Error('the agent ended before it was ready');
  const ready = JSON.parse(String(first[0])) as { url: string; ownerTokenFile: string };
  const token = readFileSync(ready.ownerTokenFile, 'utf8').trim();
  return {
    owner: new MooringClient({ baseUrl: ready.url, token, retry: { retries: 0 } }),
    url: ready.url,
    gone,
    async arm(armedPoint, armedTimes) {
      const heard = once(lines, 'line');
      stdin.write(`${JSON.stringify({ point: armedPoint, times: armedTimes })}\n`);
      if ((await Promise.race([heard, gone])) === undefined)
        throw new Error('the agent ended before it was armed');
    },
    stop,
  };
}
