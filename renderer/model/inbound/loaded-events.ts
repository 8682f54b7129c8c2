// The loaded events of one workspace, newest first and without a hole: live events and pages of stored ones. Pure.
import type { EventFrame } from '../../../server/contract/events.ts';
import { eventNumber } from './activity-view.ts';

/** The oldest are dropped first and can be loaded again. */
export const eventsMax = 20_000;

export interface LoadedEvents {
  readonly state: 'reading' | 'ready' | 'failed';
  readonly error: string | null;
  readonly events: readonly EventFrame[];
  readonly hasOlder: boolean;
  readonly readingOlder: boolean;
  /** Failed loads in a row. */
  readonly failures: number;
  /** The number of the newest event before an interruption of the stream, until a page of the newest events is loaded; null: none. */
  readonly interruptedAt: number | null;
}

export type LoadStep =
  | { readonly kind: 'begin' }
  /** `after`: id of the event that it continues from; null: it begins with the newest event. */
  | {
      readonly kind: 'page';
      readonly events: readonly EventFrame[];
      readonly hasOlder: boolean;
      readonly after: string | null;
    }
  | { readonly kind: 'live'; readonly events: readonly EventFrame[] }
  /** Live events may be missing from here on. */
  | { readonly kind: 'interruption' }
  | { readonly kind: 'older' }
  | { readonly kind: 'failed'; readonly error: string };

type Page = Extract<LoadStep, { readonly kind: 'page' }>;

export const noEvents: LoadedEvents = {
  state: 'reading',
  error: null,
  events: [],
  hasOlder: false,
  readingOlder: false,
  failures: 0,
  interruptedAt: null,
};

export function withStep(held: LoadedEvents, step: LoadStep): LoadedEvents {
  switch (step.kind) {
    case 'begin':
      return noEvents;
    case 'older':
      return { ...held, readingOlder: true, error: null };
    case 'failed':
      return {
        ...held,
        state: held.state === 'ready' ? 'ready' : 'failed',
        error: step.error,
        readingOlder: false,
        failures: held.failures + 1,
      };
    case 'interruption':
      return { ...held, interruptedAt: held.interruptedAt ?? numberOf(held.events[0]) };
    case 'page':
      return step.after === null ? withNewestPage(held, step) : withOlderPage(held, step);
    case 'live': {
      const { events, cut } = merged(held.events, step.events);
      return { ...held, events, hasOlder: held.hasOlder || cut };
    }
  }
}

function withNewestPage(held: LoadedEvents, page: Page): LoadedEvents {
  return withPage({ ...held, interruptedAt: null }, connected(held, page), page);
}

/** Ignored when the events that it continues were dropped meanwhile. */
function withOlderPage(held: LoadedEvents, page: Page): LoadedEvents {
  const isContinuation = held.events.at(-1)?.eventId === page.after;
  return isContinuation ? withPage(held, held.events, page) : { ...held, readingOlder: false };
}

function withPage(held: LoadedEvents, before: readonly EventFrame[], page: Page): LoadedEvents {
  const { events, cut } = merged(before, page.events);
  const hasOlder = page.hasOlder || cut;
  return { ...held, state: 'ready', error: null, events, hasOlder, readingOlder: false, failures: 0 };
}

/** A page that does not reach the events of before the interruption replaces them: those between would be missing. */
function connected({ events, interruptedAt }: LoadedEvents, page: Page): readonly EventFrame[] {
  if (interruptedAt === null || !page.hasOlder) return events;
  if (numberOf(page.events.at(-1)) <= interruptedAt) return events;
  return events.filter((event) => numberOf(event) > interruptedAt);
}

function merged(
  held: readonly EventFrame[],
  added: readonly EventFrame[],
): { readonly events: readonly EventFrame[]; readonly cut: boolean } {
  const known = new Set(held.map((event) => event.eventId));
  const all = [...held, ...added.filter((event) => !known.has(event.eventId))].sort(
    (a, b) => numberOf(b) - numberOf(a),
  );
  return { events: all.slice(0, eventsMax), cut: all.length > eventsMax };
}

/** 0: no event. */
function numberOf(event: EventFrame | undefined): number {
  return event === undefined ? 0 : eventNumber(event.eventId);
}
