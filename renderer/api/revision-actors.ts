// Who made each revision: events of the feed name no agent, the history does. It is read in pages, newest first, as far back
// as events are shown, each part of it once; what comes live is read in one go after a moment.
import { useEffect, useMemo } from 'react';
import type { HistoryPage, MooringClient } from '../../sdk/index.ts';
import type { EventFrame } from '../../server/contract/events.ts';
import { actorName } from '../model/files/history-view.ts';
import { eventNumber } from '../model/inbound/activity-view.ts';
import { Observable, useObservable } from './observable.ts';
import { useServices } from './services.ts';

const pageEntries = 500;
/** Live events come in bursts. */
const gatherMs = 300;
/** Newer pages read in one go; what lies between these and the older ones stays without a name. */
const newerPagesMax = 10;

type ReadPage = (cursor: string | null) => Promise<Pick<HistoryPage, 'entries' | 'nextCursor'>>;

export class RevisionActors {
  /** By revision id. */
  readonly names = new Observable<ReadonlyMap<string, string>>(new Map());
  readonly #read: ReadPage;
  /** Numbers of revisions: between these two all that can be known is known. */
  #newest = 0;
  #oldest = Number.POSITIVE_INFINITY;
  /** Where older ones go on; null: there are none. */
  #cursor: string | null = null;
  #wanted = { oldest: Number.POSITIVE_INFINITY, newest: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;

  constructor(read: ReadPage) {
    this.#read = read;
  }

  /** Revisions from `oldest` to `newest` are shown. */
  want(oldest: number, newest: number): void {
    this.#wanted = {
      oldest: Math.min(oldest, this.#wanted.oldest),
      newest: Math.max(newest, this.#wanted.newest),
    };
    if (this.#timer !== undefined || this.#running || !this.#lacks()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#fill();
    }, gatherMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lacks(): boolean {
    return (
      this.#wanted.newest > this.#newest || (this.#wanted.oldest < this.#oldest && this.#cursor !== null)
    );
  }

  async #fill(): Promise<void> {
    this.#running = true;
    try {
      while (this.#lacks()) {
        if (this.#wanted.newest > this.#newest) await this.#readNewer();
        else await this.#readOlder();
      }
    } catch {
      // The feed says itself that the agent does not answer. With the next event that is shown it is tried again.
    } finally {
      this.#running = false;
    }
  }

  async #readNewer(): Promise<void> {
    const known = this.#newest;
    const upTo = this.#wanted.newest;
    let cursor: string | null = null;
    let newest = upTo;
    for (let pages = 0; pages < newerPagesMax; pages += 1) {
      const page: Awaited<ReturnType<ReadPage>> = await this.#read(cursor);
      this.#keep(page);
      const numbers = page.entries.map(({ revision }) => eventNumber(revision));
      newest = Math.max(newest, ...numbers);
      cursor = page.nextCursor;
      const reached = Math.min(...numbers);
      // The first page of all is enough; older ones are read when they are shown.
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
    this.#keep(page);
    this.#oldest = Math.min(this.#oldest, ...page.entries.map(({ revision }) => eventNumber(revision)));
    this.#cursor = page.nextCursor;
  }

  #keep({ entries }: Pick<HistoryPage, 'entries'>): void {
    if (entries.length === 0) return;
    const names = new Map(this.names.get());
    for (const entry of entries) names.set(entry.revision, actorName(entry));
    this.names.set(names);
  }
}

/** `events`: newest first. Who made each of their revisions, as far as it is known by now. */
export function useRevisionActors(
  workspaceId: string,
  events: readonly EventFrame[],
): ReadonlyMap<string, string> {
  const { client } = useServices();
  const actors = useMemo(() => new RevisionActors(reader(client, workspaceId)), [client, workspaceId]);
  const newest = eventNumber(events.find(hasRevision)?.revision ?? '');
  const oldest = eventNumber(events.findLast(hasRevision)?.revision ?? '');
  useEffect(() => {
    if (newest > 0) actors.want(oldest, newest);
  }, [actors, oldest, newest]);
  useEffect(() => () => actors.stop(), [actors]);
  return useObservable(actors.names);
}

function hasRevision({ revision }: EventFrame): boolean {
  return revision !== '';
}

function reader(client: MooringClient, workspaceId: string): ReadPage {
  return async (cursor) =>
    await client.history.page(workspaceId, '/', {
      below: true,
      limit: pageEntries,
      ...(cursor === null ? {} : { cursor }),
    });
}
