// Counts requests and writes of each token per minute, and its open streams. In memory only, without paths, queries or content.
// Clients that share a token are one client.
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from './access.ts';
import { clientMinutes, clientsMax } from './limits.ts';

const minuteMs = 60_000;

interface Minute {
  readonly number: number;
  requests: number;
  writes: number;
}

interface Client {
  readonly caller: Caller;
  lastAtMs: number;
  streams: number;
  /** Oldest first; only minutes with requests. */
  readonly minutes: Minute[];
}

export interface ActiveClient {
  readonly caller: Caller;
  readonly requests: number;
  readonly writes: number;
  readonly requestsLastMinute: number;
  readonly streams: number;
  readonly lastAtMs: number;
}

export interface ClientUses {
  /** An authorized request was answered. */
  answered(caller: Caller, wrote: boolean): void;
  streamOpened(caller: Caller): void;
  streamClosed(caller: Caller): void;
  /** Clients with a request in the last minutes or an open stream, the most recently active first. */
  list(): readonly ActiveClient[];
}

export function createClientUses(clock: Pick<Clock, 'nowMs'>): ClientUses {
  return new ClientCounter(clock);
}

class ClientCounter implements ClientUses {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #clients = new Map<string, Client>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  answered(caller: Caller, wrote: boolean): void {
    const client = this.#clientOf(caller);
    const current = this.#currentMinute();
    client.lastAtMs = this.#clock.nowMs();
    let minute = client.minutes.at(-1);
    if (minute?.number !== current) {
      dropOtherMinutes(client, current);
      minute = { number: current, requests: 0, writes: 0 };
      client.minutes.push(minute);
    }
    minute.requests += 1;
    if (wrote) minute.writes += 1;
  }

  streamOpened(caller: Caller): void {
    const client = this.#clientOf(caller);
    client.streams += 1;
    client.lastAtMs = this.#clock.nowMs();
  }

  streamClosed(caller: Caller): void {
    const client = this.#clientOf(caller);
    client.streams = Math.max(0, client.streams - 1);
    client.lastAtMs = this.#clock.nowMs();
  }

  list(): readonly ActiveClient[] {
    const current = this.#currentMinute();
    const active: ActiveClient[] = [];
    for (const [key, client] of this.#clients) {
      dropOtherMinutes(client, current);
      if (client.streams === 0 && this.#clock.nowMs() - client.lastAtMs > clientMinutes * minuteMs) {
        this.#clients.delete(key);
      } else active.push(activeClient(client, current));
    }
    return active.sort((left, right) => right.lastAtMs - left.lastAtMs);
  }

  #clientOf(caller: Caller): Client {
    const { tokenId, workspaceId, agent } = caller.token;
    const key = tokenId ?? `${workspaceId} ${agent}`;
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    if (this.#clients.size >= clientsMax) this.#evictIdlest();
    const client: Client = { caller, lastAtMs: this.#clock.nowMs(), streams: 0, minutes: [] };
    this.#clients.set(key, client);
    return client;
  }

  /** Removes the client without a stream that has been idle longest. */
  #evictIdlest(): void {
    let idlest: { readonly key: string; readonly atMs: number } | null = null;
    for (const [key, { streams, lastAtMs }] of this.#clients) {
      if (streams === 0 && (idlest === null || lastAtMs < idlest.atMs)) idlest = { key, atMs: lastAtMs };
    }
    if (idlest !== null) this.#clients.delete(idlest.key);
  }

  #currentMinute(): number {
    return Math.floor(this.#clock.nowMs() / minuteMs);
  }
}

/** Minutes outside the window, also those in the future after the clock was set back. */
function dropOtherMinutes({ minutes }: Client, current: number): void {
  const inWindow = minutes.filter(({ number }) => number > current - clientMinutes && number <= current);
  if (inWindow.length < minutes.length) minutes.splice(0, minutes.length, ...inWindow);
}

function activeClient({ caller, streams, lastAtMs, minutes }: Client, current: number): ActiveClient {
  return {
    caller,
    streams,
    lastAtMs,
    requests: minutes.reduce((sum, { requests }) => sum + requests, 0),
    writes: minutes.reduce((sum, { writes }) => sum + writes, 0),
    requestsLastMinute: minutes
      .filter(({ number }) => number >= current - 1)
      .reduce((most, { requests }) => Math.max(most, requests), 0),
  };
}
