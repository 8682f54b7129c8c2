// One WebSocket stream: catch-up, then live events, each as a JSON frame. It buffers a bounded number of frames; events that it has
// not read yet are in the store.

import type { RawData, WebSocket } from 'ws';
import { waitUntil } from '../../platform/clock.ts';
import { parseId } from '../../platform/crypto/ids.ts';
import type { EventRow, EventSubscription } from '../../workspaces/event-feed.ts';
import { createPathFilter, type FileEntry } from '../../workspaces/model.ts';
import type { Caller } from '../base/access.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import {
  socketBufferedFramesMax,
  socketInlineBufferedBytesMax,
  socketInlineContentBytesMax,
  socketLegacyCatchUpEvents,
  socketPacedFrames,
  socketPaceMs,
  socketsInlineBytesMax,
} from '../base/limits.ts';
import type { Query } from '../base/query.ts';
import { wireTime } from '../wire/records.ts';
import { closeCodes } from './close-codes.ts';
import type { SharedFrames } from './shared-frames.ts';

type ConnectionDependencies = Pick<HttpDependencies, 'feed' | 'workspaces' | 'clock' | 'log'>;

/** Unsent bytes of inline contents of all streams. */
export interface InlineBytes {
  held: number;
}

interface Stream {
  readonly inline: InlineBytes;
  readonly frames: SharedFrames;
  readonly workspaceId: string;
  readonly caller: Caller;
  readonly query: Query;
}

interface Frame {
  readonly bytes: Buffer;
  /** Of its content. */
  readonly heldBytes: number;
}

export class SocketConnection {
  readonly workspaceId: string;
  readonly caller: Caller;
  /** Resolves once the connection is closed. */
  readonly ended: Promise<void>;
  readonly #dependencies: ConnectionDependencies;
  readonly #socket: WebSocket;
  readonly #query: Query;
  readonly #matches: (path: string) => boolean;
  readonly #gone = new AbortController();
  #subscription: EventSubscription | null = null;
  /** Newest event at the start of the stream; up to it the stream waits for the client without a limit. */
  #catchUpEnd = 0;
  #framesUnsent = 0;
  readonly #inline: InlineBytes;
  readonly #frames: SharedFrames;
  /** The share of this stream. */
  #inlineHeld = 0;
  #drained: (() => void) | null = null;
  #answered = true;

  constructor(dependencies: ConnectionDependencies, socket: WebSocket, stream: Stream) {
    this.#dependencies = dependencies;
    this.#socket = socket;
    this.workspaceId = stream.workspaceId;
    this.caller = stream.caller;
    this.#query = stream.query;
    this.#inline = stream.inline;
    this.#frames = stream.frames;
    this.#matches = createPathFilter(stream.query.all('path'));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    socket.once('close', () => {
      this.#stop();
      this.#release(this.#inlineHeld);
      resolve();
    });
    // ws closes the connection after an error (a frame that is too large, a broken socket).
    socket.on('error', () => this.#stop());
    socket.on('pong', () => {
      this.#answered = true;
    });
    socket.on('message', (data) => this.#receive(data));
  }

  start(): void {
    this.#run(() => this.#expire());
    this.#run(() => this.#begin());
  }

  close(code: number, reason: string): void {
    this.#stop();
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Terminates the connection when the last ping was not answered. */
  heartbeat(): void {
    if (this.#answered) {
      this.#answered = false;
      this.#socket.ping();
    } else this.terminate();
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#gone.signal.aborted) return;
    this.#dependencies.log.error({ err: error, workspaceId: this.workspaceId }, 'a stream failed');
    this.close(closeCodes.internalError, 'failed to load events');
  }

  #stop(): void {
    this.#gone.abort();
    this.#subscription?.close();
    this.#drained?.();
  }

  async #expire(): Promise<void> {
    const { clock } = this.#dependencies;
    const { expiresAtMs } = this.caller.token;
    await waitUntil(clock, expiresAtMs, this.#gone.signal);
    if (!this.#gone.signal.aborted) this.close(closeCodes.policyViolation, 'token expired');
  }

  async #begin(): Promise<void> {
    const { feed } = this.#dependencies;
    const tip = await feed.tip(this.workspaceId);
    this.#catchUpEnd = tip;
    const cursor = this.#query.text('cursor');
    let from = tip;
    if (cursor !== undefined) {
      const position = parseId(cursor, 'evt_');
      // An id that was never issued starts at the tip.
      if (position !== null && position <= tip) {
        if (await feed.isGone(this.workspaceId, position))
          return this.close(closeCodes.cursorExpired, 'cursor expired');
        from = position;
      }
    } else if (this.#query.first('from') !== 'now') await this.#sendLatest(tip);
    if (this.#gone.signal.aborted) return;
    this.#subscription = feed.subscribe({
      workspaceId: this.workspaceId,
      from,
      access: this.caller.access,
      onEvents: (events) => this.#sendAll(events),
      onError: (error) => this.#fail(error),
    });
  }

  /** A client without a cursor first gets the newest events up to the tip, like from the reference. */
  async #sendLatest(tip: number): Promise<void> {
    const { events } = await this.#dependencies.feed.page(this.workspaceId, {
      direction: 'desc',
      from: tip + 1,
      limit: socketLegacyCatchUpEvents,
      pathPrefix: null,
      provider: null,
      access: this.caller.access,
    });
    await this.#sendAll(events.toReversed());
  }

  async #sendAll(events: readonly EventRow[]): Promise<void> {
    for (const event of events) {
      if (!this.#matches(event.path)) continue;
      if (event.seq <= this.#catchUpEnd) await this.#capacity();
      const { bytes, heldBytes } = await this.#frameOf(event);
      if (this.#gone.signal.aborted) return;
      this.#send(bytes, heldBytes);
      if (this.#framesUnsent > socketBufferedFramesMax) {
        const { workspaceId, caller } = this;
        this.#dependencies.log.warn(
          { workspaceId, agent: caller.token.agent, framesUnsent: this.#framesUnsent },
          'closed a stream whose client reads too slowly',
        );
        return this.close(closeCodes.tryAgainLater, 'event stream overflow; reconnect from cursor');
      }
    }
    if (!this.#hasCapacity()) await Promise.race([this.#capacity(), this.#pause()]);
  }

  #hasCapacity(): boolean {
    return (
      this.#framesUnsent <= socketPacedFrames && this.#socket.bufferedAmount <= socketInlineBufferedBytesMax
    );
  }

  async #capacity(): Promise<void> {
    while (!this.#hasCapacity() && !this.#gone.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
  }

  async #pause(): Promise<void> {
    await this.#dependencies.clock.delay(socketPaceMs, this.#gone.signal);
  }

  #send(frame: Buffer, inlineBytes = 0): void {
    this.#framesUnsent += 1;
    // The socket closes after an error.
    this.#socket.send(frame, { binary: false }, () => {
      this.#framesUnsent -= 1;
      this.#release(inlineBytes);
      this.#drained?.();
    });
  }

  #reserve(bytes: number): void {
    this.#inlineHeld += bytes;
    this.#inline.held += bytes;
  }

  /** Bytes that a closed socket never sent were released when it closed. */
  #release(bytes: number): void {
    const count = Math.min(bytes, this.#inlineHeld);
    this.#inlineHeld -= count;
    this.#inline.held -= count;
  }

  /** The event, with the content of a small file if it is still the event's revision and the unsent bytes are within the limits. */
  async #frameOf(row: EventRow): Promise<Frame> {
    const plain = { bytes: this.#frames.plain(row), heldBytes: 0 };
    if (row.type !== 'file.created' && row.type !== 'file.updated') return plain;
    if (this.#socket.bufferedAmount > socketInlineBufferedBytesMax) return plain;
    const entry = (await this.#frames.find(row)) ?? (await this.#readable(row));
    if (entry === null || entry.revision !== row.revision) return plain;
    const heldBytes = entry.sizeBytes;
    if (heldBytes > socketInlineContentBytesMax || this.#inline.held + heldBytes > socketsInlineBytesMax)
      return plain;
    // A closed stream has released its bytes; one that closes later releases these.
    if (this.#gone.signal.aborted) return plain;
    // Reserved before the read, because other streams read at the same time.
    this.#reserve(heldBytes);
    const bytes = await this.#frames.withContent(row, entry);
    if (bytes !== null) return { bytes, heldBytes };
    this.#release(heldBytes);
    return plain;
  }

  /** The file of the event if this caller may read it. */
  async #readable(row: EventRow): Promise<FileEntry | null> {
    const { workspaces } = this.#dependencies;
    const { entry, allowed } = await workspaces.getFile(this.workspaceId, row.path, this.caller.access);
    return allowed ? entry : null;
  }

  #receive(data: RawData): void {
    let message: unknown;
    try {
      message = JSON.parse(String(data));
    } catch {
      this.close(closeCodes.invalidPayload, 'failed to unmarshal JSON');
      return;
    }
    if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'ping')
      return;
    // The client sends pings without reading the responses.
    if (this.#framesUnsent > socketBufferedFramesMax) this.terminate();
    else {
      const pong = { type: 'pong', timestamp: wireTime(this.#dependencies.clock.nowMs()) };
      this.#send(Buffer.from(JSON.stringify(pong)));
    }
  }
}
