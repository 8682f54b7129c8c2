// The actor of each revision, from the history, because events do not name it. Loads pages, newest first, as far back as
// events are shown, each once; live events are batched.
import { useEffect, useMemo } from 'react';
import type { HistoryPage, MooringClient } from '../../sdk/index.ts';
import type { EventFrame } from '../../server/contract/events.ts';
import { type ActorView, actorView } from '../model/actor-view.ts';
import { parseId } from '../model/ids.ts';
import type { LiveEvent } from './live-feed.ts';
import { Observable, useObservable } from './observable.ts';
import { useServices } from './services.ts';

const pageEntries = 500;
/** Of the short feed, which shows the last few. */
const recentEntries = 50;
/** Of a folder's list. */
const folderEntries = 200;
/** A file that was changed before these pages of its folder's history has no name: a list must not read years. */
const folderPagesMax = 4;
/** Batches bursts of live events. */
const gatherMs = 300;
/** Limit of newer pages per load; revisions between these and the older ones have no name. */
const newerPagesMax = 10;

type ReadPage = (cursor: string | null) => Promise<Pick<HistoryPage, 'entries' | 'nextCursor'>>;

export class RevisionActors {
  /** By revision id. */
  readonly names = new Observable<ReadonlyMap<string, ActorView>>(new Map());
  readonly #read: ReadPage;
  #olderPagesLeft: number;
  /** Revision numbers: all actors between these two are loaded. */
  #newest = 0;
  #oldest = Number.POSITIVE_INFINITY;
  /** Cursor of older pages; null: none. */
  #cursor: string | null = null;
  #requested = { oldest: Number.POSITIVE_INFINITY, newest: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;

  /** `olderPagesMax`: how many pages beyond the first are read to find old revisions. */
  constructor(read: ReadPage, olderPagesMax = Number.POSITIVE_INFINITY) {
    this.#read = read;
    this.#olderPagesLeft = olderPagesMax;
  }

  /** Revisions from `oldest` to `newest` are shown. */
  request(oldest: number, newest: number): void {
    this.#requested = {
      oldest: Math.min(oldest, this.#requested.oldest),
      newest: Math.max(newest, this.#requested.newest),
    };
    if (this.#timer !== undefined || this.#running || !this.#isIncomplete()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#fill();
    }, gatherMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #isIncomplete(): boolean {
    return (
      this.#requested.newest > this.#newest ||
      (this.#requested.oldest < this.#oldest && this.#cursor !== null && this.#olderPagesLeft > 0)
    );
  }

  async #fill(): Promise<void> {
    this.#running = true;
    try {
      while (this.#isIncomplete()) {
        if (this.#requested.newest > this.#newest) await this.#readNewer();
        else await this.#readOlder();
      }
    } catch {
      // The feed reports the failure. The next shown event retries.
    } finally {
      this.#running = false;
    }
  }

  async #readNewer(): Promise<void> {
    const known = this.#newest;
    const upTo = this.#requested.newest;
    let cursor: string | null = null;
    let newest = upTo;
    for (let pages = 0; pages < newerPagesMax; pages += 1) {
      const page: Awaited<ReturnType<ReadPage>> = await this.#read(cursor);
      this.#add(page);
      const numbers = page.entries.map(({ revision }) => parseId(revision, 'rev'));
      newest = Math.max(newest, ...numbers);
      cursor = page.nextCursor;
      const reached = Math.min(...numbers);
      // The first page is enough; older ones load when they are shown.
      if (known === 0) {
        this.#oldest = numbers.length === 0 ? upTo : reached;
        this.#cursor = cursor;
        break;
      }
      if (cursor === null || reached <= known) break;
    }
    this.#newest = newest;
  }

  async #readOlder(): Promise<void> {
    const page = await this.#read(this.#cursor);
    this.#olderPagesLeft -= 1;
    this.#add(page);
    this.#oldest = Math.min(this.#oldest, ...page.entries.map(({ revision }) => parseId(revision, 'rev')));
    this.#cursor = page.nextCursor;
  }

  #add({ entries }: Pick<HistoryPage, 'entries'>): void {
    if (entries.length === 0) return;
    const names = new Map(this.names.get());
    for (const entry of entries) names.set(entry.revision, actorView(entry));
    this.names.set(names);
  }
}

/** `events`: newest first. The actors of their revisions, as far as loaded. */
export function useRevisionActors(
  workspaceId: string,
  events: readonly EventFrame[],
): ReadonlyMap<string, ActorView> {
  const { client } = useServices();
  const actors = useMemo(
    () => new RevisionActors(reader(client, workspaceId, '/', pageEntries)),
    [client, workspaceId],
  );
  const newest = parseId(events.find(hasRevision)?.revision ?? '', 'rev');
  const oldest = parseId(events.findLast(hasRevision)?.revision ?? '', 'rev');
  useEffect(() => {
    if (newest > 0) actors.request(oldest, newest);
  }, [actors, oldest, newest]);
  useEffect(() => () => actors.stop(), [actors]);
  return useObservable(actors.names);
}

/** `revisions`: of files in a folder that are shown, in any order. The actors of these, as far as loaded. */
export function useFolderActors(
  workspaceId: string,
  folder: string,
  revisions: readonly string[],
): ReadonlyMap<string, ActorView> {
  const { client } = useServices();
  const actors = useMemo(
    () => new RevisionActors(reader(client, workspaceId, folder, folderEntries), folderPagesMax),
    [client, workspaceId, folder],
  );
  const numbers = revisions.map((each) => parseId(each, 'rev')).filter((each) => each > 0);
  const newest = Math.max(0, ...numbers);
  const oldest = Math.min(newest, ...numbers);
  useEffect(() => {
    if (newest > 0) actors.request(oldest, newest);
  }, [actors, oldest, newest]);
  useEffect(() => () => actors.stop(), [actors]);
  return useObservable(actors.names);
}

/** The actors of the revisions of several workspaces. */
class AllActors {
  /** Counts what was loaded. */
  readonly loaded = new Observable(0);
  readonly #read: (workspaceId: string) => ReadPage;
  readonly #byWorkspace = new Map<string, RevisionActors>();

  constructor(read: (workspaceId: string) => ReadPage) {
    this.#read = read;
  }

  /** `events`: newest first. */
  request(events: readonly LiveEvent[]): void {
    for (const [workspaceId, ofWorkspace] of Map.groupBy(events, (event) => event.workspaceId)) {
      const numbers = ofWorkspace
        .map(({ frame }) => parseId(frame.revision, 'rev'))
        .filter((each) => each > 0);
      if (numbers.length > 0) this.#of(workspaceId).request(Math.min(...numbers), Math.max(...numbers));
    }
  }

  find({ workspaceId, frame }: LiveEvent): ActorView | null {
    return this.#byWorkspace.get(workspaceId)?.names.get().get(frame.revision) ?? null;
  }

  stop(): void {
    for (const actors of this.#byWorkspace.values()) actors.stop();
  }

  #of(workspaceId: string): RevisionActors {
    const known = this.#byWorkspace.get(workspaceId);
    if (known !== undefined) return known;
    const actors = new RevisionActors(this.#read(workspaceId));
    actors.names.subscribe(() => this.loaded.set(this.loaded.get() + 1));
    this.#byWorkspace.set(workspaceId, actors);
    return actors;
  }
}

/** `events`: newest first, of any workspaces. The actor of each; null: not loaded. */
export function useRecentActors(events: readonly LiveEvent[]): (event: LiveEvent) => ActorView | null {
  const { client } = useServices();
  const actors = useMemo(
    () => new AllActors((workspaceId) => reader(client, workspaceId, '/', recentEntries)),
    [client],
  );
  useEffect(() => actors.request(events), [actors, events]);
  useEffect(() => () => actors.stop(), [actors]);
  useObservable(actors.loaded);
  return (event) => actors.find(event);
}

function hasRevision({ revision }: EventFrame): boolean {
  return revision !== '';
}

function reader(client: MooringClient, workspaceId: string, folder: string, limit: number): ReadPage {
  return async (cursor) =>
    await client.history.page(workspaceId, folder, {
      below: true,
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
}
