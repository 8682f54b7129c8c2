// Shows the activity of mirrors and remotes: as one line of a terminal that is overwritten, elsewhere, if it is asked for, as a line now and
// then. It only reads state.
import type { Mirror, MooringClient, Remote, Run } from '../../../sdk/index.ts';
import { displayFolder } from './display.ts';
import { describeActivity } from './mirror-text.ts';
import { note, Progress } from './output.ts';
import { describeRemoteActivity } from './remote-text.ts';
import { shortenPath } from './table.ts';

const pollEveryMs = 500;
/** Lines of a log. */
const loggedEveryMs = 5_000;
/** Of a folder or an address before its activity. */
const labelWidthMax = 36;

type Followed = Mirror | Remote;

interface Following {
  /** Returns the current state of the mirrors and remotes to show. */
  readonly read: (signal: AbortSignal) => Promise<readonly Followed[]>;
  readonly show: (line: string) => void;
  readonly signal: AbortSignal;
  /** Following ends once this is true of all. Default: only the signal ends it. */
  readonly isDone?: (followed: Followed) => boolean;
}

/** Resolves with what was last read. */
async function follow({ read, show, signal, isDone }: Following): Promise<readonly Followed[]> {
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let followed: readonly Followed[] = [];
  while (!signal.aborted) {
    followed = await read(signal);
    if (isDone !== undefined && followed.every(isDone)) break;
    show(activityLine(followed));
    const timer = new AbortController();
    await Promise.race([ended, pause(timer.signal)]);
    timer.abort();
  }
  return followed;
}

/** Of several the first that works, because a line has room for one. */
export function activityLine(followed: readonly Followed[]): string {
  const active = followed.filter(isActive);
  const shown = active[0] ?? followed[0];
  if (shown === undefined) return '';
  const more = active.length > 1 ? ` (and ${active.length - 1} more)` : '';
  return `${describeFollowed(shown)}${more}`;
}

function isRemote(followed: Followed): followed is Remote {
  return 'remoteId' in followed;
}

function isActive(followed: Followed): boolean {
  if (followed.state === 'idle' || stoppedStates.has(followed.state)) return false;
  return followed.progress !== null || followed.pendingLocal + followed.pendingRemote > 0;
}

function describeFollowed(followed: Followed): string {
  const label = isRemote(followed) ? followed.url : displayFolder(followed.dir);
  const activity = isRemote(followed) ? describeRemoteActivity(followed) : describeActivity(followed);
  return `${shortenPath(label, labelWidthMax)}: ${activity}`;
}

/** A line of a terminal, or with `isAlways` lines of a log. */
function activityProgress(isAlways: boolean): Progress {
  return new Progress(isAlways, loggedEveryMs);
}

/** Shows a new mirror or remote until its first sync has finished or it has stopped. Without a terminal only with `isAlways`. */
export async function followFirstSync(
  client: MooringClient,
  created: Followed,
  isAlways = false,
): Promise<void> {
  const line = activityProgress(isAlways);
  if (!line.isShown) return;
  try {
    const followed = await follow({
      read: async () => await readAgain(client, created),
      signal: new AbortController().signal,
      isDone: isFirstSyncDone,
      show: (text) => line.show(text),
    });
    line.done();
    for (const each of followed) note(`${describeFollowed(each)}.`);
  } catch (error) {
    // The sync does not depend on the display.
    line.done();
    note(`Progress unavailable: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readAgain(client: MooringClient, created: Followed): Promise<readonly Followed[]> {
  const { workspaceId } = created;
  if (!isRemote(created))
    return (await client.mirrors.list(workspaceId)).filter(({ mirrorId }) => mirrorId === created.mirrorId);
  const { remotes } = await client.agent.status();
  return remotes.filter(({ remoteId }) => remoteId === created.remoteId);
}

/** Shows how the folder of a run is filled and synced, until the returned function is called. Without a terminal only with `isAlways`. */
export function showRunFolder(
  client: MooringClient,
  { workspaceId, runId }: Pick<Run, 'workspaceId' | 'runId'>,
  isAlways = false,
): () => Promise<void> {
  return showActivity(isAlways, async (signal) => [
    (await client.runs.folder(workspaceId, runId, { signal })).mirror,
  ]);
}

/** Shows what `read` returns, until the returned function is called. The work itself does not depend on the display. */
export function showActivity(isAlways: boolean, read: Following['read']): () => Promise<void> {
  const line = activityProgress(isAlways);
  if (!line.isShown) return async () => undefined;
  const ended = new AbortController();
  const following = follow({ read, signal: ended.signal, show: (text) => line.show(text) }).catch(() => []);
  return async () => {
    ended.abort();
    await following;
    line.done();
  };
}

function isFirstSyncDone({ state, lastSyncAt }: Followed): boolean {
  const isWorking = ['scanning', 'syncing', 'connecting', 'listing'].includes(state);
  return (!isWorking && lastSyncAt !== null) || stoppedStates.has(state);
}

export const stoppedStates: ReadonlySet<string> = new Set([
  'paused',
  'halted',
  'error',
  'offline',
  'unauthorized',
]);

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollEveryMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
