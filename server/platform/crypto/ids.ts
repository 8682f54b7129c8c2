// Ids that this agent makes. Numbers that are taken in commit order (`rev_`, `evt_`, `op_`) are the store's, not these.
import { type RandomBytes, systemRandom } from './hashes.ts';

export interface Ids {
  /** `rw_` + 8 of a-z0-9 (contract 0.5). */
  workspaceId(): string;
  tokenId(): string;
  mirrorId(): string;
  conflictId(): string;
  /** For work that no request started. */
  correlationId(): string;
  /** That many of a-z0-9. */
  text(length: number): string;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would favour the first letters; they are drawn again. */
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
