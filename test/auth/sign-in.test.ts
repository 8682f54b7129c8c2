import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyFiles } from '../../server/auth/key-store.ts';
import { MemoryOneTimeTexts } from '../../server/auth/one-time-texts.ts';
import { codeLifeMs, createSignIn, openCodesMax } from '../../server/auth/sign-in.ts';
import { SignInSessionFile } from '../../server/auth/sign-in-session-store.ts';
import { SignInSessions, uiTokenLifeMs } from '../../server/auth/sign-in-sessions.ts';
import { createTokenService } from '../../server/auth/tokens.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createMemoryTokenStore } from '../support/token-store.ts';

async function bench() {
  const dir = tempFolder('mooring-sign-in');
  const clock = createManualClock();
  const tokens = await createTokenService({
    store: createMemoryTokenStore(),
    clock,
    ids: createIds(),
    keys: keyFiles({
      signingKeyFile: path.join(dir, 'signing-key.json'),
      ownerTokenFile: path.join(dir, 'owner.token'),
    }),
    jwks: null,
  });
  const oneTimeTexts = new MemoryOneTimeTexts(clock);
  const sessions = await SignInSessions.open({
    store: new SignInSessionFile(path.join(dir, 'sign-in-sessions.json'), tokens.ownerTokenId()),
    challenges: oneTimeTexts,
    tokens,
    clock,
    ids: createIds(),
  });
  return { clock, tokens, sessions, signIn: createSignIn({ sessions, codes: oneTimeTexts, clock }) };
}

describe('a sign-in code', () => {
  it('is good once, for an owner token of an hour', async () => {
    const { clock, tokens, signIn } = await bench();
    const { code, expiresAtMs } = await signIn.createCode();
    expect(expiresAtMs).toBe(clock.nowMs() + codeLifeMs);
    const first = await signIn.exchange(code);
    if (first === null || first === 'invalid-key') throw new Error('not signed in');
    expect(first.expiresAtMs).toBe(clock.nowMs() + uiTokenLifeMs);
    expect(await tokens.verify(first.token)).toMatchObject({
      ok: true,
      token: { owner: true, agent: 'ui' },
    });
    expect(await signIn.exchange(code)).toBeNull();
  });

  it('ends after a minute, also when the clock of the machine is set back', async () => {
    const { clock, signIn } = await bench();
    const late = (await signIn.createCode()).code;
    clock.advance(codeLifeMs - 1);
    const inTime = (await signIn.createCode()).code;
    clock.advance(1);
    clock.setWallMs(0);
    expect(await signIn.exchange(late)).toBeNull();
    expect(await signIn.exchange(inTime)).not.toBeNull();
  });

  it.each(['', 'x', 'a'.repeat(200)])('is not %j', async (code) => {
    const { signIn } = await bench();
    await signIn.createCode();
    expect(await signIn.exchange(code)).toBeNull();
  });

  it('gives way when too many are open', async () => {
    const { signIn } = await bench();
    const codes: string[] = [];
    for (let made = 0; made <= openCodesMax; made += 1) codes.push((await signIn.createCode()).code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(await signIn.exchange(codes[0] ?? '')).toBeNull();
    expect(await signIn.exchange(codes[1] ?? '')).not.toBeNull();
  });
});

describe('a UI token of a page without a key', () => {
  it('is renewed for another hour, and ends without that', async () => {
    const { clock, tokens, sessions, signIn } = await bench();
    const first = await tokenOf(signIn);
    clock.advance(uiTokenLifeMs - 1);
    const second = await sessions.renew(first.sessionId);
    clock.advance(1);
    expect(await tokens.verify(first.token)).toMatchObject({ ok: false, message: 'token expired' });
    expect(await tokens.verify(second?.token)).toMatchObject({ ok: true, token: { owner: true } });
  });

  it('cannot be had for a workspace token', async () => {
    const { tokens, sessions } = await bench();
    const { row } = await tokens.issue({ workspaceId: 'rw_aaaaaaaa' });
    expect(await sessions.renew(row.tokenId)).toBeNull();
    expect(await sessions.renew(null)).toBeNull();
  });
});

async function tokenOf(signIn: Awaited<ReturnType<typeof bench>>['signIn']) {
  const token = await signIn.exchange((await signIn.createCode()).code);
  if (token === null || token === 'invalid-key') throw new Error('not signed in');
  return token;
}
