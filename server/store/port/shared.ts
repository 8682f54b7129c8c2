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
  /** Sign-in sessions of browsers, by their id. */
  readonly signInSessions: SharedTexts;
  /** Codes and challenges of sign-ins. */
  readonly oneTimeTexts: OneTimeTexts;
  /** Deletions of all processes together. */
  readonly deletes: DeleteLedger;
  /** Resolves when this process is the one that does the work in the background: queues, retention. Never before another has ended. */
  leads(signal: AbortSignal): Promise<void>;
  /** Reports to the other processes that a token or a session has ended. They also look by themselves: a notice that is lost costs a moment. */
  announceEnds(): void;
  /** Calls the listener when another process has announced ends. */
  onEnds(listener: () => void): void;
  /** Resolves when the store begins a new epoch, or was set back: what this process has in memory is of another store then, and it has
   * to start again. Reads and writes reject with a StoreUnavailableError until it does. */
  readonly epochEnded: Promise<void>;
  /** Losses of events after which a new epoch was begun, oldest first. */
  lostTails(): Promise<readonly LostTail[]>;
  /** The processes that were seen within the last seconds, this one included. */
  members(): Promise<readonly Member[]>;
}

/** The store lacked events that had been reported, as after a failover to a standby that was behind. */
export interface LostTail {
  readonly atMs: number;
  /** The newest event that was there. */
  readonly lastEvent: number;
  /** The newest that had been reported. */
  readonly seenEvent: number;
}

export interface Member {
  readonly id: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  /** Does the work in the background. */
  readonly leads: boolean;
}

/** Texts of the caller, by a key. All reject with a StoreUnavailableError. */
export interface SharedTexts {
  all(): Promise<ReadonlyMap<string, string>>;
  put(key: string, text: string): Promise<void>;
  /** Nothing when the key is not there any more. */
  replace(key: string, text: string): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
}

export interface OneTimeLimits {
  /** How long the text is good. */
  readonly lifeMs: number;
  /** At most `countMax` texts of a topic within this time, those that were used included. */
  readonly countedMs: number;
  readonly countMax: number;
  readonly whenFull: 'refuse' | 'replace the oldest';
}

/** Texts that are good once and for a short time, by topic. */
export interface OneTimeTexts {
  /** false: refused, as there are too many. */
  offer(topic: string, text: string, limits: OneTimeLimits): Promise<boolean>;
  /** true: it was offered, in time, and not taken before. Of any number of calls for one text at most one is answered so. */
  take(topic: string, text: string): Promise<boolean>;
}
