// Follows which lists of the agent have changed, while the page is visible, and loads those again that are shown. Contents of
// files are in the live feed.
import type { QueryClient } from '@tanstack/react-query';
import type { ChangedLists, MooringClient } from '../../sdk/index.ts';

type Changed = ChangedLists['changed'][number];

/** A request waits this long for a change. */
const waitMs = 25_000;
const timeoutMs = 30_000;
/** Between two requests, so that constant changes cost few of them. */
const pauseMs = 250;
const retryMs = 5_000;

/** The polls of many lists together are no more frequent than this, so that many workspaces cost no more than few. */
const pollOfManyMs = 1_000;

/** The time between two polls of each of `lists`; `everyMs` for few of them. A poll only finds what has changed without a report. */
export function pollOfEachMs(lists: number, everyMs: number): number {
  return Math.max(everyMs, lists * pollOfManyMs);
}

/** First parts of the query keys that show a list; the second part is the workspace. */
const keysOfList: { readonly [List in Changed['list']]: readonly string[] } = {
  conflicts: ['conflicts'],
  'dead-letters': ['dead-letters', 'ingress', 'outbound'],
  mirrors: [],
  operations: ['operations', 'outbound'],
  providers: ['outbound', 'operations'],
  remotes: [],
  runs: ['runs'],
  tokens: ['tokens'],
  workspaces: ['tokens'],
};
/** Lists of the status, which the agent link reads. */
const listsOfStatus: readonly string[] = ['conflicts', 'mirrors', 'remotes', 'workspaces'];

export interface ListFollower {
  start(): void;
  stop(): void;
}

export function followChangedLists(
  client: MooringClient,
  queries: QueryClient,
  onStatusChanged: () => void,
): ListFollower {
  const ended = new AbortController();
  const { signal } = ended;
  const reloads = new Reloads(queries);
  const reload = ({ isComplete, changed }: ChangedLists): void => {
    if (!isComplete) void queries.invalidateQueries({ predicate: isListQuery });
    for (const each of changed) reloads.request(each);
    if (!isComplete || changed.some(({ list }) => listsOfStatus.includes(list))) onStatusChanged();
  };
  const follow = async (): Promise<void> => {
    let cursor: string | null = null;
    while (!signal.aborted) {
      await untilVisible(signal);
      try {
        const wait = cursor === null ? {} : { cursor, waitMs };
        const answer: ChangedLists = await client.agent.changes({ ...wait, timeoutMs, signal });
        if (cursor !== null) reload(answer);
        cursor = answer.cursor;
        await pause(pauseMs, signal);
      } catch {
        // Whether the agent responds is for the agent link to say.
        await pause(retryMs, signal);
      }
    }
  };
  return { start: () => void follow(), stop: () => ended.abort() };
}

/** One load at a time of each list: a slow one would be aborted again and again by constant changes. */
class Reloads {
  readonly #queries: QueryClient;
  /** By list and workspace; true: it has changed since the load began. */
  readonly #running = new Map<string, boolean>();

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  request(changed: Changed): void {
    const key = `${changed.list} ${changed.workspaceId ?? ''}`;
    if (this.#running.has(key)) this.#running.set(key, true);
    else void this.#load(key, changed);
  }

  async #load(key: string, changed: Changed): Promise<void> {
    const filter = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => shows(queryKey, changed),
    };
    do {
      // A load that was running before does not see the change.
      this.#running.set(key, this.#queries.isFetching(filter) > 0);
      await this.#queries.invalidateQueries(filter, { cancelRefetch: false });
    } while (this.#running.get(key) === true);
    this.#running.delete(key);
  }
}

function isListQuery({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return Object.values(keysOfList).some((keys) => keys.includes(String(queryKey[0])));
}

/** `all`: every workspace. */
function shows(queryKey: readonly unknown[], { list, workspaceId }: Changed): boolean {
  const [first, workspace] = queryKey;
  if (!keysOfList[list].includes(String(first))) return false;
  return workspaceId === undefined || workspace === workspaceId || workspace === 'all';
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible' || signal.aborted) return;
  const shown = Promise.withResolvers<void>();
  const check = (): void => {
    if (document.visibilityState === 'visible' || signal.aborted) shown.resolve();
  };
  document.addEventListener('visibilitychange', check);
  signal.addEventListener('abort', check);
  await shown.promise;
  document.removeEventListener('visibilitychange', check);
  signal.removeEventListener('abort', check);
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, delayMs);
  signal.addEventListener('abort', () => over.resolve(), { once: true });
  await over.promise;
  clearTimeout(timer);
}
