// A live subscription: events in order, without duplicates and without loss over a reconnect. It uses the WebSocket, and polls the feed
// where the socket is unavailable. It ends only on close, on 401, 403 or 404, on an argument that cannot be sent, and
// on an error that a listener throws.
import { ForbiddenError, InvalidArgumentError, NotFoundError, UnauthorizedError } from './errors.ts';
import { matchesAny, prefixesOf } from './live-paths.ts';
import { openSocket, type SocketEnd, type SocketFactory } from './live-socket.ts';
import { pause } from './transport.ts';
import type { EventFrame, Events, EventsOptions } from './types.ts';

/** Pauses between attempts double from the first to the last, with jitter. */
const backoffMsFirst = 250;
const backoffMsLast = 5_000;
/** After a socket was open this long, the next attempt starts with the first backoff. */
const stableMs = 5_000;
const pollPageEvents = 1_000;
/** Maximum number of frames that are buffered while the feed is read. Above it the subscription reconnects. */
const bufferedFramesMax = 10_000;

/** `live`: over the WebSocket. `polling`: from the feed, with a delay. `offline`: no response from the agent. */
export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'polling'; readonly reason: string }
  | { readonly kind: 'offline'; readonly reason: string; readonly retryAtMs: number }
  | { readonly kind: 'closed'; readonly error: unknown };

export interface SubscribeOptions {
  /** Called in commit order. `content` is inline for small files over the WebSocket. */
  readonly onEvent: (event: EventFrame) => void;
  /** Called on each change of state. */
  readonly onState?: (state: LiveState) => void;
  /** Called when events since the last one are no longer retained. Read the files again. */
  readonly onGap?: () => void;
  /** First event: `now` (default), `start` (all retained events), or after an event id. */
  readonly from?: 'now' | 'start' | (string & {});
  /** Only these paths: exact, `*` for one segment, `**` at the end for all descendants. Default: all. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Subscription {
  readonly state: LiveState;
  /** The last event that was delivered or skipped. Pass it as `from` to continue later. */
  readonly cursor: string | null;
  close(): void;
  /** Resolves when the state is `closed`. Never rejects. */
  readonly closed: Promise<void>;
}

/** The part of the client that a subscription uses. */
export interface LiveConnection {
  readonly baseUrl: string;
  token(): Promise<string | undefined>;
  getEvents(query: EventsOptions): Promise<Events>;
  readonly webSocket?: SocketFactory;
}

export function subscribe(
  connection: LiveConnection,
  workspaceId: string,
  options: SubscribeOptions,
): Subscription {
  return new LiveSubscription(connection, workspaceId, options);
}

class LiveSubscription implements Subscription {
  readonly closed: Promise<void>;
  #state: LiveState = { kind: 'connecting' };
  /** The number in the last `evt_<n>`. null: no event yet. */
  #position: number | null = null;
  #started = false;
  readonly #connection: LiveConnection;
  readonly #workspaceId: string;
  readonly #options: SubscribeOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;

  constructor(connection: LiveConnection, workspaceId: string, options: SubscribeOptions) {
    this.#connection = connection;
    this.#workspaceId = workspaceId;
    this.#options = options;
    this.#signal =
      options.signal === undefined ? this.#stop.signal : AbortSignal.any([options.signal, this.#stop.signal]);
    const from = options.from ?? 'now';
    if (from !== 'now') this.#started = true;
    if (from !== 'now' && from !== 'start') this.#position = sequenceOf(from);
    this.closed = this.#run();
  }

  get state(): LiveState {
    return this.#state;
  }

  get cursor(): string | null {
    return this.#position === null ? null : `evt_${this.#position}`;
  }

  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    let error: unknown = null;
    try {
      await this.#loop();
    } catch (caught) {
      error = this.#signal.aborted ? null : caught;
    }
    this.#stop.abort();
    this.#setState({ kind: 'closed', error });
  }

  /** Reads the feed, listens on the socket until it ends, and repeats. Reading first distinguishes an offline agent from a refused socket. */
  async #loop(): Promise<void> {
    let failures = 0;
    let socketReason: string | null = null;
    for (;;) {
      const unreachable = await this.#catchUp();
      if (unreachable === null) {
        if (socketReason !== null && failures > 1) this.#setState({ kind: 'polling', reason: socketReason });
        const end = await this.#listen();
        failures = end.livedMs >= stableMs ? 0 : failures + 1;
        socketReason = end.opened ? null : end.reason;
        if (end.gap) this.#forgetPosition();
      } else {
        failures += 1;
      }
      const delayMs = backoffMs(failures);
      if (unreachable !== null) {
        this.#setState({ kind: 'offline', reason: unreachable, retryAtMs: Date.now() + delayMs });
      } else if (this.#state.kind === 'live') {
        this.#setState({ kind: 'connecting' });
      }
      await pause(delayMs, this.#signal);
    }
  }

  /** null: success. Otherwise the reason why the agent is unreachable. Throws errors that a retry cannot change. */
  async #catchUp(): Promise<string | null> {
    try {
      if (!this.#started) await this.#findTip();
      await this.#drain();
      return null;
    } catch (error) {
      if (error instanceof ListenerError) throw error.cause;
      this.#signal.throwIfAborted();
      if (isFinal(error)) throw error;
      return messageOf(error);
    }
  }

  /** `now` is the newest event below the paths that the token can read. */
  async #findTip(): Promise<void> {
    const prefixes = prefixesOf(this.#options.paths);
    const pages = await Promise.all(
      prefixes.map((path) =>
        this.#connection.getEvents({ path, direction: 'desc', limit: 1, signal: this.#signal }),
      ),
    );
    const newest = pages.flatMap((page) => page.events.map((event) => sequenceOf(event.eventId)));
    if (newest.length > 0) this.#position = Math.max(...newest);
    this.#started = true;
  }

  /** Delivers all events after the position, over all prefixes, in order. */
  async #drain(): Promise<void> {
    const prefixes = prefixesOf(this.#options.paths);
    for (;;) {
      const { cursor } = this;
      const pages = await Promise.all(
        prefixes.map((path) =>
          this.#connection.getEvents({
            path,
            limit: pollPageEvents,
            signal: this.#signal,
            ...(cursor === null ? {} : { cursor }),
          }),
        ),
      );
      if (pages.some((page) => page.cursorGap)) this.#call(() => this.#options.onGap?.());
      // A page has no events after its cursor, so the order is known only up to the lowest cursor.
      const horizon = Math.min(
        ...pages.map((page) =>
          page.nextCursor === null ? Number.POSITIVE_INFINITY : sequenceOf(page.nextCursor),
        ),
      );
      const events = pages
        .flatMap((page) => page.events)
        .filter((event) => sequenceOf(event.eventId) <= horizon)
        .sort((left, right) => sequenceOf(left.eventId) - sequenceOf(right.eventId));
      for (const event of events) this.#deliver(event);
      if (horizon === Number.POSITIVE_INFINITY) return;
      this.#position = Math.max(this.#position ?? 0, horizon);
    }
  }

  /** Delivers events of the socket until it ends. */
  async #listen(): Promise<SocketEnd> {
    const { cursor } = this;
    // Without a position the socket starts with the next event. Earlier events are read from the feed first.
    let buffered: EventFrame[] | null = cursor === null ? [] : null;
    return await openSocket({
      connection: this.#connection,
      workspaceId: this.#workspaceId,
      cursor,
      paths: this.#options.paths ?? [],
      signal: this.#signal,
      onOpen: async () => {
        if (buffered !== null) await this.#drain();
        for (const frame of buffered ?? []) this.#deliver(frame);
        buffered = null;
        this.#setState({ kind: 'live' });
      },
      onFrame: (frame) => {
        if (buffered === null) this.#deliver(frame);
        else if (buffered.push(frame) > bufferedFramesMax)
          throw new Error('too many events while catching up');
      },
    }).catch((error: unknown) => {
      if (error instanceof ListenerError) throw error.cause;
      this.#signal.throwIfAborted();
      if (isFinal(error)) throw error;
      return { opened: true, livedMs: 0, reason: messageOf(error), gap: false };
    });
  }

  #forgetPosition(): void {
    this.#position = null;
    this.#started = false;
    this.#call(() => this.#options.onGap?.());
  }

  #deliver(event: EventFrame): void {
    const sequence = sequenceOf(event.eventId);
    if (this.#position !== null && sequence <= this.#position) return;
    this.#position = sequence;
    if (this.#signal.aborted || !matchesAny(this.#options.paths, event.path)) return;
    this.#call(() => this.#options.onEvent(event));
  }

  #setState(state: LiveState): void {
    const before = this.#state;
    if (state.kind === before.kind && state.kind !== 'offline') return;
    this.#state = state;
    this.#call(() => this.#options.onState?.(state));
  }

  /** Distinguishes errors of a listener from errors of the connection. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      throw new ListenerError('a listener threw', { cause: error });
    }
  }
}

class ListenerError extends Error {
  override readonly name = 'ListenerError';
}

function isFinal(error: unknown): boolean {
  return (
    error instanceof UnauthorizedError ||
    error instanceof ForbiddenError ||
    error instanceof NotFoundError ||
    error instanceof InvalidArgumentError
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sequenceOf(eventId: string): number {
  const sequence = Number(eventId.replace(/^evt_/, ''));
  if (!Number.isSafeInteger(sequence)) throw new TypeError(`${eventId} is not an event id`);
  return sequence;
}

function backoffMs(failures: number): number {
  const fullMs = Math.min(backoffMsFirst * 2 ** Math.max(0, failures - 1), backoffMsLast);
  return fullMs * (0.5 + Math.random() / 2);
}
