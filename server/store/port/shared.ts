// What the processes of one store share besides its rows. A store that one process has alone has none of it.

import type { DeleteLedger } from '../../core/access/authority.ts';

export type SecretKind = 'provider' | 'webhook';

export interface SharedState {
  /** Of this process, in leases and in the list of members. */
  readonly id: string;
  /** The secret text under this name. The first process of all decides it by `make`. */
  keep(name: string, make: () => string): Promise<string>;
  /** Secrets of providers or webhook endpoints, by a key of the caller. */
  secrets(kind: SecretKind): Promise<ReadonlyMap<string, string>>;
  putSecret(kind: SecretKind, key: string, secret: string): Promise<void>;
  removeSecrets(kind: SecretKind, keys: readonly string[]): Promise<void>;
  /** Deletions of all processes together. */
  readonly deletes: DeleteLedger;
  /** Resolves when this process is the one that does the work in the background: queues, retention. Never before another has ended. */
  leads(signal: AbortSignal): Promise<void>;
  /** The processes that were seen within the last seconds, this one included. */
  members(): Promise<readonly Member[]>;
}

export interface Member {
  readonly id: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  /** Does the work in the background. */
  readonly leads: boolean;
}
