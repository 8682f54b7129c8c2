// The other server over HTTP and WebSocket, through the client SDK. It follows no redirection, repeats nothing automatically, and turns
// answers into results; loop/ decides what happens then.
import { type EventsOptions, MooringClient, MooringError, type Tree } from '../../../sdk/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { identityTtlSeconds, requestTimeoutMs, wholeBytesMax } from '../limits.ts';
import {
  ask,
  askWhole,
  eventIdOf,
  eventOf,
  identityKind,
  isCursorOf,
  numberOf,
  textOf,
  wholeErrorOf,
} from './answers.ts';
import { Bandwidth } from './bandwidth.ts';
import { FileReader } from './file-reader.ts';
import { LargeContents } from './large-contents.ts';
import {
  type LargeWrite,
  type RemoteEvent,
  type RemoteEventPage,
  type RemoteFile,
  type RemoteRead,
  type RemoteServer,
  RemoteUnavailableError,
  type RemoteWatchListener,
  type RemoteWrite,
  type RemoteWritten,
} from './remote-server.ts';

/** Levels of a tree that is listed whole. */
const wholeTree = 100;
const eventsPageRows = 1_000;
/** Events without a revision that may follow each other: those of syncs and of failures. */
const revisionEventsMax = 100;
const epochHeader = 'mooring-epoch';

export interface V1ServerOptions {
  readonly url: string;
  readonly workspaceId: string;
  /** The current token. */
  readonly token: () => Promise<string>;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
}

export class V1Server implements RemoteServer {
  readonly up: Bandwidth;
  readonly down: Bandwidth;
  readonly #client: MooringClient;
  readonly #workspaceId: string;
  readonly #reader: FileReader;
  readonly #large: LargeContents;

  clockOffsetMs: number | null = null;
  #epoch: string | null = null;

  constructor({ url, workspaceId, token, clock, fetch = globalThis.fetch }: V1ServerOptions) {
    this.up = new Bandwidth(clock);
    this.down = new Bandwidth(clock);
    this.#workspaceId = workspaceId;
    this.#client = new MooringClient({
      baseUrl: url,
      token,
      timeoutMs: requestTimeoutMs,
      retry: { retries: 0 },
      // A redirection would carry the token to another server.
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set(epochHeader, this.#epoch ?? '*');
        const answer = await fetch(input, { ...init, headers, redirect: 'manual' });
        this.#checkEpoch(answer);
        const atMs = Date.parse(answer.headers.get('date') ?? '');
        if (!Number.isNaN(atMs)) this.clockOffsetMs = atMs - clock.nowMs();
        return answer;
      },
    });
    this.#reader = new FileReader(this.#client, workspaceId, this.down);
    this.#large = new LargeContents(this.#client, workspaceId, this);
  }

  get epoch(): string | null {
    return this.#epoch;
  }

  /** Such an answer counts as none: the next connection finds out what the server is. */
  #checkEpoch(answer: Response): void {
    const epoch = answer.headers.get(epochHeader);
    if (this.#epoch !== null && (epoch === null ? answer.ok : epoch !== this.#epoch)) {
      void answer.body?.cancel();
      throw new Error('the server was restored, or another one answers at its address');
    }
    this.#epoch ??= epoch;
  }

  async identify(signal: AbortSignal): Promise<'mooring' | 'other'> {
    // The answer confirms the address, the token and the workspace.
    return await askWhole(async () => {
      await this.#client.files.tree(this.#workspaceId, { path: '/', depth: 1, signal });
      return (await this.#reader.findOut(signal)) ? 'mooring' : 'other';
    });
  }

  async tip(signal: AbortSignal): Promise<RemoteEvent | null> {
    const [newest] = await this.#events({ direction: 'desc', limit: 1, signal });
    return newest ?? null;
  }

  async eventAt(cursor: string, signal: AbortSignal): Promise<RemoteEvent | null> {
    const number = numberOf(eventIdOf(cursor), 'evt_');
    if (number === null) return null;
    // Nothing happened since, which no server takes for an unknown cursor, as it does the number after the last one.
    const [newest] = await this.#events({ direction: 'desc', limit: 1, signal });
    if (newest !== undefined && isCursorOf(newest, cursor)) return newest;
    const [event] = await this.#events({ direction: 'desc', limit: 1, cursor: `evt_${number + 1}`, signal });
    return event !== undefined && isCursorOf(event, cursor) ? event : null;
  }

  async revisionBefore(cursor: string, signal: AbortSignal): Promise<number | null> {
    const before = {
      direction: 'desc',
      limit: revisionEventsMax,
      cursor: eventIdOf(cursor),
      signal,
    } as const;
    const revisions = (await this.#events(before)).map(({ revision }) => numberOf(revision, 'rev_'));
    return revisions.find((revision) => revision !== null) ?? null;
  }

  async *list(directory: string, signal: AbortSignal): AsyncIterable<readonly RemoteFile[]> {
    let cursor: string | null = null;
    do {
      const position: string | null = cursor;
      const page: Tree = await askWhole(() =>
        this.#client.files.tree(this.#workspaceId, {
          path: directory,
          depth: wholeTree,
          signal,
          ...(position === null ? {} : { cursor: position }),
        }),
      );
      yield page.entries.flatMap((entry): readonly RemoteFile[] => {
        if (entry.type !== 'file') return [];
        const { path, revision, contentHash, propertyCount, relationCount, permissionCount, commentCount } =
          entry;
        const counts = [propertyCount, relationCount, permissionCount, commentCount];
        const metadata = counts.some((count) => (count ?? 0) > 0) ? 'some' : 'none';
        return [{ path, revision, hash: contentHash ?? null, metadata }];
      });
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  async events(cursor: string | null, signal: AbortSignal): Promise<RemoteEventPage> {
    const page = await askWhole(() =>
      this.#client.events.page(this.#workspaceId, {
        limit: eventsPageRows,
        signal,
        ...(cursor === null ? {} : { cursor: eventIdOf(cursor) }),
      }),
    );
    const events = page.events.map((event) => eventOf(event, this.#epoch));
    return {
      events,
      cursor: page.nextCursor ?? events.at(-1)?.cursor ?? cursor,
      more: page.nextCursor !== null,
      gap: page.cursorGap,
    };
  }

  watch(cursor: string | null, listener: RemoteWatchListener, signal: AbortSignal): void {
    let wasLive = false;
    this.#client.events.subscribe(this.#workspaceId, {
      from: cursor === null ? 'start' : eventIdOf(cursor),
      onEvent: (event) => listener.onEvent(eventOf(event, this.#epoch)),
      onGap: () => listener.onGap(),
      onState: (state) => {
        if (signal.aborted) return;
        // The server may be another one, or restored, when it answers again: the loop has to look.
        if (wasLive && state.kind === 'connecting')
          listener.onEnd(new RemoteUnavailableError('the connection was interrupted'));
        wasLive ||= state.kind === 'live';
        if (state.kind === 'offline') listener.onEnd(new RemoteUnavailableError(state.reason));
        else if (state.kind === 'closed') listener.onEnd(wholeErrorOf(state.error));
      },
      signal,
    });
  }

  async read(
    files: readonly Pick<RemoteFile, 'path' | 'metadata'>[],
    signal: AbortSignal,
    contentBytesMax = wholeBytesMax,
  ): Promise<readonly RemoteRead[]> {
    return await this.#reader.read(files, signal, contentBytesMax);
  }

  readPieces(
    version: Parameters<RemoteServer['readPieces']>[0],
    start: number,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    return this.#large.read(version, start, signal);
  }

  async writeLarge(write: LargeWrite, signal: AbortSignal): Promise<RemoteWritten> {
    return await this.#large.write(write, signal);
  }

  async write(writes: readonly RemoteWrite[], signal: AbortSignal): Promise<readonly RemoteWritten[]> {
    try {
      return await this.#writeMany(writes, signal);
    } catch (error) {
      if (!(error instanceof MooringError) || error.status !== 413) throw error;
      if (writes.length <= 1)
        return writes.map(() => ({ kind: 'refused', message: 'it is larger than the server accepts' }));
      // A smaller limit than ours: the parts may be within it.
      const half = Math.ceil(writes.length / 2);
      return [
        ...(await this.write(writes.slice(0, half), signal)),
        ...(await this.write(writes.slice(half), signal)),
      ];
    }
  }

  async #writeMany(writes: readonly RemoteWrite[], signal: AbortSignal): Promise<readonly RemoteWritten[]> {
    const sizeBytes = writes.reduce((sum, { bytes }) => sum + bytes.length, 0);
    await this.up.take(sizeBytes, signal);
    const files = writes.map(({ path, expected, bytes, contentType, encoding, semantics, identity }) => ({
      path,
      content: encoding === 'base64' ? bytes : textOf(bytes),
      contentType,
      ifMatch: expected === '' ? '0' : expected,
      contentIdentity: { kind: identityKind, key: identity, ttlSeconds: identityTtlSeconds },
      semantics,
      // Without it, empty metadata would leave that of the file unchanged.
      replaceSemantics: true,
    }));
    const result = await ask(() => this.#client.files.writeMany(this.#workspaceId, files, { signal })).catch(
      (error: unknown) => {
        if (error instanceof MooringError && error.status === 403) return error;
        throw error;
      },
    );
    // A token that may only read: what is here is listed, and what is there still arrives.
    if (result instanceof MooringError)
      return writes.map(() => ({ kind: 'forbidden', message: result.message }));
    // The results are those of the accepted files, so both lists are matched by path.
    const written = new Map(result.results.map(({ path, revision }) => [path, revision]));
    await this.#writeMetadata(writes, written, signal);
    const refused = new Map(result.errors.map((error) => [error.path, error]));
    return writes.map(({ path }): RemoteWritten => {
      const revision = written.get(path);
      if (revision !== undefined) return { kind: 'written', revision };
      const error = refused.get(path);
      if (error === undefined) throw new RemoteUnavailableError(`the server did not answer for ${path}`);
      if (error.code === 'conflict' || error.code === 'revision_conflict' || error.code === 'not_found')
        return { kind: 'conflict' };
      if (error.code === 'forbidden') return { kind: 'forbidden', message: error.message };
      return { kind: 'refused', message: error.message };
    });
  }

  /** Other servers take no metadata in a write of many. Changes the revisions of the files that have some. */
  async #writeMetadata(
    writes: readonly RemoteWrite[],
    written: Map<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    if (await ask(() => this.#reader.findOut(signal))) return;
    for (const { path, bytes, encoding, contentType, semantics } of writes) {
      const ifMatch = written.get(path);
      if (ifMatch === undefined || Object.keys(semantics).length === 0) continue;
      const content = encoding === 'base64' ? bytes : textOf(bytes);
      const options = { ifMatch, contentType, semantics, signal };
      try {
        const { targetRevision } = await ask(() =>
          this.#client.files.write(this.#workspaceId, path, content, options),
        );
        written.set(path, targetRevision);
      } catch (error) {
        // Changed there since, or by this write before an answer was lost: its event says what is there.
        if (!(error instanceof MooringError)) throw error;
      }
    }
  }

  async remove(path: string, expected: string, signal: AbortSignal): Promise<RemoteWritten> {
    try {
      const { targetRevision } = await ask(() =>
        this.#client.files.delete(this.#workspaceId, path, { ifMatch: expected, signal }),
      );
      return { kind: 'written', revision: targetRevision };
    } catch (error) {
      if (!(error instanceof MooringError)) throw error;
      if (error.status === 404) return { kind: 'written', revision: '' };
      if (error.status === 409) return { kind: 'conflict' };
      if (error.status === 403) return { kind: 'forbidden', message: error.message };
      return { kind: 'refused', message: error.message };
    }
  }

  async #events(query: EventsOptions): Promise<readonly RemoteEvent[]> {
    const page = await askWhole(() => this.#client.events.page(this.#workspaceId, query));
    return page.events.map((event) => eventOf(event, this.#epoch));
  }
}
