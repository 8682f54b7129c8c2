// Sign-in of the browser UI. The owner's shell makes a link with a code; the page exchanges the code, once, for a UI token that
// it renews while its tab is open. Codes live in memory only.
import type { Clock } from '../platform/clock.ts';
import { equalInConstantTime, type RandomBytes, systemRandom } from '../platform/crypto/hashes.ts';
import type { LocalTokens, SignIn } from './tokens.ts';

export const codeLifeMs = 60_000;
/** 192 bits: at a million guesses a second, one of 32 open codes is found in its minute with a chance of 2^-161. No limit of
 * attempts is needed, and none can be used to lock the owner out. */
const codeBytes = 24;
/** Open at once; making another one lets go of the oldest. */
export const openCodesMax = 32;
export const uiTokenLifeMs = 3_600_000;

export function createSignIn(options: {
  readonly tokens: Pick<LocalTokens, 'issueUi'>;
  readonly clock: Clock;
  readonly random?: RandomBytes;
}): SignIn {
  const { tokens, clock, random = systemRandom } = options;
  /** Oldest first. Ends on the monotonic clock: setting the time does not revive a code. */
  let open: readonly { readonly code: string; readonly endsAtMs: number }[] = [];

  return {
    createCode() {
      const code = Buffer.from(random(codeBytes)).toString('base64url');
      const endsAtMs = clock.monotonicMs() + codeLifeMs;
      open = [...open, { code, endsAtMs }].slice(-openCodesMax);
      return { code, expiresAtMs: clock.nowMs() + codeLifeMs };
    },
    exchange(code) {
      const nowMs = clock.monotonicMs();
      // Every open code is compared, each in constant time.
      const matching = open.filter((one) => equalInConstantTime(one.code, code));
      open = open.filter((one) => nowMs < one.endsAtMs && !matching.includes(one));
      const valid = matching.some((one) => nowMs < one.endsAtMs);
      return Promise.resolve(valid ? tokens.issueUi(uiTokenLifeMs) : null);
    },
    renew(token) {
      // The route lets only the owner's tokens through; anything else here would turn a workspace token into the owner's.
      if (!token.owner) throw new Error('only an owner or UI token can be renewed');
      return Promise.resolve(tokens.issueUi(uiTokenLifeMs));
    },
  };
}
