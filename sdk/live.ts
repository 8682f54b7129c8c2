// A live subscription: events in order, none twice, none lost over a reconnect. It prefers the WebSocket; where that cannot be
// had it asks the feed again and again, and says so. It never ends by itself except on an answer that trying again cannot
// change (401, 403, 404) or on an error that a listener threw.
import { ForbiddenError, NotFoundError, UnauthorizedError } from './errors.ts';
import { matchesAny, prefixesOf } from './live-paths.ts';
import { openSocket, type SocketEnd, type SocketFactory } from './live-socket.ts';
import { pause } from './transport.ts';
import type { EventFrame, Events, EventsOptions } from './types.ts';

/** Pauses between attempts double from the first to the last, with jitter. */
const backoffMsFirst = 250;
const backoffMsLast = 5_000;
/** A socket that lived this long was a working one: the next attempt starts without a penalty. */
const steadyMs = 5_000;
const pollPageEvents = 1_000;
/** Frames that may wait while the seam is closed; more means: start over. */
const heldFramesMax = 10_000;

/** `live`: over the WebSocket. `polling`: events still come, later. `offline`: the agent does not answer. */
export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'polling'; readonly reason: string }
  | { readonly kind: 'offline'; readonly reason: string; readonly retryAtMs: number }
  | { readonly kind: 'closed'; readonly error: unknown };

export interface SubscribeOptions {
  /** In order of commit. `content` is inline where the socket brought it and the file is small. */
  readonly onEvent: (event: EventFrame) => void;
  /** Only changes of state are told. */
  readonly onState?: (state: LiveState) => void;
  /** Events between the last one and the next are no longer kept: read again what you show. */
  readonly onGap?: () => void;
  /** Where to begin: `now` (default), `start` (everything kept), or after an event id. */
  readonly from?: 'now' | 'start' | (string & {});
  /** Only these paths: exact, `*` for one segment, `**` at the end for everything below. Default: all. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Subscription {
  readonly state: LiveState;
  /** The last event that was delivered or skipped; hand it to `from` to go on later. */
  readonly cursor: string | null;
  close(): void;
  /** Resolves when the state is `closed`; never rejects. */
  readonly closed: Promise<void>;
}

/** What a subscription needs of the client. */
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
  /** The integer of the last `evt_<n>`; null: nothing was seen yet. */
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
    this.#say({ kind: 'closed', error });
  }

  /** Catch up by asking, then listen; when listening ends, again. Asking first tells a dead agent from a refused socket. */
  async #loop(): Promise<void> {
    let failures = 0;
    let socketReason: string | null = null;
    for (;;) {
      const unreachable = await this.#catchUp();
      if (unreachable === null) {
        if (socketReason !== null && failures > 1) this.#say({ kind: 'polling', reason: socketReason });
        const end = await this.#listen();
        failures = end.livedMs >= steadyMs ? 0 : failures + 1;
        socketReason = end.opened ? null : end.reason;
        if (end.gap) this.#forgetPosition();
      } else {
        failures += 1;
      }
      const delayMs = backoffMs(failures);
      if (unreachable !== null) {
        this.#say({ kind: 'offline', reason: unreachable, retryAtMs: Date.now() + delayMs });
      } else if (this.#state.kind === 'live') {
        this.#say({ kind: 'connecting' });
      }
      await pause(delayMs, this.#signal);
    }
  }

  /** null when it worked, else why the agent cannot be asked now. Throws what no further attempt can change. */
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

  /** "Now" is the newest event that this token can see below its paths. */
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

  /** Everything after the position, over all prefixes, in order. */
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
      // A page that goes on knows nothing beyond its cursor: up to the least of these the order is certain.
      const horizon = Math.min(
        ...pages.map((page) =>
          page.nextCursor === null ? Number.POSITIVE_INFINITY : sequenceOf(page.nextCursor),
        ),
      );
      const events = pages
        .flatMap((page) => page.events)
        .filter((event) => sequenceOf(event.eventId) <= horizon)
        .sort((one, other) => sequenceOf(one.eventId) - sequenceOf(other.eventId));
      for (const event of events) this.#deliver(event);
      if (horizon === Number.POSITIVE_INFINITY) return;
      this.#position = Math.max(this.#position ?? 0, horizon);
    }
  }

  /** Over the socket, until it ends. */
  async #listen(): Promise<SocketEnd> {
    const { cursor } = this;
    // Without a position the socket cannot be told where to go on: what came before it opened is then asked for.
    let held: EventFrame[] | null = cursor === null ? [] : null;
    return await openSocket({
      connection: this.#connection,
      workspaceId: this.#workspaceId,
      cursor,
      paths: this.#options.paths ?? [],
      signal: this.#signal,
      onOpen: async () => {
        if (held !== null) await this.#drain();
        for (const frame of held ?? []) this.#deliver(frame);
        held = null;
        this.#say({ kind: 'live' });
      },
      onFrame: (frame) => {
        if (held === null) this.#deliver(frame);
        else if (held.push(frame) > heldFramesMax) throw new Error('too many events while catching up');
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

  #say(state: LiveState): void {
    const before = this.#state;
    if (state.kind === before.kind && state.kind !== 'offline') return;
    this.#state = state;
    this.#call(() => this.#options.onState?.(state));
  }

  /** A listener's own error must not look like one of the connection. */
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
    error instanceof UnauthorizedError || error instanceof ForbiddenError || error instanceof NotFoundError
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sequenceOf(eventId: string): number {
  const sequence = Number(eventId.replace(/^evt_/, ''));
  if (!Number.isSafeInteger(sequence)) throw new TypeError(`${eventId} is no event id`);
  return sequence;
}

function backoffMs(failures: number): number {
  const fullMs = Math.min(backoffMsFirst * 2 ** Math.max(0, failures - 1), backoffMsLast);
  return fullMs * (0.5 + Math.random() / 2);
}
