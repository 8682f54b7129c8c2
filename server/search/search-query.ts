// A search as the service sends it to its thread, and what it answers. Plain data.
import type { AccessSubject } from '../core/entry.ts';

export const searchModes = ['text', 'literal', 'regex', 'name'] as const;
export type SearchMode = (typeof searchModes)[number];

export interface SearchQuery {
  readonly workspaceId: string;
  readonly q: string;
  readonly mode: SearchMode;
  /** Only this path and its descendants. */
  readonly path: string;
  /** true: the caller may read the path itself and nothing below it. */
  readonly pathOnly: boolean;
  readonly glob: string | null;
  readonly provider: string | null;
  readonly changedSinceMs: number | null;
  readonly limit: number;
  readonly cursor: string | null;
  /** Lines before and after each matching line. */
  readonly context: number;
  readonly caseSensitive: boolean;
  readonly forkId: string | null;
  /** Waits for the index up to this time. */
  readonly waitMs: number;
  /** null: the owner. */
  readonly access: AccessSubject | null;
}

/** The query cannot be searched, with the reason for the caller. HTTP: 400 `bad_request`. */
export class SearchQueryError extends Error {
  override readonly name = 'SearchQueryError';
}

/** Too many searches run. HTTP: 429 `rate_limited`. */
export class SearchBusyError extends Error {
  override readonly name = 'SearchBusyError';
}

/** The index cannot be used at the moment. HTTP: 503 `unavailable`. */
export class SearchUnavailableError extends Error {
  override readonly name = 'SearchUnavailableError';
}

/** The state of the index, for the owner. */
export interface IndexStatus {
  readonly state: 'starting' | 'indexing' | 'current' | 'failed';
  /** The last event whose change is indexed. */
  readonly indexedThrough: number;
  /** Newer events. */
  readonly eventsBehind: number;
  readonly files: number;
  /** Files that the store has; `files` rises to it while the index is built. */
  readonly filesTotal: number;
  /** Files whose text is not indexed: binary or too large. */
  readonly namesOnly: number;
  readonly bytes: number;
  readonly isFull: boolean;
}
