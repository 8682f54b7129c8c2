// The live streams of all workspaces of this page as one feed: events in small batches, how live it is, what came last.
// It holds at most `recentMax` events; whoever needs more asks the agent.
import type { LiveState, Subscription } from '../../sdk/index.ts';
import type { EventFrame } from '../../server/contract/events.ts';
import { eventsPerMinute, type RateMinute } from '../model/inbound/event-rate.ts';
import { Observable } from './observable.ts';

/** Streams at once. Workspaces beyond it are not live and their folders are read when they are opened. */
const streamsMax = 32;
/** Events are handed over in batches, so that thousands a second are a few updates a second. */
const batchMs = 120;
const recentMax = 200;
const minuteMs = 60_000;
/** How far back the chart of events goes. */
export const rateMinutes = 60;
/** Changes of that time that are counted one by one; beyond it the oldest are not known. */
const countedMax = 100_000;

export interface LiveEvent {
  readonly workspaceId: string;
  readonly frame: EventFrame;
}

/** live: every stream is open. polling: at least one asks every 5 s instead. connecting: not known yet. */
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
  /** A stream found that the agent does not answer. */
  readonly onUnreachable: () => void;
}

/** Hears every event of the feed, not only the recent ones. */
export interface FeedListener {
  readonly onEvents: (events: readonly LiveEvent[]) => void;
  /** Events of this workspace are missing: read again. */
  readonly onGap: (workspaceId: string) => void;
}

interface Stream {
  subscription: Subscription | null;
  state: LiveState['kind'];
}

export class LiveFeed {
  readonly state = new Observable<FeedState>('connecting');
  /** Newest first. */
  readonly recent = new Observable<readonly LiveEvent[]>([]);
  readonly #options: FeedOptions;
  readonly #streams = new Map<string, Stream>();
  readonly #listeners = new Set<FeedListener>();
  /** Times of the changes of the last hour. */
  #atMs: readonly number[] = [];
  /** Every change since then is among them. */
  #knownFromMs = 0;
  #batch: LiveEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Opens what is missing and closes what is gone. */
  follow(workspaceIds: readonly string[]): void {
    const wanted = new Set(workspaceIds.slice(0, streamsMax));
    for (const [workspaceId, stream] of this.#streams) {
      if (wanted.has(workspaceId)) continue;
      this.#streams.delete(workspaceId);
      stream.subscription?.close();
    }
    for (const workspaceId of wanted) {
      if (!this.#streams.has(workspaceId)) this.#open(workspaceId);
    }
    this.#judge();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.follow([]);
  }

  /** Until the function that comes back is called. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Puts what the agent kept from before this page behind what came live. `whole`: it kept nothing older. */
  addStored(events: readonly LiveEvent[], whole: boolean): void {
    const oldest = events.at(-1);
    if (!whole && oldest !== undefined) {
      this.#knownFromMs = Math.max(this.#knownFromMs, Date.parse(oldest.frame.timestamp));
    }
    const known = new Set(this.recent.get().map((event) => event.frame.eventId));
    const unknown = events.filter((event) => !known.has(event.frame.eventId));
    this.#count(unknown);
    this.recent.set(newestFirst([...this.recent.get(), ...unknown]));
  }

  /** Changes of files in the last minute, by anyone, in either direction, as far as this page knows of them. */
  changesLastMinute(nowMs: number): number {
    return this.#atMs.filter((atMs) => nowMs - atMs <= minuteMs).length;
  }

  /** Changes of files by the minute, of the last hour. */
  changesPerMinute(nowMs: number): readonly RateMinute[] {
    return eventsPerMinute(this.#atMs, this.#knownFromMs, nowMs, rateMinutes);
  }

  #count(events: readonly LiveEvent[]): void {
    const sinceMs = Date.now() - rateMinutes * minuteMs;
    const added = events
      .filter((event) => event.frame.type.startsWith('file.'))
      .map((event) => Date.parse(event.frame.timestamp));
    const all = [...this.#atMs, ...added].filter((atMs) => atMs >= sinceMs);
    this.#atMs = all.slice(-countedMax);
    if (all.length > countedMax) this.#knownFromMs = Math.max(this.#knownFromMs, this.#atMs[0] ?? 0);
  }

  #open(workspaceId: string): void {
    const stream: Stream = { subscription: null, state: 'connecting' };
    this.#streams.set(workspaceId, stream);
    const isMine = (): boolean => this.#streams.get(workspaceId) === stream;
    stream.subscription = this.#options.open(workspaceId, {
      onEvent: (frame) => {
        if (isMine()) this.#take({ workspaceId, frame });
      },
      onState: (state) => {
        stream.state = state.kind;
        if (isMine()) this.#judge();
        if (isMine() && state.kind === 'offline') this.#options.onUnreachable();
      },
      onGap: () => {
        this.#options.onGap(workspaceId);
        for (const listener of this.#listeners) listener.onGap(workspaceId);
      },
    });
  }

  #judge(): void {
    const states = [...this.#streams.values()].map((stream) => stream.state);
    if (states.every((state) => state === 'live')) this.state.set('live');
    else if (states.some((state) => state === 'polling')) this.state.set('polling');
    else this.state.set('connecting');
  }

  #take(event: LiveEvent): void {
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

function newestFirst(events: readonly LiveEvent[]): readonly LiveEvent[] {
  return events
    .toSorted((a, b) => eventNumber(b.frame.eventId) - eventNumber(a.frame.eventId))
    .slice(0, recentMax);
}

/** `evt_<n>`: one counter over all workspaces, so that events of several can be put in order. */
function eventNumber(eventId: string): number {
  return Number(eventId.slice(eventId.indexOf('_') + 1)) || 0;
}
