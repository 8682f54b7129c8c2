// Rows of providers: their settings and requested refreshes. Plain data.
import type { Authority } from '../../core/access/authority.ts';

export interface RefreshRequest {
  readonly id: string;
  readonly correlationId: string;
  readonly requestedAtMs: number;
  /** The caller's authority; null: unlimited. */
  readonly authority: Authority | null;
}

export interface ProviderRow {
  readonly workspaceId: string;
  /** First path segment of its files, lower-cased. */
  readonly name: string;
  /** `external`: a consumer polls and acknowledges. `http`: this agent sends. */
  readonly kind: 'external' | 'http';
  readonly url: string | null;
  readonly refreshUrl: string | null;
  /** Addresses without TLS, and loopback and private ranges, are allowed. */
  readonly plainHttp: boolean;
  readonly privateAddresses: boolean;
  readonly timeoutMs: number;
  /** true: nothing is sent until it is resumed. */
  readonly paused: boolean;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastError: string | null;
  /** The last refresh that began, or begins next; due while `finishedAtMs` is null. */
  readonly refresh:
    | (RefreshRequest & {
        readonly finishedAtMs: number | null;
        readonly error: string | null;
        /** Starts without an end, the running one included. */
        readonly openStarts: number;
      })
    | null;
  /** Those that follow it, each on an authority of its own, in their order. */
  readonly nextRefreshes: readonly RefreshRequest[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type ProviderPatch = Partial<Omit<ProviderRow, 'workspaceId' | 'name' | 'kind' | 'createdAtMs'>>;
