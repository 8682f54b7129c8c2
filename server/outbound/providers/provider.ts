// The port of a provider. Two kinds implement it: `external` (a consumer polls and acknowledges; the agent sends nothing) and
// `http` (http-provider.ts).
import type { Semantics } from '../../contract/common.ts';
import type { OperationAction } from '../../contract/words.ts';
import type { Encoding } from '../../core/entry.ts';
import type { LongText } from '../../core/long-text.ts';
import type { AttemptResult } from '../../delivery/lane-port.ts';
import type { SignedRequest } from '../../delivery/signed-client.ts';

/** One change to send to the provider, with its content. */
export interface OperationPayload {
  readonly opId: string;
  /** The same for all attempts with this content: a receiver that sees it twice has seen the item already. */
  readonly idempotencyKey: string;
  readonly workspaceId: string;
  readonly provider: string;
  readonly path: string;
  readonly action: OperationAction;
  readonly revision: number;
  readonly correlationId: string;
  readonly madeAtMs: number;
  /** null: the file is gone. */
  readonly content: PayloadContent | null;
}

export interface PayloadContent {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly contentType: string;
  readonly encoding: Encoding;
  readonly providerObjectId: string | null;
  readonly semantics: Semantics;
}

/** A request as it would be made, without its signature. */
export type PreparedRequest = SignedRequest;

export interface TestResult {
  readonly ok: boolean;
  readonly httpStatus: number | null;
  readonly tookMs: number;
  /** In words, what happened. */
  readonly message: string;
}

/** One page of what a provider has. */
export interface PulledPage {
  readonly files: readonly PulledFile[];
  /** true on any page: all pages together are all that there is, so what is missing is gone. */
  readonly complete: boolean;
  readonly nextCursor: string | null;
}

export interface PulledFile {
  readonly path: string;
  readonly deleted: boolean;
  readonly content: string | LongText;
  readonly encoding: string | null;
  readonly contentType: string | null;
  readonly providerObjectId: string | null;
  readonly semantics: Semantics | null;
}

/** Thrown by `pull`: the provider did not answer, or not as described. The message is for people. */
export class PullFailedError extends Error {
  override readonly name = 'PullFailedError';
}

export interface Provider {
  /** What `deliver` would send. */
  prepare(item: OperationPayload): Promise<PreparedRequest>;
  /** Never rejects for what a provider does or fails to do. */
  deliver(item: OperationPayload, signal: AbortSignal): Promise<AttemptResult>;
  test(id: string): Promise<TestResult>;
  /** null where nothing can be pulled. */
  readonly pull: ((cursor: string | null, id: string, signal: AbortSignal) => Promise<PulledPage>) | null;
  close(): void;
}
