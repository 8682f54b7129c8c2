// What mirrors do right now, as one line of a terminal that is written over. It only looks: the work goes on without it.
import type { Mirror } from '../../../sdk/index.ts';
import { describeActivity } from './mirror-text.ts';
import { note, Progress } from './output.ts';

const lookEveryMs = 500;

export interface Following {
  /** The mirrors to show, asked anew each time. */
  readonly read: (signal: AbortSignal) => Promise<readonly Mirror[]>;
  readonly show: (line: string) => void;
  readonly signal: AbortSignal;
  /** Ends by itself once this is true of all; default: only the signal ends it. */
  readonly isOver?: (mirror: Mirror) => boolean;
}

/** Resolves with the mirrors as last seen. */
export async function follow({ read, show, signal, isOver }: Following): Promise<readonly Mirror[]> {
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let mirrors: readonly Mirror[] = [];
  while (!signal.aborted) {
    mirrors = await read(signal);
    if (isOver !== undefined && mirrors.every(isOver)) break;
    show(mirrors.map((mirror) => `${mirror.dir}: ${describeActivity(mirror)}`).join('  '));
    const timer = new AbortController();
    await Promise.race([ended, pause(timer.signal)]);
    timer.abort();
  }
  return mirrors;
}

/** On a terminal: shows a new mirror until its first sync is over, or cannot go on. Elsewhere nothing. */
export async function followFirstSync(
  read: Following['read'],
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (!process.stderr.isTTY) return;
  const line = new Progress();
  try {
    const mirrors = await follow({ read, signal, isOver, show: (text) => line.show(text) });
    line.done();
    for (const mirror of mirrors) note(`${mirror.dir}: ${describeActivity(mirror)}.`);
  } catch (error) {
    // A courtesy: the mirror goes on without it.
    line.done();
    if (!signal.aborted)
      note(`No progress to show: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isOver({ state, lastSyncAt }: Mirror): boolean {
  return (state !== 'scanning' && state !== 'syncing' && lastSyncAt !== null) || stoppedStates.has(state);
}

export const stoppedStates: ReadonlySet<string> = new Set(['paused', 'halted', 'error']);

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lookEveryMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
