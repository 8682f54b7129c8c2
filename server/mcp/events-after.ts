// Reads the events below some paths after a cursor, in order, and can wait for the first one. The API decides what the token may see.
import { type Events, MooringError, type WorkspaceEvent } from '../../sdk/index.ts';
import { changesPerAnswerMax } from './limits.ts';
import type { ToolCall } from './session.ts';

/** Before every event. */
const beginning = 'evt_0';

export interface EventsAfter {
  readonly events: readonly WorkspaceEvent[];
  /** Pass it to continue. */
  readonly cursor: string;
  /** Events after the cursor are no longer retained. */
  readonly gap: boolean;
}

export async function newestEvent(
  { client, session, signal }: ToolCall,
  roots: readonly string[],
): Promise<string> {
  const pages = await Promise.all(
    roots.map((path) =>
      client.events.page(session.workspaceId, { path, direction: 'desc', limit: 1, signal }),
    ),
  );
  return newest(pages.flatMap(({ events }) => events)) ?? beginning;
}

/** Waits up to `waitMs` for the first event; 0 does not wait. */
export async function eventsAfter(
  call: ToolCall,
  roots: readonly string[],
  cursor: string,
  waitMs: number,
): Promise<EventsAfter> {
  if (waitMs > 0 && roots.length > 1) await firstOf(call, roots, cursor, waitMs);
  const pages = await Promise.all(
    roots.map((path) => pageOf(call, path, cursor, roots.length > 1 ? 0 : waitMs)),
  );
  // A page is known only up to its last event.
  const horizon = Math.min(
    ...pages.map(({ nextCursor }) => (nextCursor === null ? Infinity : sequenceOf(nextCursor))),
  );
  const events = pages
    .flatMap((page) => page.events)
    .filter(({ eventId }) => sequenceOf(eventId) <= horizon)
    .sort((left, right) => sequenceOf(left.eventId) - sequenceOf(right.eventId))
    .filter(({ eventId }, index, all) => all[index - 1]?.eventId !== eventId)
    .slice(0, changesPerAnswerMax);
  const passed = horizon === Infinity || events.length > 0 ? undefined : `evt_${horizon}`;
  return {
    events,
    cursor: newest(events) ?? passed ?? cursor,
    gap: cursor !== beginning && pages.some(({ cursorGap }) => cursorGap),
  };
}

/** Resolves when one of the paths has an event, or after the wait. */
async function firstOf(
  call: ToolCall,
  roots: readonly string[],
  cursor: string,
  waitMs: number,
): Promise<void> {
  const done = new AbortController();
  const signal = AbortSignal.any([call.signal, done.signal]);
  const waits = roots.map((path) => pageOf({ ...call, signal }, path, cursor, waitMs));
  try {
    await Promise.race(waits);
  } finally {
    done.abort();
    await Promise.allSettled(waits);
  }
}

async function pageOf(
  { client, session, signal }: ToolCall,
  path: string,
  cursor: string,
  waitMs: number,
): Promise<Events> {
  return await client.events.page(session.workspaceId, {
    path,
    cursor,
    limit: changesPerAnswerMax,
    signal,
    ...(waitMs > 0 ? { waitMs } : {}),
  });
}

function newest(events: readonly WorkspaceEvent[]): string | undefined {
  if (events.length === 0) return undefined;
  return `evt_${Math.max(...events.map(({ eventId }) => sequenceOf(eventId)))}`;
}

function sequenceOf(eventId: string): number {
  return Number(eventId.slice('evt_'.length));
}

/** true: the token may not see this, or it does not exist for it. */
export function isRefusal(error: unknown): error is MooringError {
  return error instanceof MooringError && error.status >= 400 && error.status < 500;
}
