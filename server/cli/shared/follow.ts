// Shows the activity of mirrors as one terminal line that is overwritten. It only reads state.
import type { Mirror, MooringClient, Run } from '../../../sdk/index.ts';
import { describeActivity } from './mirror-text.ts';
import { note, Progress } from './output.ts';

const pollEveryMs = 500;

export interface Following {
  /** Returns the current state of the mirrors to show. */
  readonly read: (signal: AbortSignal) => Promise<readonly Mirror[]>;
  readonly show: (line: string) => void;
  readonly signal: AbortSignal;
  /** Following ends once this is true of all mirrors. Default: only the signal ends it. */
  readonly isDone?: (mirror: Mirror) => boolean;
}

/** Resolves with the mirrors as last read. */
export async function follow({ read, show, signal, isDone }: Following): Promise<readonly Mirror[]> {
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let mirrors: readonly Mirror[] = [];
  while (!signal.aborted) {
    mirrors = await read(signal);
    if (isDone !== undefined && mirrors.every(isDone)) break;
    show(mirrors.map((mirror) => `${mirror.dir}: ${describeActivity(mirror)}`).join('  '));
    const timer = new AbortController();
    await Promise.race([ended, pause(timer.signal)]);
    timer.abort();
  }
  return mirrors;
}

/** On a terminal: shows a new mirror until its first sync has finished or the mirror has stopped. Elsewhere it does nothing. */
export async function followFirstSync(
  client: MooringClient,
  { workspaceId, mirrorId }: Mirror,
): Promise<void> {
  if (!process.stderr.isTTY) return;
  const line = new Progress();
  try {
    const mirrors = await follow({
      read: async () =>
        (await client.mirrors.list(workspaceId)).filter((mirror) => mirror.mirrorId === mirrorId),
      signal: new AbortController().signal,
      isDone: isFirstSyncDone,
      show: (text) => line.show(text),
    });
    line.done();
    for (const mirror of mirrors) note(`${mirror.dir}: ${describeActivity(mirror)}.`);
  } catch (error) {
    // The mirror does not depend on the display.
    line.done();
    note(`Progress unavailable: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** On a terminal: shows how the folder of a run is filled and synced, until the returned function is called. Elsewhere it does nothing. */
export function showRunFolder(
  client: MooringClient,
  { workspaceId, runId }: Pick<Run, 'workspaceId' | 'runId'>,
): () => Promise<void> {
  const line = new Progress();
  if (!line.isShown) return async () => undefined;
  const ended = new AbortController();
  const following = follow({
    read: async (signal) => [(await client.runs.folder(workspaceId, runId, { signal })).mirror],
    signal: ended.signal,
    show: (text) => line.show(text),
    // The run does not depend on the display.
  }).catch(() => []);
  return async () => {
    ended.abort();
    await following;
    line.done();
  };
}

function isFirstSyncDone({ state, lastSyncAt }: Mirror): boolean {
  return (state !== 'scanning' && state !== 'syncing' && lastSyncAt !== null) || stoppedStates.has(state);
}

export const stoppedStates: ReadonlySet<string> = new Set(['paused', 'halted', 'error']);

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollEveryMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
