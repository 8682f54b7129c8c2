import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { browserName } from '../../server/auth/browser-name.ts';
import { refreshText } from '../../server/auth/browser-proof.ts';
import { keyFiles } from '../../server/auth/key-store.ts';
import { MemoryOneTimeTexts } from '../../server/auth/one-time-texts.ts';
import { SignInSessionFile } from '../../server/auth/sign-in-session-store.ts';
import {
  challengeLifeMs,
  challengesPerMinuteMax,
  SignInSessions,
  sessionAgeMsMax,
  sessionIdleMsMax,
  sessionsMax,
  sessionTokenLifeMs,
  type UiToken,
} from '../../server/auth/sign-in-sessions.ts';
import { createTokenService } from '../../server/auth/tokens.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createMemoryTokenStore } from '../support/token-store.ts';

const origin = 'http://127.0.0.1:4417';
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** An agent's part of the sign-in, which `restart` opens again from the same files. */
async function bench() {
  const dir = tempFolder('mooring-sign-in-sessions');
  const clock = createManualClock();
  const file = path.join(dir, 'sign-in-sessions.json');
  const ownerTokenFile = path.join(dir, 'owner.token');
  const keys = keyFiles({ signingKeyFile: path.join(dir, 'signing-key.json'), ownerTokenFile });
  const restart = async () => {
    const ids = createIds();
    const store = createMemoryTokenStore();
    const tokens = await createTokenService({ store, clock, ids, keys, jwks: null });
    const kept = new SignInSessionFile(file, tokens.ownerTokenId());
    const challenges = new MemoryOneTimeTexts(clock);
    return { tokens, sessions: await SignInSessions.open({ store: kept, challenges, tokens, clock, ids }) };
  };
  return { clock, file, ownerTokenFile, restart, ...(await restart()) };
}

/** A browser with a key that leaves it only as signatures. */
function browser() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { key: { x, y }, privateKey };
}

function signed(privateKey: KeyObject, sessionId: string, challenge: string, from = origin): string {
  const text = refreshText({ origin: from, sessionId, challenge });
  return sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

async function challengeOf(sessions: SignInSessions, sessionId: string): Promise<string> {
  const made = await sessions.challenge(sessionId);
  if (typeof made === 'string') throw new Error(made);
  return made.challenge;
}

async function signIn(sessions: SignInSessions, key: ReturnType<typeof browser>['key']): Promise<UiToken> {
  const token = await sessions.start({ key, origin, userAgent });
  if (token === 'invalid-key') throw new Error('the key is invalid');
  return token;
}

async function refresh(
  sessions: SignInSessions,
  privateKey: KeyObject,
  sessionId: string,
): Promise<UiToken | null> {
  const challenge = await challengeOf(sessions, sessionId);
  return await sessions.refresh({
    sessionId,
    challenge,
    signature: signed(privateKey, sessionId, challenge),
    origin,
  });
}

describe('a browser that is signed in', () => {
  it('gets a short-lived token of the owner for each signed challenge, also of two tabs at once', async () => {
    const { clock, tokens, sessions } = await bench();
    const { key, privateKey } = browser();
    const { sessionId, expiresAtMs } = await signIn(sessions, key);
    expect(expiresAtMs).toBe(clock.nowMs() + sessionTokenLifeMs);
    const challenges = [await challengeOf(sessions, sessionId), await challengeOf(sessions, sessionId)];
    for (const challenge of challenges.toReversed()) {
      const signature = signed(privateKey, sessionId, challenge);
      const token = await sessions.refresh({ sessionId, challenge, signature, origin });
      expect(await tokens.verify(token?.token)).toMatchObject({
        ok: true,
        token: { owner: true, agent: 'ui' },
      });
    }
  });

  it('stays signed in when the agent is started again, and the file has nothing to sign in with', async () => {
    const { file, restart, sessions } = await bench();
    const { key, privateKey } = browser();
    const first = await signIn(sessions, key);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(first.token.split('.')[2]);
    expect(text).not.toContain(privateKey.export({ format: 'jwk' }).d);
    const again = await restart();
    expect(await again.tokens.verify(first.token)).toMatchObject({ ok: true });
    expect(await refresh(again.sessions, privateKey, first.sessionId)).not.toBeNull();
  });

  it('keeps its session when it signs in again with its key', async () => {
    const { sessions } = await bench();
    const { key } = browser();
    const first = await signIn(sessions, key);
    expect((await signIn(sessions, key)).sessionId).toBe(first.sessionId);
    expect(await sessions.list()).toMatchObject([{ name: 'Firefox on Linux', origin }]);
  });

  it('is signed out after 30 days without a use, and at 180 days in any case', async () => {
    const { clock, tokens, sessions } = await bench();
    const unused = browser();
    const used = browser();
    const idle = await signIn(sessions, unused.key);
    const { sessionId } = await signIn(sessions, used.key);
    clock.advance(sessionIdleMsMax - 1);
    expect(await refresh(sessions, used.privateKey, sessionId)).not.toBeNull();
    clock.advance(1);
    expect(await sessions.challenge(idle.sessionId)).toBe('unknown');
    for (
      let ageMs = sessionIdleMsMax;
      ageMs + sessionIdleMsMax / 2 < sessionAgeMsMax;
      ageMs += sessionIdleMsMax / 2
    ) {
      clock.advance(sessionIdleMsMax / 2);
      expect(await refresh(sessions, used.privateKey, sessionId)).not.toBeNull();
    }
    const last = await refresh(sessions, used.privateKey, sessionId);
    clock.advance(sessionIdleMsMax / 2);
    expect(await sessions.list()).toEqual([]);
    expect(await tokens.verify(last?.token)).toMatchObject({ ok: false });
  });

  it('gives way when too many are signed in', async () => {
    const { clock, sessions } = await bench();
    const { sessionId } = await signIn(sessions, browser().key);
    for (let index = 0; index < sessionsMax; index += 1) {
      clock.advance(1);
      await signIn(sessions, browser().key);
    }
    expect(await sessions.list()).toHaveLength(sessionsMax);
    expect(await sessions.challenge(sessionId)).toBe('unknown');
  });
});

describe('a sign-out', () => {
  it('refuses the tokens of the session at once, closes its streams, and survives a restart', async () => {
    const { tokens, sessions, restart } = await bench();
    const { key, privateKey } = browser();
    const { token, sessionId } = await signIn(sessions, key);
    const other = await signIn(sessions, browser().key);
    const closed: string[] = [];
    tokens.onRevoked((id) => closed.push(id));
    const challenge = await challengeOf(sessions, sessionId);
    expect(await sessions.end(sessionId)).toBe(true);
    expect(await tokens.verify(token)).toMatchObject({ ok: false, message: 'signed out' });
    expect(closed).toEqual([sessionId]);
    const signature = signed(privateKey, sessionId, challenge);
    expect(await sessions.refresh({ sessionId, challenge, signature, origin })).toBeNull();
    expect(await sessions.end(sessionId)).toBe(false);
    const again = await restart();
    expect(await again.tokens.verify(token)).toMatchObject({ ok: false, message: 'signed out' });
    expect(await again.tokens.verify(other.token)).toMatchObject({ ok: true });
    expect(await again.sessions.endAll()).toBe(1);
    expect(await again.tokens.verify(other.token)).toMatchObject({ ok: false });
  });

  it('is the consequence of another owner token, and of a damaged file', async () => {
    const { sessions, restart, file, ownerTokenFile } = await bench();
    const { sessionId } = await signIn(sessions, browser().key);
    const stored = readFileSync(file, 'utf8');
    writeFileSync(ownerTokenFile, '');
    expect(await (await restart()).sessions.challenge(sessionId)).toBe('unknown');
    for (const damaged of ['', '{', 'null', '{"sessions":{}}', stored.replaceAll('"key"', '"keys"')]) {
      writeFileSync(file, damaged);
      expect(await (await restart()).sessions.list()).toEqual([]);
    }
  });
});

describe('a thief', () => {
  const stolen = async () => {
    const made = await bench();
    const { key, privateKey } = browser();
    return { ...made, key, privateKey, ...(await signIn(made.sessions, key)) };
  };

  it('with the session id alone, or another key, gets nothing', async () => {
    const { sessions, sessionId } = await stolen();
    const challenge = await challengeOf(sessions, sessionId);
    const signature = signed(browser().privateKey, sessionId, challenge);
    expect(await sessions.refresh({ sessionId, challenge, signature, origin })).toBeNull();
    expect(await sessions.refresh({ sessionId, challenge, signature: 'A'.repeat(86), origin })).toBeNull();
  });

  it('cannot send a refresh again, nor one of later than 30 seconds', async () => {
    const { clock, sessions, privateKey, sessionId } = await stolen();
    const sent = async () => {
      const challenge = await challengeOf(sessions, sessionId);
      return { sessionId, challenge, signature: signed(privateKey, sessionId, challenge), origin };
    };
    const once = await sent();
    expect(await sessions.refresh(once)).not.toBeNull();
    expect(await sessions.refresh(once)).toBeNull();
    const late = await sent();
    clock.advance(challengeLifeMs);
    expect(await sessions.refresh(late)).toBeNull();
  });

  it('cannot use a signature of another origin, of another port of this machine, or of another session', async () => {
    const { sessions, privateKey, sessionId } = await stolen();
    const other = await signIn(sessions, browser().key);
    for (const from of ['http://127.0.0.1:4418', 'http://localhost:4417', 'https://127.0.0.1:4417', '']) {
      const challenge = await challengeOf(sessions, sessionId);
      const signature = signed(privateKey, sessionId, challenge, from);
      expect(await sessions.refresh({ sessionId, challenge, signature, origin: from })).toBeNull();
      const again = await challengeOf(sessions, sessionId);
      const foreign = signed(privateKey, sessionId, again, from);
      expect(await sessions.refresh({ sessionId, challenge: again, signature: foreign, origin })).toBeNull();
    }
    const challenge = await challengeOf(sessions, other.sessionId);
    const signature = signed(privateKey, sessionId, challenge);
    expect(await sessions.refresh({ sessionId, challenge, signature, origin })).toBeNull();
  });

  it('cannot extend a stolen token without the key', async () => {
    const { clock, tokens, sessions, token, sessionId } = await stolen();
    expect(await sessions.renew(sessionId)).toBeNull();
    clock.advance(sessionTokenLifeMs);
    expect(await tokens.verify(token)).toMatchObject({ ok: false, message: 'token expired' });
  });

  it('gets a bounded number of challenges, and no key that is not on the curve', async () => {
    const { clock, sessions, sessionId } = await stolen();
    for (let index = 0; index < challengesPerMinuteMax; index += 1) await challengeOf(sessions, sessionId);
    expect(await sessions.challenge(sessionId)).toBe('too-many');
    clock.advance(60_000);
    expect(await sessions.challenge(sessionId)).toMatchObject({ challenge: expect.any(String) });
    const wrong = { x: 'A'.repeat(43), y: 'A'.repeat(43) };
    expect(await sessions.start({ key: wrong, origin, userAgent })).toBe('invalid-key');
  });
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15', 'Safari on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Electron/38.0 Safari/537.36', 'Desktop app on Linux'],
  ['node', 'Unknown program'],
  [undefined, 'Unknown program'],
])('%j is %s', (header, name) => {
  expect(browserName(header)).toBe(name);
});
