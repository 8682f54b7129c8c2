// The single-use codes of sign-in links. An exchanged code starts a sign-in session (sign-in-sessions.ts). Codes are in memory only.
import type { Clock } from '../platform/clock.ts';
import { equalInConstantTime, type RandomBytes, systemRandom } from '../platform/crypto/hashes.ts';
import type { SignInSessions, SigningIn } from './sign-in-sessions.ts';

export const codeLifeMs = 60_000;
/** 192 bits: a million guesses per second find one of 32 open codes within its minute with a probability of 2^-161. Attempts are not
 * limited, so a caller cannot lock the owner out. */
const codeBytes = 24;
/** A further code replaces the oldest one. */
export const openCodesMax = 32;

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(sessions: SignInSessions, clock: Clock, random: RandomBytes = systemRandom) {
  /** Oldest first. Expiry uses the monotonic clock, so that setting the time does not extend a code. */
  let open: readonly { readonly code: string; readonly expiresAtMs: number }[] = [];

  return {
    sessions,
    createCode(): { code: string; expiresAtMs: number } {
      const code = Buffer.from(random(codeBytes)).toString('base64url');
      const expiresAtMs = clock.monotonicMs() + codeLifeMs;
      open = [...open, { code, expiresAtMs }].slice(-openCodesMax);
      return { code, expiresAtMs: clock.nowMs() + codeLifeMs };
    },
    /** null: unknown, used or expired. */
    async exchange(code: string, who: SigningIn = { key: null, origin: null, userAgent: undefined }) {
      const nowMs = clock.monotonicMs();
      // Every open code is compared, each in constant time.
      const matching = open.filter((candidate) => equalInConstantTime(candidate.code, code));
      open = open.filter((candidate) => nowMs < candidate.expiresAtMs && !matching.includes(candidate));
      const valid = matching.some(({ expiresAtMs }) => nowMs < expiresAtMs);
      return valid ? await sessions.start(who) : null;
    },
  };
}
