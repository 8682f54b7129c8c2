// One pull: reads a provider's files page by page from its refresh URL and compares them with the workspace; the differences of a
// page are accepted durably, like webhooks, before the next page is requested. Files that the provider no longer lists are handled
// after the last page. It never overwrites a local change that the provider has not received.
import { createHash } from 'node:crypto';
import type { Authority } from '../../core/access/authority.ts';
import type { FileEntry } from '../../core/entry.ts';
import { refreshDeletesMax } from '../../delivery/limits.ts';
import { type Provider, type PulledFile, PullFailedError } from '../../outbound/providers/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import { permittedRows } from '../../store/port/permits.ts';
import type { ContentReader, ProviderRow, WritebackStore } from '../../store/port/store.ts';
import { deletionOf, hashOf, hasNewId, payloadOf, readPages } from './pulled-files.ts';

/** A delivery as a provider would send it. */
export interface PulledDelivery {
  readonly workspaceId: string;
  readonly provider: string;
  readonly deliveryId: string;
  readonly correlationId: string;
  readonly occurredAtMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Who asked for the refresh. */
  readonly authority: Authority | null;
}

export interface PullDeps {
  readonly store: {
    readonly writebacks: Pick<WritebackStore, 'unsentPaths'>;
    readonly files: Pick<ContentReader, 'allowEach' | 'get' | 'history' | 'lastRevision' | 'query'>;
  };
  readonly clock: Pick<Clock, 'nowMs' | 'delay'>;
  /** Where webhooks go. `full`: there is no room right now. */
  readonly accept: (delivery: PulledDelivery) => Promise<'accepted' | 'full'>;
}

export interface PullCounts {
  readonly files: number;
  readonly changed: number;
  /** Differences that were left alone: local changes that the provider has not seen, and files that the caller may not change. */
  readonly kept: number;
}

const fullRetryMs = 200;
/** A listing without most of the files is more likely wrong than right (docs/sync-rules.md#11). */
const deletesCheckedFrom = 10;
const deletesShareMax = 0.5;
const entriesPage = 1_000;
/** Of the set of listed paths. */
const startSlots = 1024;
/** More than this share of taken slots makes the search for a free one long. */
const loadMax = 0.5;

/** Throws a PullFailedError. */
export async function pull(
  deps: PullDeps,
  row: ProviderRow,
  provider: Provider,
  due: NonNullable<ProviderRow['refresh']>,
  signal: AbortSignal,
): Promise<PullCounts> {
  return await new Pull(deps, row, due, signal).run(provider);
}

class Pull {
  readonly #deps: PullDeps;
  readonly #row: ProviderRow;
  readonly #due: NonNullable<ProviderRow['refresh']>;
  readonly #signal: AbortSignal;
  readonly #listed = new PathSet();
  /** What changes here from now on is newer than what the provider is about to say. */
  readonly #startedAtMs: number;
  #newestRevision = 0;
  #changed = 0;
  #kept = 0;

  constructor(
    deps: PullDeps,
    row: ProviderRow,
    due: NonNullable<ProviderRow['refresh']>,
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#row = row;
    this.#due = due;
    this.#signal = signal;
    this.#startedAtMs = deps.clock.nowMs();
  }

  async run(provider: Provider): Promise<PullCounts> {
    const { store, clock } = this.#deps;
    this.#newestRevision = await store.files.lastRevision(this.#row.workspaceId);
    // Counted before anything is changed, so that what is added does not make the share of deletions look small.
    const presentBefore = await this.#walk(0, (count) => count + 1);
    let complete = false;
    for await (const page of readPages(provider, this.#row.name, this.#due.id, clock, this.#signal)) {
      await this.#takePage(page.files);
      complete ||= page.complete;
    }
    if (complete) await this.#takeGone(presentBefore);
    return { files: this.#listed.size, changed: this.#changed, kept: this.#kept };
  }

  async #takePage(files: readonly PulledFile[]): Promise<void> {
    const { workspaceId } = this.#row;
    const different: Difference[] = [];
    for (const file of files) {
      // Listed on an earlier page, which was handled already.
      if (!this.#listed.add(file.path)) continue;
      const entry = await this.#deps.store.files.get(workspaceId, file.path);
      const here = entry?.type === 'file' ? entry : null;
      const isDifferent = file.deleted
        ? here !== null
        : here === null || here.hash !== (await hashOf(file)) || hasNewId(file, here.providerObjectId);
      if (isDifferent) different.push({ file, revision: here?.revision ?? 0 });
    }
    await this.#hand(different);
  }

  /** What is not listed any more, of what the provider knew. */
  async #takeGone(presentBefore: number): Promise<void> {
    const gone = await this.#walk<Difference[]>([], async (deletions, entry) => {
      if (this.#listed.has(entry.path) || !(await this.#isProviders(entry))) return deletions;
      if (deletions.length >= refreshDeletesMax) {
        throw new PullFailedError(
          `its answer would delete more than ${refreshDeletesMax} files; none was deleted`,
        );
      }
      deletions.push({ file: deletionOf(entry.path), revision: entry.revision });
      return deletions;
    });
    if (gone.length >= deletesCheckedFrom && gone.length > presentBefore * deletesShareMax) {
      throw new PullFailedError(
        `its answer would delete ${gone.length} of ${presentBefore} files; none was deleted`,
      );
    }
    await this.#hand(gone);
  }

  /** It has an id for the file, or what is there came from it. */
  async #isProviders(entry: WalkedEntry): Promise<boolean> {
    if (entry.providerObjectId !== null) return true;
    const [newest] = await this.#deps.store.files.history(this.#row.workspaceId, entry.path, 1, null);
    return newest?.origin === 'provider_sync';
  }

  /** Durable when it resolves, but for what must not be overwritten. */
  async #hand(changes: readonly Difference[]): Promise<void> {
    if (changes.length === 0) return;
    const { store, clock, accept } = this.#deps;
    const { workspaceId, name } = this.#row;
    const { authority, id, correlationId } = this.#due;
    const unsent = new Set(await store.writebacks.unsentPaths(workspaceId));
    const mayChange = changes
      .filter(({ file, revision }) => !unsent.has(file.path) && revision <= this.#newestRevision)
      .map(({ file }) => file);
    // A file that the caller may not change is left alone; a webhook of it would only be a dead letter.
    const permitted = await permittedRows(store.files, workspaceId, mayChange, authority);
    this.#kept += changes.length - permitted.length;
    for (const file of permitted) {
      const delivery = {
        workspaceId,
        provider: name,
        deliveryId: `${id}:${sha256Hex(file.path)}`,
        correlationId,
        occurredAtMs: this.#startedAtMs,
        payload: payloadOf(file),
        authority,
      };
      while ((await accept(delivery)) === 'full') {
        await clock.delay(fullRetryMs, this.#signal);
        if (this.#signal.aborted) throw new PullFailedError('the agent was stopped');
      }
      this.#changed += 1;
    }
  }

  /** Over the provider's files in the workspace, a page at a time. */
  async #walk<Total>(
    start: Total,
    add: (total: Total, entry: WalkedEntry) => Total | Promise<Total>,
  ): Promise<Total> {
    let total = start;
    let afterPath: string | null = null;
    for (;;) {
      if (this.#signal.aborted) throw new PullFailedError('the agent was stopped');
      const page: Awaited<ReturnType<ContentReader['query']>> = await this.#deps.store.files.query(
        this.#row.workspaceId,
        { path: '/', provider: this.#row.name, properties: {} },
        { afterPath, limit: entriesPage, access: null },
      );
      for (const { entry } of page.items) total = await add(total, entry);
      const last = page.items.at(-1);
      if (!page.more || last === undefined) return total;
      afterPath = last.entry.path;
    }
  }
}

type WalkedEntry = Pick<FileEntry, 'path' | 'revision' | 'providerObjectId'>;

interface Difference {
  readonly file: PulledFile;
  /** Of the file in the workspace; 0: there is none. */
  readonly revision: number;
}

/**
 * The set of paths that a provider listed, in eight bytes each. Two paths with the same hash (one chance in 10^7 among a million)
 * count as one: then a deleted file remains.
 */
class PathSet {
  #slots = new BigUint64Array(startSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(path: string): boolean {
    return this.#slots[this.#slotOf(hashOfPath(path))] !== 0n;
  }

  /** false: it is there already. */
  add(path: string): boolean {
    const hash = hashOfPath(path);
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] !== 0n) return false;
    this.#slots[slot] = hash;
    this.#size += 1;
    if (this.#size > this.#slots.length * loadMax) this.#grow();
    return true;
  }

  /** Where it is, or where it would be. */
  #slotOf(hash: bigint): number {
    const mask = this.#slots.length - 1;
    let slot = Number(hash & BigInt(mask));
    while (this.#slots[slot] !== 0n && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new BigUint64Array(old.length * 2);
    for (const hash of old) if (hash !== 0n) this.#slots[this.#slotOf(hash)] = hash;
  }
}

function hashOfPath(path: string): bigint {
  // Zero marks a free slot.
  return createHash('sha256').update(path).digest().readBigUInt64LE() || 1n;
}
