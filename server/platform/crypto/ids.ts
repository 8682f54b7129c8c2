// Makes the random ids of the agent, and parses the numbered ones (`rev_`, `evt_`, `op_`), which the store assigns in commit order.
import { type RandomBytes, systemRandom } from './hashes.ts';

export interface Ids {
  /** `rw_` and 8 characters of a-z0-9 (docs/wire-contract.md#ids). */
  workspaceId(): string;
  tokenId(): string;
  mirrorId(): string;
  conflictId(): string;
  /** For work that no request started. */
  correlationId(): string;
  /** Characters of a-z0-9. */
  text(length: number): string;
}

/** The number of an id such as `op_12`; null: not the prefix and at most 15 digits. */
export function parseId(id: string, prefix: string): number | null {
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Larger bytes would favour the first letters and are drawn again. */
const fairBytesEnd = 256 - (256 % alphabet.length);

export function createIds(random: RandomBytes = systemRandom): Ids {
  function text(length: number): string {
    let drawn = '';
    while (drawn.length < length) {
      for (const byte of random(length - drawn.length)) {
        if (byte < fairBytesEnd) drawn += alphabet[byte % alphabet.length];
      }
    }
    return drawn;
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
