// Generates random ids, and parses the numbered ones (`rev_`, `evt_`, `op_`), which the store assigns in commit order.
import { pooledRandom, type RandomBytes } from './hashes.ts';

export interface Ids {
  /** `rw_` and 8 characters of a-z0-9 (docs/wire-contract.md#identifiers-and-numbers). */
  workspaceId(): string;
  tokenId(): string;
  mirrorId(): string;
  conflictId(): string;
  /** For work without a request. */
  correlationId(): string;
  /** That many characters of a-z0-9. */
  text(length: number): string;
}

/** The number of an id such as `op_12`; null: not the prefix and at most 15 digits. */
export function parseId(id: string, prefix: string): number | null {
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Larger bytes would favour the first characters, so they are discarded. */
const fairBytesEnd = 256 - (256 % alphabet.length);

export function createIds(random: RandomBytes = pooledRandom()): Ids {
  function text(length: number): string {
    let id = '';
    while (id.length < length) {
      for (const byte of random(length - id.length)) {
        if (byte < fairBytesEnd) id += alphabet[byte % alphabet.length];
      }
    }
    return id;
  }
  return {
    workspaceId: () => `rw_${text(8)}`,
    tokenId: () => `tok_${text(20)}`,
    mirrorId: () => `mir_${text(12)}`,
    conflictId: () => `con_${text(12)}`,
    correlationId: () => `mooring_${text(16)}`,
    text,
  };
}
