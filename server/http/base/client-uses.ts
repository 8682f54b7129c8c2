// Which clients are at work: requests and writes of each token in the last minutes, minute by minute, and its open streams. Memory
// only, and numbers only: no path, no query, no content. It knows tokens, not programs: two that share a token are one.
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from './access.ts';
import { clientMinutes, clientsHeldMax } from './limits.ts';

const minuteMs = 60_000;

interface Minute {
  readonly number: number;
  requests: number;
  writes: number;
}

interface Use {
  readonly caller: Caller;
  lastAtMs: number;
  streams: number;
  /** Oldest first; only those in which something was asked. */
  readonly minutes: Minute[];
}

export interface ClientAtWork {
  readonly caller: Caller;
  readonly requests: number;
  readonly writes: number;
  readonly requestsLastMinute: number;
  readonly streams: number;
  readonly lastAtMs: number;
}

export interface ClientUses {
  /** A request that was let in is answered. */
  answered(caller: Caller, wrote: boolean): void;
  streamOpened(caller: Caller): void;
  streamClosed(caller: Caller): void;
  /** Who asked something in the last minutes or holds a stream open; who was active last comes first. */
  list(): readonly ClientAtWork[];
}

export function createClientUses(clock: Pick<Clock, 'nowMs'>): ClientUses {
  const uses = new Map<string, Use>();

  function entryOf(caller: Caller): Use {
    const { tokenId, workspaceId, agent } = caller.token;
    const key = tokenId ?? `${workspaceId} ${agent}`;
    const known = uses.get(key);
    if (known !== undefined) return known;
    if (uses.size >= clientsHeldMax) forgetOne();
    const fresh: Use = { caller, lastAtMs: clock.nowMs(), streams: 0, minutes: [] };
    uses.set(key, fresh);
    return fresh;
  }

  /** Who was quiet longest, of those without a stream. */
  function forgetOne(): void {
    let oldest: { readonly key: string; readonly atMs: number } | null = null;
    for (const [key, { streams, lastAtMs }] of uses) {
      if (streams === 0 && (oldest === null || lastAtMs < oldest.atMs)) oldest = { key, atMs: lastAtMs };
    }
    if (oldest !== null) uses.delete(oldest.key);
  }

  /** The minute that runs, of the clock's. Minutes that are over, or to come since the clock was set back, are let go of. */
  function minuteNow(): number {
    return Math.floor(clock.nowMs() / minuteMs);
  }

  function trim(use: Use, now: number): void {
    const kept = use.minutes.filter(({ number }) => number > now - clientMinutes && number <= now);
    if (kept.length < use.minutes.length) use.minutes.splice(0, use.minutes.length, ...kept);
  }

  return {
    answered(caller, wrote) {
      const use = entryOf(caller);
      const now = minuteNow();
      use.lastAtMs = clock.nowMs();
      let minute = use.minutes.at(-1);
      if (minute?.number !== now) {
        trim(use, now);
        minute = { number: now, requests: 0, writes: 0 };
        use.minutes.push(minute);
      }
      minute.requests += 1;
      if (wrote) minute.writes += 1;
    },
    streamOpened(caller) {
      const use = entryOf(caller);
      use.streams += 1;
      use.lastAtMs = clock.nowMs();
    },
    streamClosed(caller) {
      const use = entryOf(caller);
      use.streams = Math.max(0, use.streams - 1);
      use.lastAtMs = clock.nowMs();
    },
    list() {
      const now = minuteNow();
      const listed: ClientAtWork[] = [];
      for (const [key, use] of uses) {
        trim(use, now);
        const { caller, minutes, streams, lastAtMs } = use;
        if (streams === 0 && clock.nowMs() - lastAtMs > clientMinutes * minuteMs) {
          uses.delete(key);
          continue;
        }
        listed.push({
          caller,
          streams,
          lastAtMs,
          requests: minutes.reduce((sum, { requests }) => sum + requests, 0),
          writes: minutes.reduce((sum, { writes }) => sum + writes, 0),
          requestsLastMinute: minutes
            .filter(({ number }) => number >= now - 1)
            .reduce((most, { requests }) => Math.max(most, requests), 0),
        });
      }
      return listed.sort((left, right) => right.lastAtMs - left.lastAtMs);
    },
  };
}
