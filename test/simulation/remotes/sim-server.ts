// Another server as a desktop meets it over a bad network: the real store's decisions behind calls that are lost, whose answers are lost,
// or that come late. With `isPlain` it is a server that names no contents in its lists and events.
import type { ChangeResult, FileChange } from '../../../server/core/change/change.ts';
import type { FileEntry } from '../../../server/core/entry.ts';
import { sha256Hex } from '../../../server/platform/crypto/hashes.ts';
import {
  type LargeWrite,
  type RemoteEvent,
  type RemoteEventPage,
  type RemoteFile,
  type RemoteRead,
  type RemoteServer,
  RemoteUnavailableError,
  type RemoteVersion,
  RemoteVersionGoneError,
  type RemoteWatchListener,
  type RemoteWrite,
  type RemoteWritten,
} from '../../../server/remotes/client/remote-server.ts';
import { inlineBlob } from '../../../server/store/contents/inline-content.ts';
import type { EventRow, Store } from '../../../server/store/port/store.ts';
import { createWorkspaceService, type WorkspaceService } from '../../../server/workspaces/service.ts';
import type { Scheduler } from '../scheduler.ts';
import type { SimStore } from '../store.ts';

export const serverWorkspaceId = 'rw_theserver';
const pageRows = 4;
/** A large content arrives so, each piece with a call of its own. */
const pieceBytes = 13;

export interface Network {
  /** Nothing passes. */
  isCut: boolean;
  /** One call in so many is lost, or its answer; 0: none. */
  lossOneIn: number;
}

/** The machine of the server. What it stores can be replaced: by an earlier state, or by nothing. */
export class SimHost {
  readonly #ends = new Set<() => void>();
  /** Requests of all desktops. */
  calls = 0;
  #store: SimStore;
  /** Of the store, as servers of this project have one. */
  #epoch = 0;

  constructor(store: SimStore) {
    this.#store = store;
  }

  get store(): SimStore {
    return this.#store;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Every connection breaks. */
  replace(store: SimStore): void {
    this.#store.close();
    this.#store = store;
    this.#epoch += 1;
    for (const end of [...this.#ends]) end();
  }

  onReplaced(end: () => void, signal: AbortSignal): void {
    this.#ends.add(end);
    signal.addEventListener('abort', () => this.#ends.delete(end), { once: true });
  }
}

export interface SimServerParts {
  readonly scheduler: Scheduler;
  readonly host: SimHost;
  readonly network: Network;
  /** The lane of the desktop's calls. */
  readonly lane: string;
  readonly isAlive: () => boolean;
  readonly isPlain: boolean;
  /** Larger contents are read in pieces. */
  readonly wholeBytesMax: number;
}

export class SimServer implements RemoteServer {
  readonly #parts: SimServerParts;
  /** The store with which the connections of the desktop are. */
  #store: SimStore;
  #epoch: number;
  #port: Store;
  #workspaces: WorkspaceService;

  constructor(parts: SimServerParts) {
    this.#parts = parts;
    this.#store = parts.host.store;
    this.#epoch = parts.host.epoch;
    [this.#port, this.#workspaces] = this.#opened();
  }

  #opened(): readonly [Store, WorkspaceService] {
    const { scheduler } = this.#parts;
    const port = this.#store.port(() => true);
    const clock = { nowMs: () => Math.floor(scheduler.wallMs) };
    return [port, createWorkspaceService({ store: port, clock, randomId: () => 'unused' })];
  }

  readonly clockOffsetMs = null;

  /** Of the store with which the connections are; each call names it. */
  get epoch(): string | null {
    return this.#parts.isPlain ? null : String(this.#epoch);
  }

  async identify(): Promise<'mooring' | 'other'> {
    return await this.#call('identify', () => (this.#parts.isPlain ? 'other' : 'mooring'));
  }

  async tip(): Promise<RemoteEvent | null> {
    return await this.#call('tip', () => this.#newest(null));
  }

  async eventAt(cursor: string): Promise<RemoteEvent | null> {
    return await this.#call('event', async () => {
      const event = await this.#newest(numberOf(cursor) + 1);
      return event?.cursor === cursor ? event : null;
    });
  }

  async revisionBefore(cursor: string): Promise<number | null> {
    const event = await this.#call('event', () => this.#newest(numberOf(cursor)));
    return event === null ? null : Number(event.revision.slice('rev_'.length));
  }

  async *list(directory: string): AsyncIterable<readonly RemoteFile[]> {
    let after: string | null = null;
    for (;;) {
      const position: string | null = after;
      const page: readonly FileEntry[] = await this.#call('list', () =>
        this.#workspaces.listFiles(serverWorkspaceId, directory, position, pageRows),
      );
      yield page.map(({ path, revision, hash, semantics }) => ({
        path,
        revision: `rev_${revision}`,
        hash: this.#parts.isPlain ? null : hash,
        metadata: Object.keys(semantics).length > 0 ? 'some' : 'none',
      }));
      after = page.at(-1)?.path ?? null;
      if (page.length < pageRows) return;
    }
  }

  async events(cursor: string | null): Promise<RemoteEventPage> {
    return await this.#call('events', async () => {
      const from = cursor === null ? 0 : numberOf(cursor);
      const { events, more } = await this.#port.events.after(serverWorkspaceId, from, pageRows);
      const last = events.at(-1);
      return {
        events: events.map((event) => this.#eventOf(event)),
        cursor: last === undefined ? cursor : this.#eventOf(last).cursor,
        more,
        gap: false,
      };
    });
  }

  watch(cursor: string | null, listener: RemoteWatchListener, signal: AbortSignal): void {
    const { scheduler, lane, network, host, isAlive } = this.#parts;
    const [port, store] = [this.#port, this.#store];
    let position = cursor === null ? 0 : numberOf(cursor);
    let isPosted = false;
    let isBroken = false;
    const isOpen = () => isAlive() && !signal.aborted && !isBroken;
    host.onReplaced(() => {
      if (!isOpen()) return;
      isBroken = true;
      listener.onEnd(new RemoteUnavailableError('the server was started again'));
    }, signal);
    const deliver = async () => {
      isPosted = false;
      if (!isOpen()) return;
      // Replaced between the last call and the watch.
      const isReplaced = store !== host.store;
      if (isReplaced || network.isCut || (network.lossOneIn > 0 && scheduler.chance(network.lossOneIn))) {
        listener.onEnd(new RemoteUnavailableError('the connection broke'));
        return;
      }
      const { events, more } = await port.events.after(serverWorkspaceId, position, pageRows);
      if (!isOpen()) return;
      for (const event of events) {
        position = event.seq;
        listener.onEvent(this.#eventOf(event));
      }
      if (more) wake();
    };
    const wake = () => {
      if (isPosted || !isOpen()) return;
      isPosted = true;
      scheduler.post(`${lane} events`, 'frames', () => void deliver());
    };
    const unsubscribe = port.onCommit(wake);
    signal.addEventListener('abort', unsubscribe, { once: true });
    wake();
  }

  async read(
    files: readonly Pick<RemoteFile, 'path' | 'metadata'>[],
    _signal: AbortSignal,
    contentBytesMax = this.#parts.wholeBytesMax,
  ): Promise<readonly RemoteRead[]> {
    const bytesMax = this.#parts.isPlain ? Number.POSITIVE_INFINITY : contentBytesMax;
    return await this.#call(`read ${files.map(({ path }) => path).join(' ')}`, () =>
      Promise.all(files.map(({ path, metadata }) => this.#readOne(path, metadata !== 'none', bytesMax))),
    );
  }

  async *readPieces(
    { path, revision, sizeBytes }: Pick<RemoteVersion, 'path' | 'revision' | 'sizeBytes'>,
    start: number,
  ): AsyncGenerator<Uint8Array> {
    for (let at = start; at < sizeBytes; at += pieceBytes) {
      const bytes = await this.#call(`piece ${at} of ${path}`, async () => {
        const entry = await this.#workspaces.getEntry(serverWorkspaceId, path);
        if (entry?.type !== 'file' || `rev_${entry.revision}` !== revision)
          throw new RemoteVersionGoneError(path);
        return await this.#workspaces.readContent(entry.hash);
      });
      if (bytes === null) throw new RemoteVersionGoneError(path);
      yield bytes.subarray(at, at + pieceBytes);
    }
  }

  async write(writes: readonly RemoteWrite[]): Promise<readonly RemoteWritten[]> {
    return await this.#call(`write ${writes.map(({ path }) => path).join(' ')}`, () =>
      this.#change(writes.map((write) => this.#writeOf(write))).map(resultOf),
    );
  }

  async writeLarge({ open, ...write }: LargeWrite): Promise<RemoteWritten> {
    const content = await open();
    if (content === null) return { kind: 'conflict' };
    const pieces: Uint8Array[] = [];
    for await (const bytes of content) pieces.push(bytes);
    const bytes = Buffer.concat(pieces);
    return await this.#call(`write the large ${write.path}`, () => {
      const [result] = this.#change([this.#writeOf({ ...write, bytes })]);
      return resultOf(result);
    });
  }

  #writeOf({
    path,
    expected,
    bytes,
    contentType,
    encoding,
    semantics,
    identity,
  }: Omit<RemoteWrite, 'semantics'> & Partial<Pick<RemoteWrite, 'semantics'>>): FileChange {
    return {
      kind: 'write_file',
      path,
      precondition: expected === '' ? { kind: 'absent' } : { kind: 'revision', revision: expected },
      content: inlineBlob(sha256Hex(bytes), bytes),
      contentType,
      defaultContentType: 'text/plain',
      encoding,
      ...(semantics === undefined ? {} : { semantics }),
      ...(this.#parts.isPlain || semantics === undefined ? {} : { replacesSemantics: true }),
      contentIdentity: { kind: 'mooring-remote', key: identity, ttlSeconds: 604_800 },
    };
  }

  async remove(path: string, expected: string): Promise<RemoteWritten> {
    return await this.#call(`remove ${path}`, () => {
      const [result] = this.#change([
        { kind: 'delete_file', path, precondition: { kind: 'revision', revision: expected } },
      ]);
      if (result?.ok === false && result.code === 'not_found') return { kind: 'written', revision: '' };
      return resultOf(result);
    });
  }

  #change(changes: readonly FileChange[]): readonly ChangeResult[] {
    const { scheduler, lane } = this.#parts;
    return this.#store.commit({
      name: 'change_files',
      input: {
        kind: 'change_files',
        workspaceId: serverWorkspaceId,
        changes,
        atomic: false,
        actor: { kind: 'token', name: lane, tokenId: null },
        origin: 'agent_write',
        access: null,
        correlationId: '',
        makesOperations: false,
        atMs: Math.floor(scheduler.wallMs),
      },
    }) as readonly ChangeResult[];
  }

  async #readOne(path: string, withMetadata: boolean, bytesMax: number): Promise<RemoteRead> {
    const entry = await this.#workspaces.getEntry(serverWorkspaceId, path);
    if (entry?.type !== 'file') return { kind: 'missing' };
    const bytes = await this.#workspaces.readContent(entry.hash);
    if (bytes === null) return { kind: 'failed', message: 'no content' };
    const { revision, hash, contentType, encoding, semantics } = entry;
    return {
      kind: 'file',
      version: {
        ...{ path, hash, contentType, encoding },
        sizeBytes: bytes.length,
        bytes: bytes.length > bytesMax ? null : bytes,
        revision: `rev_${revision}`,
        semantics: withMetadata ? semantics : null,
      },
    };
  }

  async #newest(before: number | null): Promise<RemoteEvent | null> {
    const { events } = await this.#port.events.list(serverWorkspaceId, {
      ...{ direction: 'desc', from: before, limit: 1, pathPrefix: null, provider: null, access: null },
    });
    return events[0] === undefined ? null : this.#eventOf(events[0]);
  }

  #eventOf({ seq, type, path, revision, hash, atMs }: EventRow): RemoteEvent {
    const epoch = this.epoch === null ? '' : this.#parts.host.epoch;
    return {
      // Another server uses the number for another event.
      cursor: `evt_${seq}~${sha256Hex(`${type} ${path} ${revision} ${atMs} ${epoch}`).slice(0, 8)}`,
      type,
      path,
      revision: revision === null ? '' : `rev_${revision}`,
      hash: this.#parts.isPlain ? null : hash,
    };
  }

  async #call<T>(label: string, act: () => T | Promise<T>): Promise<T> {
    const { scheduler, lane, network, isAlive, host } = this.#parts;
    host.calls += 1;
    const lost = () => network.isCut || (network.lossOneIn > 0 && scheduler.chance(network.lossOneIn));
    await scheduler.hop(lane, label, isAlive);
    if (lost() || this.#wasReplaced(label))
      throw new RemoteUnavailableError(`${label}: the request was lost`);
    const result = await act();
    await scheduler.hop(lane, `answer of ${label}`, isAlive);
    if (lost() || this.#wasReplaced(label)) throw new RemoteUnavailableError(`${label}: the answer was lost`);
    return result;
  }

  /** Without an epoch true once: the first call over a connection to the former server fails. With one until the next connection. */
  #wasReplaced(label: string): boolean {
    const { store } = this.#parts.host;
    if (store === this.#store) return false;
    const isConnecting = label === 'identify';
    if (this.epoch !== null && !isConnecting) return true;
    this.#store = store;
    this.#epoch = this.#parts.host.epoch;
    [this.#port, this.#workspaces] = this.#opened();
    return !(this.epoch !== null && isConnecting);
  }
}

function resultOf(result: ChangeResult | undefined): RemoteWritten {
  if (result?.ok === true) return { kind: 'written', revision: `rev_${result.revision}` };
  if (result === undefined) throw new Error('a change has no result');
  if (result.code === 'revision_conflict' || result.code === 'not_found') return { kind: 'conflict' };
  return { kind: 'refused', message: result.message };
}

function numberOf(eventId: string): number {
  return Number.parseInt(eventId.slice('evt_'.length), 10);
}
