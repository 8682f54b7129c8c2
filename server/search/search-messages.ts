// Messages between the main thread and the thread of the search. Plain data only.
import type { StoreAccess } from '../store/port/store.ts';
import type { IndexStatus, SearchQuery } from './search-query.ts';

export interface SearchThreadSettings {
  /** Where the index is. */
  readonly dataDir: string;
  readonly access: StoreAccess;
  /** The index is rebuilt from the beginning. */
  readonly rebuild: boolean;
}

export type ToSearchThread =
  /** The store has committed events. */
  | { readonly kind: 'committed' }
  | { readonly kind: 'search'; readonly id: number; readonly query: SearchQuery }
  /** The caller of the search is gone. */
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'status'; readonly id: number }
  | { readonly kind: 'close' };

export type FromSearchThread =
  | { readonly kind: 'ready' }
  /** `json`: a SearchResult in UTF-8, in memory of its own that changes hands. */
  | { readonly kind: 'found'; readonly id: number; readonly json: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'status'; readonly id: number; readonly status: IndexStatus }
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly reason: 'query' | 'unavailable';
      readonly message: string;
    }
  /** The index failed and is opened again after a pause. */
  | { readonly kind: 'failed'; readonly message: string };
