// Whether the two stores are those that the base was agreed between: a restored database of this agent, or a server that was set back or
// replaced, has no base, and both sides are compared as at the first contact.
import { listAfterOfflineMs } from '../limits.ts';
import type { RemoteContext, RemoteDeps } from '../state/context.ts';
import type { Knowledge } from '../state/knowledge.ts';
import { AgreedRevisions } from './agreed-revisions.ts';
import type { LocalChanges } from './local-changes.ts';
import type { ServerFeed } from './server-feed.ts';
import type { StoredRow } from './stored-row.ts';

export interface AgreedParts {
  readonly store: RemoteDeps['store'];
  readonly row: StoredRow;
  readonly knowledge: Knowledge;
  readonly local: LocalChanges;
  readonly feed: ServerFeed;
}

export class AgreedStores {
  readonly #parts: AgreedParts;
  /** true: the server was listed since the start. */
  #isListed = false;

  constructor(parts: AgreedParts) {
    this.#parts = parts;
  }

  listed(): void {
    this.#isListed = true;
  }

  /** A restored database of this agent knows nothing of what was synced since. */
  async checkLocal(): Promise<void> {
    const { store, row } = this.#parts;
    const epoch = await store.maintenance.epoch();
    if (epoch !== row.value.epoch) await this.forgetBase(epoch);
  }

  /** A base of another epoch is not true there. Stored before anything is agreed on. */
  async checkServer(epoch: string | null): Promise<void> {
    const { row } = this.#parts;
    const { serverEpoch } = row.value;
    if (epoch === serverEpoch) return;
    if (serverEpoch !== null) await this.forgetBase();
    await row.update({ serverEpoch: epoch });
  }

  /** `offlineMs`: how long there was no connection. */
  async checkFeed(context: RemoteContext, offlineMs: number): Promise<void> {
    const { feed } = this.#parts;
    if (offlineMs >= listAfterOfflineMs) feed.requireList();
    if (!(await feed.isSame(context))) await this.forgetBase();
    // The position may be behind what was agreed on after it, and without an epoch the feed alone does not show what was set back.
    if (context.server.epoch !== null) return;
    const revisions = await AgreedRevisions.at(context, feed.cursor);
    if (!this.#isListed || (await revisions.areUnproven())) feed.requireList();
  }

  /** `epoch`: of the database of this agent. */
  async forgetBase(epoch?: string): Promise<void> {
    const { store, row, knowledge, local, feed } = this.#parts;
    await store.remotes.clearBase({ remoteId: row.value.remoteId });
    knowledge.forget();
    local.restart();
    feed.forget();
    await row.update({ established: false, cursor: null, ...(epoch === undefined ? {} : { epoch }) });
  }
}
