// What is held of the log: pages, newest first, of which each has its place. At most `entriesMax` entries.
import type { LogEntry, LogPage } from '../../../sdk/index.ts';

const entriesMax = 10_000;

export interface LoadedEntries {
  readonly state: 'reading' | 'ready' | 'failed';
  readonly error: string | null;
  readonly entries: readonly LogEntry[];
  readonly nextCursor: string | null;
  readonly newestId: string | null;
  readonly isReadingOlder: boolean;
}

export type LogStep =
  | { readonly kind: 'begin' }
  | { readonly kind: 'first'; readonly page: LogPage }
  /** `after`: the newest entry when the page was asked for. */
  | { readonly kind: 'live'; readonly page: LogPage; readonly after: string }
  /** `cursor`: the end of the list when the page was asked for. */
  | { readonly kind: 'older'; readonly page: LogPage; readonly cursor: string }
  | { readonly kind: 'reading older' }
  | { readonly kind: 'failed'; readonly error: string };

export const noEntries: LoadedEntries = {
  state: 'reading',
  error: null,
  entries: [],
  nextCursor: null,
  newestId: null,
  isReadingOlder: false,
};

export function afterStep(held: LoadedEntries, step: LogStep): LoadedEntries {
  switch (step.kind) {
    case 'begin':
      // The rows of the filters before stay until those of the new ones are there.
      return { ...held, state: 'reading', newestId: null, nextCursor: null };
    case 'reading older':
      return { ...held, isReadingOlder: true };
    case 'failed': {
      const state = held.state === 'ready' ? 'ready' : 'failed';
      return { ...held, state, error: step.error, isReadingOlder: false };
    }
    case 'first': {
      const { entries, nextCursor, newestId } = step.page;
      return { ...noEntries, state: 'ready', entries, nextCursor, newestId };
    }
    case 'live':
      // Two pages after the same entry contain the same entries: a slow answer does not keep the next second from asking.
      return step.after === held.newestId ? withNewer(held, step.page) : held;
    case 'older':
      if (step.cursor !== held.nextCursor) return { ...held, isReadingOlder: false };
      return {
        ...held,
        error: null,
        isReadingOlder: false,
        entries: [...held.entries, ...step.page.entries].slice(0, entriesMax),
        nextCursor: step.page.nextCursor,
      };
  }
}

/** An incomplete page has a gap before it: it replaces what is held. */
function withNewer(held: LoadedEntries, page: LogPage): LoadedEntries {
  const newestId = page.newestId ?? held.newestId;
  if (!page.complete)
    return { ...noEntries, state: 'ready', entries: page.entries, nextCursor: page.nextCursor, newestId };
  const ready = { ...held, state: 'ready', error: null, newestId } as const;
  if (page.entries.length === 0) return held.error === null && newestId === held.newestId ? held : ready;
  const entries = [...page.entries, ...held.entries];
  const cut = entries.slice(0, entriesMax);
  // What was cut can be loaded again.
  return {
    ...ready,
    entries: cut,
    nextCursor: cut.length < entries.length ? (cut.at(-1)?.id ?? null) : held.nextCursor,
  };
}
