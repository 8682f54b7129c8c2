// The feed of the other server: the position up to which its events are taken, those that arrived since, and whether it still is the
// feed that it was.
import type { RemoteStore } from '../../store/port/store.ts';
import { numberOf } from '../client/answers.ts';
import type { RemoteEvent, RemoteServer } from '../client/remote-server.ts';
import type { RemoteContext } from '../state/context.ts';
import { RemoteResetError } from './agreed-revisions.ts';
import { takeEvents } from './remote-changes.ts';
import type { Wake } from './wake.ts';

export class ServerFeed {
  readonly #wake: Pick<Wake, 'set'>;
  #cursor: string | null;
  #mustList: boolean;
  #arrived: RemoteEvent[] = [];
  #watching = new AbortController();
  #end: { readonly error: unknown } | null = null;

  /** `cursor`: up to which events are taken; null: unknown, so the server is listed. */
  constructor(cursor: string | null, wake: Pick<Wake, 'set'>) {
    this.#wake = wake;
    this.#cursor = cursor;
    this.#mustList = cursor === null;
  }

  get cursor(): string | null {
    return this.#cursor;
  }

  /** true: events are missing, so that only a list of the server shows what changed. */
  get mustList(): boolean {
    return this.#mustList;
  }

  /** true: events arrived that are not taken. */
  get hasArrived(): boolean {
    return this.#arrived.length > 0;
  }

  /** After a list of the server. `cursor`: the newest event before it. */
  listed(cursor: string | null): void {
    this.#cursor = cursor;
    this.#mustList = false;
  }

  requireList(): void {
    this.#mustList = true;
    this.#wake.set();
  }

  /** The server was set back. */
  forget(): void {
    this.#cursor = null;
    this.#mustList = true;
  }

  /** A new connection has no end yet. */
  begin(): void {
    this.#end = null;
  }

  /** Rejects with what ended the watch. */
  throwIfEnded(): void {
    if (this.#end !== null) throw this.#end.error;
  }

  watch(server: RemoteServer, signal: AbortSignal): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#arrived = [];
    this.#end = null;
    server.watch(
      this.#cursor,
      {
        onEvent: (event) => {
          this.#arrived.push(event);
          this.#wake.set();
        },
        onGap: () => this.requireList(),
        onEnd: (error) => {
          this.#end = { error };
          this.#wake.set();
        },
      },
      AbortSignal.any([signal, this.#watching.signal]),
    );
  }

  /** Marks what the arrived events changed. */
  async take(context: RemoteContext): Promise<void> {
    const events = this.#arrived.splice(0);
    if (events.length === 0) return;
    await takeEvents(context, events);
    this.#cursor = events.at(-1)?.cursor ?? this.#cursor;
  }

  /** Asks the feed itself and marks everything up to its end. false: events are gone, so the server is listed first. */
  async catchUp(context: RemoteContext): Promise<boolean> {
    let cursor = this.#cursor;
    for (let more = true; more && !context.signal.aborted; ) {
      const page = await context.server.events(cursor, context.signal);
      if (page.gap) {
        this.requireList();
        return false;
      }
      await takeEvents(context, page.events);
      cursor = page.cursor;
      more = page.more;
    }
    return true;
  }

  /** Rejects where the server is no longer the one of which the revisions are known. */
  async confirm(context: RemoteContext): Promise<void> {
    if (!(await this.isSame(context)))
      throw new RemoteResetError('the server was set back or replaced while files were being synced');
  }

  /** false: a feed that lost its end, or begins anew, is that of a server that was set back. */
  async isSame({ server, signal, store, row }: RemoteContext): Promise<boolean> {
    const cursor = this.#cursor;
    // Nothing was agreed on, or an end of the agent left a base without a position in the feed.
    if (cursor === null && (await store.remotes.newestRevision(row.remoteId)) === null) return true;
    const tip = await server.tip(signal);
    if (cursor === null) return tip !== null && !(await hasLostTail(tip, store.remotes, row.remoteId));
    if (tip?.cursor === cursor || (await server.eventAt(cursor, signal)) !== null)
      return !(await hasLostTail(tip, store.remotes, row.remoteId));
    const page = await server.events(cursor, signal);
    // Retention deleted it: what is newer is there, and the list shows the rest.
    if (page.gap) this.#mustList = true;
    return page.gap;
  }
}

/** The feed knows the cursor and ends before what was agreed on after it: the end of an agent here and a restored server there. */
async function hasLostTail(
  tip: RemoteEvent | null,
  remotes: Pick<RemoteStore, 'newestRevision'>,
  remoteId: string,
): Promise<boolean> {
  const newest = await remotes.newestRevision(remoteId);
  const [agreed, now] = [newest, tip?.revision].map((revision) => numberOf(revision ?? '', 'rev_'));
  return agreed != null && now != null && now < agreed;
}
