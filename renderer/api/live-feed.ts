// The live streams of all workspaces as one feed: batches of events, connection state, recent events (at most `recentMax`).
import { type LiveState, type Subscription, UnauthorizedError } from '../../sdk/index.ts';
import type { EventFrame } from '../../server/contract/events.ts';
import { parseId } from '../model/ids.ts';
import { eventsPerMinute, type RateMinute } from '../model/inbound/event-rate.ts';
import { Observable } from './observable.ts';

/** Limit of streams. Further workspaces are live while one of them is viewed. */
export const streamsMax = 32;
/** Events are delivered in batches, so that thousands per second are a few updates per second. */
const batchMs = 120;
const recentMax = 200;
const minuteMs = 60_000;
/** Range of the event chart. */
export const rateMinutes = 60;
/** Limit of counted changes; beyond it the oldest minutes are unknown. */
const countedMax = 100_000;

export interface LiveEvent {
  readonly workspaceId: string;
  readonly frame: EventFrame;
}

/** live: every stream is open. polling: at least one polls every 5 s. connecting: unknown yet. */
export type FeedState = 'connecting' | 'live' | 'polling';

export interface FeedOptions {
  readonly open: (
    workspaceId: string,
    handlers: {
      readonly onEvent: (frame: EventFrame) => void;
      readonly onState: (state: LiveState) => void;
      readonly onGap: () => void;
    },
  ) => Subscription;
  readonly onEvents: (events: readonly LiveEvent[]) => void;
  readonly onGap: (workspaceId: string) => void;
  /** A stream found the agent unreachable, or its token refused. */
  readonly onBroken: () => void;
}

/** Receives every event of the feed, not only recent ones. */
export interface FeedListener {
  readonly onEvents: (events: readonly LiveEvent[]) => void;
  /** Events of this workspace are missing: reload. */
  readonly onGap: (workspaceId: string) => void;
}

interface Stream {
  subscription: Subscription | null;
  state: LiveState['kind'];
  /** The page may have loaded lists of the workspace while it was not live: the first events are preceded by a gap. */
  isLate: boolean;
}

export class LiveFeed {
  readonly state = new Observable<FeedState>('connecting');
  /** Newest first. */
  readonly recent = new Observable<readonly LiveEvent[]>([]);
  readonly #options: FeedOptions;
  readonly #streams = new Map<string, Stream>();
  #workspaceIds: readonly string[] = [];
  #viewed: string | null = null;
  /** Workspaces that have no stream, or had none at some time. */
  readonly #unfollowed = new Set<string>();
  readonly #listeners = new Set<FeedListener>();
  /** Times of the changes in the last hour. */
  #changesAtMs: readonly number[] = [];
  /** `#changesAtMs` is complete from here. */
  #completeFromMs = 0;
  #batch: LiveEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Opens missing streams and closes those of other workspaces. Returns the workspaces that are live. */
  follow(workspaceIds: readonly string[]): readonly string[] {
    this.#workspaceIds = workspaceIds;
    const first = workspaceIds.filter((each) => each === this.#viewed);
    const wanted = new Set([...first, ...workspaceIds].slice(0, streamsMax));
    for (const each of workspaceIds) if (!wanted.has(each)) this.#unfollowed.add(each);
    for (const [workspaceId, stream] of this.#streams) {
      if (wanted.has(workspaceId)) continue;
      this.#streams.delete(workspaceId);
      stream.subscription?.close();
    }
    for (const workspaceId of wanted) {
      if (!this.#streams.has(workspaceId)) this.#open(workspaceId);
    }
    this.#updateState();
    return [...wanted];
  }

  /** The workspace of the screen, which is live among any number. */
  view(workspaceId: string): void {
    if (this.#viewed === workspaceId) return;
    this.#viewed = workspaceId;
    this.follow(this.#workspaceIds);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.follow([]);
  }

  /** Returns a function that removes the listener. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds stored events, newest first. `whole`: nothing older is retained. Returns those that no stream has delivered. */
  addStored(events: readonly LiveEvent[], whole: boolean): readonly LiveEvent[] {
    const oldest = events.at(-1);
    if (!whole && oldest !== undefined) {
      this.#completeFromMs = Math.max(this.#completeFromMs, Date.parse(oldest.frame.timestamp));
    }
    const known = new Set(this.recent.get().map((event) => event.frame.eventId));
    const unknown = events.filter((event) => !known.has(event.frame.eventId));
    this.#count(unknown);
    this.recent.set(newestFirst([...this.recent.get(), ...unknown]));
    return unknown;
  }

  /** Events of this workspace were not delivered: what shows them loads again. */
  reportGap(workspaceId: string): void {
    this.#options.onGap(workspaceId);
    for (const listener of this.#listeners) listener.onGap(workspaceId);
  }

  /** File changes in the last minute that this page knows of. */
  changesLastMinute(nowMs: number): number {
    return this.#changesAtMs.filter((atMs) => nowMs - atMs <= minuteMs).length;
  }

  /** File changes per minute in the last hour. */
  changesPerMinute(nowMs: number): readonly RateMinute[] {
    return eventsPerMinute(this.#changesAtMs, this.#completeFromMs, nowMs, rateMinutes);
  }

  #count(events: readonly LiveEvent[]): void {
    const sinceMs = Date.now() - rateMinutes * minuteMs;
    const added = events
      .filter((event) => event.frame.type.startsWith('file.'))
      .map((event) => Date.parse(event.frame.timestamp));
    const all = [...this.#changesAtMs, ...added].filter((atMs) => atMs >= sinceMs);
    this.#changesAtMs = all.slice(-countedMax);
    if (all.length > countedMax)
      this.#completeFromMs = Math.max(this.#completeFromMs, this.#changesAtMs[0] ?? 0);
  }

  #open(workspaceId: string): void {
    const stream: Stream = {
      subscription: null,
      state: 'connecting',
      isLate: this.#unfollowed.delete(workspaceId),
    };
    this.#streams.set(workspaceId, stream);
    const isMine = (): boolean => this.#streams.get(workspaceId) === stream;
    stream.subscription = this.#options.open(workspaceId, {
      onEvent: (frame) => {
        if (isMine()) this.#enqueue({ workspaceId, frame });
      },
      onState: (state) => {
        stream.state = state.kind;
        if (!isMine()) return;
        this.#updateState();
        const isRefused = state.kind === 'closed' && state.error instanceof UnauthorizedError;
        // Another token replaces a refused one: the next status opens the stream again.
        if (isRefused) {
          this.#streams.delete(workspaceId);
          this.#unfollowed.add(workspaceId);
        }
        if (isRefused || state.kind === 'offline') this.#options.onBroken();
        if (stream.isLate && (state.kind === 'live' || state.kind === 'polling')) {
          stream.isLate = false;
          this.reportGap(workspaceId);
        }
      },
      onGap: () => {
        if (isMine()) this.reportGap(workspaceId);
      },
    });
  }

  #updateState(): void {
    const states = [...this.#streams.values()].map((stream) => stream.state);
    if (states.every((state) => state === 'live')) this.state.set('live');
    else if (states.some((state) => state === 'polling')) this.state.set('polling');
    else this.state.set('connecting');
  }

  #enqueue(event: LiveEvent): void {
    this.#batch.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), batchMs);
  }

  #flush(): void {
    this.#timer = undefined;
    const batch = this.#batch;
    this.#batch = [];
    this.#count(batch);
    this.recent.set(newestFirst([...batch.slice(-recentMax), ...this.recent.get()]));
    this.#options.onEvents(batch);
    for (const listener of this.#listeners) listener.onEvents(batch);
  }
}

/** Event ids have one counter over all workspaces. */
function newestFirst(events: readonly LiveEvent[]): readonly LiveEvent[] {
  return events
    .toSorted((a, b) => parseId(b.frame.eventId, 'evt') - parseId(a.frame.eventId, 'evt'))
    .slice(0, recentMax);
}
