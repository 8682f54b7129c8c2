// The sign-in sessions of browsers: each has a key that its browser cannot export, and gets short-lived tokens for signed challenges. It
// never stores a token, and trusts no request without a proof (docs/security.md#sign-in-sessions).
import type { Clock } from '../platform/clock.ts';
import { type RandomBytes, systemRandom } from '../platform/crypto/hashes.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import type { OneTimeTexts } from '../store/port/store.ts';
import { browserName } from './browser-name.ts';
import { type BrowserKey, isProof, publicKeyOf } from './browser-proof.ts';
import type { SignInSession, SignInSessionStore } from './sign-in-session-store.ts';
import type { TokenService } from './tokens.ts';

const dayMs = 86_400_000;
/** A session ends when it was not used for so long, and at this age in any case. */
export const sessionIdleMsMax = 30 * dayMs;
export const sessionAgeMsMax = 180 * dayMs;
/** Of the owner, and of each user; a further one ends the session that was used longest ago. */
export const sessionsMax = 32;
/** Of all users together. */
const sessionsOfAllMax = 4_096;
export const sessionTokenLifeMs = 10 * 60_000;
/** Of a page that cannot keep a key. */
export const uiTokenLifeMs = 3_600_000;
export const challengeLifeMs = 30_000;
/** Challenges of one session per minute: enough for every tab of a browser that is started again. */
export const challengesPerMinuteMax = 120;
const minuteMs = 60_000;
const challengeLimits = {
  lifeMs: challengeLifeMs,
  countedMs: minuteMs,
  countMax: challengesPerMinuteMax,
  whenFull: 'refuse',
} as const;
/** 192 bits. */
const challengeBytes = 24;
const sessionIdCharacters = 20;
/** The stored last use is at most this much older than the real one. */
const lastUseStoredEveryMs = 3_600_000;

export interface SignInSessionsDeps {
  readonly store: SignInSessionStore;
  readonly challenges: OneTimeTexts;
  readonly tokens: Pick<TokenService, 'admitUi' | 'issueUi' | 'endUi'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
  readonly random?: RandomBytes;
  /** Reports to other processes that a session has ended. */
  readonly announce?: () => void;
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
  /** Default: the owner. */
  readonly userId?: string | null;
}

export class SignInSessions {
  readonly #deps: SignInSessionsDeps;
  /** As of the last look at the store. */
  readonly #sessions = new Map<string, SignInSession>();
  /** The last use as stored. */
  readonly #storedUse = new Map<string, number>();
  /** What looks at the store or changes it does so one after the other: an older look never brings an ended session back. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(deps: SignInSessionsDeps) {
    this.#deps = deps;
  }

  static async open(deps: SignInSessionsDeps): Promise<SignInSessions> {
    const sessions = new SignInSessions(deps);
    await sessions.follow();
    return sessions;
  }

  /** Takes over what other processes of a hub have started and ended, and ends what has expired. */
  async follow(): Promise<void> {
    await this.#inTurn(async () => undefined);
  }

  /** Durable when it resolves. A browser that signs in again with its key keeps its session. */
  async start({ key, origin, userAgent, userId = null }: SigningIn): Promise<UiToken | 'invalid-key'> {
    if (key !== null && publicKeyOf(key) === null) return 'invalid-key';
    return await this.#inTurn(async () => {
      const nowMs = this.#deps.clock.nowMs();
      const ofBrowser = [...this.#sessions.values()].filter(
        (session) =>
          key !== null && session.origin === origin && session.key?.x === key.x && session.key.y === key.y,
      );
      const known = ofBrowser.find((session) => session.userId === userId);
      const sessionId = known?.sessionId ?? `ses_${this.#deps.ids.text(sessionIdCharacters)}`;
      const times = { createdAtMs: nowMs, lastUsedAtMs: nowMs };
      const session = { sessionId, name: browserName(userAgent), origin, key, userId, ...times };
      await this.#deps.store.put(session);
      this.#sessions.set(sessionId, session);
      this.#storedUse.set(sessionId, nowMs);
      this.#deps.tokens.admitUi(sessionId);
      // A browser that signs in as another user ends the session of the one before.
      const replaced = ofBrowser.filter((other) => other !== known);
      await this.#end([...new Set([...replaced, ...this.#beyondMax(userId)])]);
      return this.#issue(session);
    });
  }

  isKey(key: BrowserKey): boolean {
    return publicKeyOf(key) !== null;
  }

  /** A challenge that can be signed once within `challengeLifeMs`. */
  async challenge(
    sessionId: string,
  ): Promise<{ challenge: string; expiresAtMs: number } | 'unknown' | 'too-many'> {
    if ((await this.#find(sessionId))?.key == null) return 'unknown';
    const { challenges, clock, random = systemRandom } = this.#deps;
    const challenge = Buffer.from(random(challengeBytes)).toString('base64url');
    if (!(await challenges.offer(topicOf(sessionId), challenge, challengeLimits))) return 'too-many';
    return { challenge, expiresAtMs: clock.nowMs() + challengeLifeMs };
  }

  /** null: no such session, another origin, a challenge that is unknown, used or expired, or a signature of another key. */
  async refresh(input: {
    sessionId: string;
    challenge: string;
    signature: string;
    origin: string;
  }): Promise<UiToken | null> {
    const session = await this.#find(input.sessionId);
    if (session?.key == null || session.origin !== input.origin) return null;
    if (!(await this.#deps.challenges.take(topicOf(input.sessionId), input.challenge))) return null;
    if (!isProof(session.key, input, input.signature)) return null;
    return this.#use(session);
  }

  /** A new token for one of a session without a key; null: the session has a key, so a token does not prove who sends it. */
  async renew(sessionId: string | null): Promise<UiToken | null> {
    const session = await this.#find(sessionId ?? '');
    return session === undefined || session.key !== null ? null : this.#use(session);
  }

  /** Last used first; `of`: of one user. */
  async list(of?: string): Promise<readonly SignInSession[]> {
    return await this.#inTurn(async () => this.#lastUsedFirst(of));
  }

  /** Takes effect at once, and is durable when it resolves. false: unknown, or not of that user. */
  async end(sessionId: string, of?: string): Promise<boolean> {
    return await this.#inTurn(async () => {
      const session = this.#sessions.get(sessionId);
      if (session === undefined || (of !== undefined && session.userId !== of)) return false;
      await this.#end([session]);
      return true;
    });
  }

  /** The number of sessions that were ended; `of`: those of one user. */
  async endAll(of?: string): Promise<number> {
    return await this.#inTurn(async () => {
      const sessions = this.#lastUsedFirst(of);
      await this.#end(sessions);
      return sessions.length;
    });
  }

  async #find(sessionId: string): Promise<SignInSession | undefined> {
    return await this.#inTurn(async () => this.#sessions.get(sessionId));
  }

  /** After a look at the store. */
  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = async () => {
      await this.#look();
      return await act();
    };
    const result = this.#last.then(turn, turn);
    this.#last = result;
    return await result;
  }

  async #look(): Promise<void> {
    const stored = new Map((await this.#deps.store.all()).map((session) => [session.sessionId, session]));
    for (const sessionId of this.#sessions.keys()) if (!stored.has(sessionId)) this.#forget(sessionId);
    for (const session of stored.values()) this.#learn(session);
    const nowMs = this.#deps.clock.nowMs();
    await this.#end([...this.#sessions.values()].filter((session) => expiresAtMs(session) <= nowMs));
  }

  #use(session: SignInSession): UiToken {
    const { sessionId } = session;
    const nowMs = this.#deps.clock.nowMs();
    const used = { ...session, lastUsedAtMs: nowMs };
    this.#sessions.set(sessionId, used);
    if (Math.abs(nowMs - (this.#storedUse.get(sessionId) ?? 0)) >= lastUseStoredEveryMs) {
      this.#storedUse.set(sessionId, nowMs);
      // A last use that could not be stored is stored with a later one.
      this.#deps.store.replace(used).catch(() => this.#storedUse.delete(sessionId));
    }
    return this.#issue(used);
  }

  #lastUsedFirst(of?: string | null): readonly SignInSession[] {
    return [...this.#sessions.values()]
      .filter(({ userId }) => of === undefined || userId === of)
      .sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
  }

  #beyondMax(userId: string | null): readonly SignInSession[] {
    return [
      ...this.#lastUsedFirst(userId).slice(sessionsMax),
      ...this.#lastUsedFirst().slice(sessionsOfAllMax),
    ];
  }

  #issue({ sessionId, key, userId }: SignInSession): UiToken {
    const lifeMs = key === null ? uiTokenLifeMs : sessionTokenLifeMs;
    return { ...this.#deps.tokens.issueUi(lifeMs, sessionId, userId), sessionId };
  }

  /** The last use is the later one of that stored and that seen here. */
  #learn(session: SignInSession): void {
    const { sessionId } = session;
    const known = this.#sessions.get(sessionId);
    const isNewer = known !== undefined && known.lastUsedAtMs > session.lastUsedAtMs;
    this.#sessions.set(sessionId, isNewer ? known : session);
    if (known !== undefined) return;
    this.#storedUse.set(sessionId, session.lastUsedAtMs);
    this.#deps.tokens.admitUi(sessionId);
  }

  async #end(sessions: readonly SignInSession[]): Promise<void> {
    if (sessions.length === 0) return;
    const ids = sessions.map(({ sessionId }) => sessionId);
    for (const sessionId of ids) this.#forget(sessionId);
    await this.#deps.store.remove(ids);
    this.#deps.announce?.();
  }

  #forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#storedUse.delete(sessionId);
    this.#deps.tokens.endUi(sessionId);
  }
}

function topicOf(sessionId: string): string {
  return `challenge ${sessionId}`;
}

/** When the session ends unless it is used before. */
export function expiresAtMs({ key, createdAtMs, lastUsedAtMs }: SignInSession): number {
  // The stored last use of a session without a key may be older than its token.
  const idleMs = key === null ? uiTokenLifeMs + lastUseStoredEveryMs : sessionIdleMsMax;
  return Math.min(lastUsedAtMs + idleMs, createdAtMs + sessionAgeMsMax);
}
