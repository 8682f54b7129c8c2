// The sign-in sessions of browsers: each has a key that its browser cannot export, and gets short-lived tokens for signed challenges. It
// never stores a token, and trusts no request without a proof (docs/security.md#sign-in-sessions).
import type { Clock } from '../platform/clock.ts';
import { type RandomBytes, systemRandom } from '../platform/crypto/hashes.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import { browserName } from './browser-name.ts';
import { type BrowserKey, isProof, publicKeyOf } from './browser-proof.ts';
import { createSignInSessionWriter, readSignInSessions, type SignInSession } from './sign-in-session-file.ts';
import type { TokenService } from './tokens.ts';

const dayMs = 86_400_000;
/** A session ends when it was not used for so long, and at this age in any case. */
export const sessionIdleMsMax = 30 * dayMs;
export const sessionAgeMsMax = 180 * dayMs;
/** A further one ends the session that was used longest ago. */
export const sessionsMax = 32;
export const sessionTokenLifeMs = 10 * 60_000;
/** Of a page that cannot keep a key. */
export const uiTokenLifeMs = 3_600_000;
export const challengeLifeMs = 30_000;
/** Challenges of one session per minute: enough for every tab of a browser that is started again. */
export const challengesPerMinuteMax = 120;
const minuteMs = 60_000;
/** 192 bits. */
const challengeBytes = 24;
const sessionIdCharacters = 20;
/** The stored last use is at most this much older than the real one. */
const lastUseWrittenEveryMs = 3_600_000;

export interface SignInSessionsDeps {
  readonly file: string;
  readonly tokens: Pick<TokenService, 'admitUi' | 'issueUi' | 'endUi' | 'ownerTokenId'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
  readonly random?: RandomBytes;
}

export interface UiToken {
  readonly token: string;
  readonly expiresAtMs: number;
  readonly sessionId: string;
}

/** Who signs in. `origin` is checked by the Host/Origin check before. */
export interface SigningIn {
  readonly key: BrowserKey | null;
  readonly origin: string | null;
  readonly userAgent: string | undefined;
}

/** Times by the monotonic clock, so that setting the clock neither extends a challenge nor gives more of them. */
interface OpenChallenges {
  readonly issued: readonly { readonly challenge: string; readonly atMs: number; readonly used: boolean }[];
}

export class SignInSessions {
  readonly #deps: SignInSessionsDeps;
  readonly #save: (sessions: readonly SignInSession[]) => Promise<void>;
  readonly #sessions = new Map<string, SignInSession>();
  readonly #challenges = new Map<string, OpenChallenges>();
  readonly #writtenUse = new Map<string, number>();

  constructor(deps: SignInSessionsDeps) {
    this.#deps = deps;
    const ownerTokenId = deps.tokens.ownerTokenId();
    this.#save = createSignInSessionWriter(deps.file, ownerTokenId);
    for (const session of readSignInSessions(deps.file, ownerTokenId)) {
      this.#sessions.set(session.sessionId, session);
      this.#writtenUse.set(session.sessionId, session.lastUsedAtMs);
      deps.tokens.admitUi(session.sessionId);
    }
    this.#endExpired();
  }

  /** Durable when it resolves. A browser that signs in again with its key keeps its session. */
  async start({ key, origin, userAgent }: SigningIn): Promise<UiToken | 'invalid-key'> {
    if (key !== null && publicKeyOf(key) === null) return 'invalid-key';
    const nowMs = this.#deps.clock.nowMs();
    this.#endExpired();
    const known = [...this.#sessions.values()].find(
      (session) =>
        key !== null && session.origin === origin && session.key?.x === key.x && session.key.y === key.y,
    );
    const sessionId = known?.sessionId ?? `ses_${this.#deps.ids.text(sessionIdCharacters)}`;
    const session = {
      sessionId,
      name: browserName(userAgent),
      origin,
      key,
      createdAtMs: nowMs,
      lastUsedAtMs: nowMs,
    };
    this.#sessions.set(sessionId, session);
    this.#deps.tokens.admitUi(sessionId);
    this.#endBeyondMax();
    await this.#store();
    return this.#issue(session);
  }

  /** A challenge that can be signed once within `challengeLifeMs`. */
  challenge(sessionId: string): { challenge: string; expiresAtMs: number } | 'unknown' | 'too-many' {
    this.#endExpired();
    if (this.#sessions.get(sessionId)?.key == null) return 'unknown';
    const atMs = this.#deps.clock.monotonicMs();
    const recent = (this.#challenges.get(sessionId)?.issued ?? []).filter(
      (one) => atMs - one.atMs < minuteMs,
    );
    if (recent.length >= challengesPerMinuteMax) return 'too-many';
    const challenge = Buffer.from((this.#deps.random ?? systemRandom)(challengeBytes)).toString('base64url');
    this.#challenges.set(sessionId, { issued: [...recent, { challenge, atMs, used: false }] });
    return { challenge, expiresAtMs: this.#deps.clock.nowMs() + challengeLifeMs };
  }

  /** null: no such session, another origin, a challenge that is unknown, used or expired, or a signature of another key. */
  refresh(input: {
    sessionId: string;
    challenge: string;
    signature: string;
    origin: string;
  }): UiToken | null {
    this.#endExpired();
    const session = this.#sessions.get(input.sessionId);
    if (session?.key == null || session.origin !== input.origin) return null;
    if (!this.#takeChallenge(input.sessionId, input.challenge)) return null;
    if (!isProof(session.key, input, input.signature)) return null;
    return this.#use(session);
  }

  /** A new token for one of a session without a key; null: the session has a key, so a token does not prove who sends it. */
  renew(sessionId: string | null): UiToken | null {
    this.#endExpired();
    const session = this.#sessions.get(sessionId ?? '');
    return session === undefined || session.key !== null ? null : this.#use(session);
  }

  /** Last used first. */
  list(): readonly SignInSession[] {
    this.#endExpired();
    return [...this.#sessions.values()].sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
  }

  /** Takes effect at once, and is durable when it resolves. false: unknown. */
  async end(sessionId: string): Promise<boolean> {
    if (!this.#sessions.has(sessionId)) return false;
    this.#forget(sessionId);
    await this.#store();
    return true;
  }

  /** The number of sessions that were ended. */
  async endAll(): Promise<number> {
    const ids = [...this.#sessions.keys()];
    for (const id of ids) this.#forget(id);
    await this.#store();
    return ids.length;
  }

  #takeChallenge(sessionId: string, challenge: string): boolean {
    const atMs = this.#deps.clock.monotonicMs();
    const issued = this.#challenges.get(sessionId)?.issued ?? [];
    const found = issued.find((one) => one.challenge === challenge);
    if (found === undefined || found.used || atMs - found.atMs >= challengeLifeMs) return false;
    this.#challenges.set(sessionId, {
      issued: issued.map((one) => (one === found ? { ...one, used: true } : one)),
    });
    return true;
  }

  #use(session: SignInSession): UiToken {
    const { sessionId } = session;
    const nowMs = this.#deps.clock.nowMs();
    const used = { ...session, lastUsedAtMs: nowMs };
    this.#sessions.set(sessionId, used);
    const isDue = Math.abs(nowMs - (this.#writtenUse.get(sessionId) ?? 0)) >= lastUseWrittenEveryMs;
    // A last use that could not be written is written with a later one.
    if (isDue) this.#store().catch(() => this.#writtenUse.delete(sessionId));
    return this.#issue(used);
  }

  #issue({ sessionId, key }: SignInSession): UiToken {
    const lifeMs = key === null ? uiTokenLifeMs : sessionTokenLifeMs;
    return { ...this.#deps.tokens.issueUi(lifeMs, sessionId), sessionId };
  }

  #endExpired(): void {
    const nowMs = this.#deps.clock.nowMs();
    for (const session of this.#sessions.values()) {
      if (expiresAtMs(session) <= nowMs) this.#forget(session.sessionId);
    }
  }

  #endBeyondMax(): void {
    const oldest = [...this.#sessions.values()].sort((a, b) => a.lastUsedAtMs - b.lastUsedAtMs);
    for (const { sessionId } of oldest.slice(0, Math.max(0, oldest.length - sessionsMax)))
      this.#forget(sessionId);
  }

  #forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#challenges.delete(sessionId);
    this.#writtenUse.delete(sessionId);
    this.#deps.tokens.endUi(sessionId);
  }

  async #store(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    for (const { sessionId, lastUsedAtMs } of sessions) this.#writtenUse.set(sessionId, lastUsedAtMs);
    await this.#save(sessions);
  }
}

/** When the session ends unless it is used before. */
export function expiresAtMs({ key, createdAtMs, lastUsedAtMs }: SignInSession): number {
  // The stored last use of a session without a key may be older than its token.
  const idleMs = key === null ? uiTokenLifeMs + lastUseWrittenEveryMs : sessionIdleMsMax;
  return Math.min(lastUsedAtMs + idleMs, createdAtMs + sessionAgeMsMax);
}
