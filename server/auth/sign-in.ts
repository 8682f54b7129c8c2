// The single-use codes of sign-in links. An exchanged code starts a sign-in session (sign-in-sessions.ts).
import type { Clock } from '../platform/clock.ts';
import { type RandomBytes, systemRandom } from '../platform/crypto/hashes.ts';
import type { OneTimeTexts } from '../store/port/store.ts';
import type { SignInSessions, SigningIn } from './sign-in-sessions.ts';

export const codeLifeMs = 60_000;
/** 192 bits: a million guesses per second find one of 32 open codes within its minute with a probability of 2^-161. Attempts are not
 * limited, so a caller cannot lock the owner out. */
const codeBytes = 24;
/** A further code replaces the oldest one. */
export const openCodesMax = 32;
const codeLimits = {
  lifeMs: codeLifeMs,
  countedMs: codeLifeMs,
  countMax: openCodesMax,
  whenFull: 'replace the oldest',
} as const;
const codes = 'sign-in code';

export type SignIn = ReturnType<typeof createSignIn>;

export interface SignInDeps {
  readonly sessions: SignInSessions;
  readonly codes: OneTimeTexts;
  readonly clock: Clock;
  readonly random?: RandomBytes;
}

export function createSignIn(deps: SignInDeps) {
  const { sessions, clock, random = systemRandom } = deps;
  return {
    sessions,
    async createCode(): Promise<{ code: string; expiresAtMs: number }> {
      const code = Buffer.from(random(codeBytes)).toString('base64url');
      await deps.codes.offer(codes, code, codeLimits);
      return { code, expiresAtMs: clock.nowMs() + codeLifeMs };
    },
    /** null: unknown, used or expired. */
    async exchange(code: string, who: SigningIn = { key: null, origin: null, userAgent: undefined }) {
      return (await deps.codes.take(codes, code)) ? await sessions.start(who) : null;
    },
  };
}
