// Sign-in of the browser UI: single-use codes, exchanged once for a UI token that the page renews while it is open. Codes are in
// memory only.
import type { Clock } from '../platform/clock.ts';
import { equalInConstantTime, type RandomBytes, systemRandom } from '../platform/crypto/hashes.ts';
import type { TokenService, VerifiedToken } from './tokens.ts';

export const codeLifeMs = 60_000;
/** 192 bits: a million guesses per second find one of 32 open codes within its minute with a probability of 2^-161. Attempts are not
 * limited, so a caller cannot lock the owner out. */
const codeBytes = 24;
/** A further code replaces the oldest one. */
export const openCodesMax = 32;
export const uiTokenLifeMs = 3_600_000;

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(
  tokens: Pick<TokenService, 'issueUi'>,
  clock: Clock,
  random: RandomBytes = systemRandom,
) {
  /** Oldest first. Expiry uses the monotonic clock, so that setting the time does not extend a code. */
  let open: readonly { readonly code: string; readonly expiresAtMs: number }[] = [];

  return {
    createCode(): { code: string; expiresAtMs: number } {
      const code = Buffer.from(random(codeBytes)).toString('base64url');
      const expiresAtMs = clock.monotonicMs() + codeLifeMs;
      open = [...open, { code, expiresAtMs }].slice(-openCodesMax);
      return { code, expiresAtMs: clock.nowMs() + codeLifeMs };
    },
    /** null: unknown, used or expired. */
    exchange(code: string) {
      const nowMs = clock.monotonicMs();
      // Every open code is compared, each in constant time.
      const matching = open.filter((candidate) => equalInConstantTime(candidate.code, code));
      open = open.filter((candidate) => nowMs < candidate.expiresAtMs && !matching.includes(candidate));
      const valid = matching.some(({ expiresAtMs }) => nowMs < expiresAtMs);
      return Promise.resolve(valid ? tokens.issueUi(uiTokenLifeMs) : null);
    },
    /** A new UI token in exchange for a valid one. */
    renew(token: VerifiedToken) {
      // The route admits only owner and UI tokens; renewing another one would grant it the rights of the owner.
      if (!token.owner) throw new Error('only an owner or UI token can be renewed');
      return Promise.resolve(tokens.issueUi(uiTokenLifeMs));
    },
  };
}
