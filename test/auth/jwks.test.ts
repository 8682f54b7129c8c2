import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createJwks,
  failurePauseMs,
  keysFreshMs,
  keysStaleGraceMs,
  refetchPauseMs,
} from '../../server/auth/jwks.ts';
import { keyFiles } from '../../server/auth/key-store.ts';
import { createTokenService, type TokenService } from '../../server/auth/tokens.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createMemoryTokenStore } from '../support/token-store.ts';

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: Record<string, unknown>;
}

function makeKey(kid: string, modulusLength = 2048): IssuerKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
}
const keyA = makeKey('a');
const keyB = makeKey('b');

/** An issuer on a real port; `answer` says what it does, `asked` counts. */
interface Issuer {
  url: string;
  asked: number;
  answer: (response: ServerResponse) => void;
  serve(...keys: readonly IssuerKey[]): void;
  /** As long as it is down, connections are refused. */
  down(): Promise<void>;
}

async function startIssuer(): Promise<Issuer> {
  const issuer: Issuer = {
    url: '',
    asked: 0,
    answer: () => {
      throw new Error('nothing to answer');
    },
    serve(...keys) {
      issuer.answer = (response) => response.end(JSON.stringify({ keys: keys.map((key) => key.jwk) }));
    },
    async down() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((_, response) => {
    issuer.asked += 1;
    issuer.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  issuer.serve(keyA);
  return issuer;
}

interface Bench {
  readonly issuer: Issuer;
  readonly clock: ManualClock;
  readonly tokens: TokenService;
}

async function bench(fetchTimeoutMs = 5_000): Promise<Bench> {
  const issuer = await startIssuer();
  const clock = createManualClock();
  const dir = tempFolder('mooring-jwks');
  const tokens = await createTokenService({
    store: createMemoryTokenStore(),
    clock,
    ids: createIds(),
    keys: keyFiles({
      signingKeyFile: path.join(dir, 'signing-key.json'),
      ownerTokenFile: path.join(dir, 'owner.token'),
    }),
    jwks: createJwks({ url: issuer.url, clock, fetchTimeoutMs }),
  });
  return { issuer, clock, tokens };
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
let serial = 0;

/** Each one different, so that none is answered from the cache of verified tokens. */
function tokenBy(
  key: IssuerKey,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): string {
  serial += 1;
  const all = {
    wks: 'rw_aaaaaaaa',
    sub: 'ann',
    aud: 'relayfile',
    exp: 9e9,
    scopes: ['fs:read'],
    serial,
    ...claims,
  };
  const text = `${encode({ alg: 'RS256', kid: key.kid, ...header })}.${encode(all)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`;
}

const unavailable = { ok: false, code: 'unavailable', message: 'jwks unreachable' };
const mismatch = { ok: false, code: 'unauthorized', message: 'jwt signature mismatch' };

describe('a token of the issuer', () => {
  it('is accepted beside our own, and the keys are fetched once', async () => {
    const { tokens, issuer } = await bench();
    const own = await tokens.issue({ workspaceId: 'rw_aaaaaaaa' });
    const seen = await Promise.all([
      tokens.verify(tokenBy(keyA)),
      tokens.verify(tokenBy(keyA)),
      tokens.verify(own.token),
    ]);
    expect(seen.map((one) => one.ok)).toEqual([true, true, true]);
    expect(await tokens.verify(tokenBy(keyA))).toMatchObject({
      ok: true,
      token: { tokenId: null, owner: false, agent: 'ann' },
    });
    expect(issuer.asked).toBe(1);
  });

  it.each<[string, () => string, string]>([
    ['for every workspace', () => tokenBy(keyA, { wks: '*' }), 'missing workspace claim'],
    ['that is over', () => tokenBy(keyA, { exp: 1 }), 'token expired'],
    ['for another audience', () => tokenBy(keyA, { aud: 'other' }), 'invalid aud claim'],
    ['without a key id', () => tokenBy(keyA, {}, { kid: undefined }), 'invalid jwt header'],
    ['by another key under its id', () => tokenBy({ ...keyB, kid: 'a' }), 'jwt signature mismatch'],
    ['with another algorithm', () => tokenBy(keyA, {}, { alg: 'PS256' }), 'unsupported jwt algorithm'],
    ['that calls itself HS256', () => tokenBy(keyA, {}, { alg: 'HS256' }), 'jwt signature mismatch'],
    ['that calls itself none', () => tokenBy(keyA, {}, { alg: 'none' }), 'unsupported jwt algorithm'],
  ])('%s is refused', async (_, make, message) => {
    const { tokens } = await bench();
    expect(await tokens.verify(make())).toEqual({ ok: false, code: 'unauthorized', message });
  });

  it('does not become the owner by naming the owner token', async () => {
    const { tokens } = await bench();
    const owner = await tokens.verify(tokens.ownerToken());
    if (!owner.ok) throw new Error(owner.message);
    const { tokenId } = owner.token;
    for (const claims of [{ jti: tokenId }, { owner_token: tokenId }]) {
      expect(await tokens.verify(tokenBy(keyA, { ...claims, wks: '*' }))).toMatchObject({ ok: false });
    }
  });

  it('under a key that is too short is refused', async () => {
    const { tokens, issuer } = await bench();
    const short = makeKey('short', 1024);
    issuer.serve(short);
    expect(await tokens.verify(tokenBy(short))).toEqual(mismatch);
  });
});

describe('the keys of the issuer', () => {
  it('are fetched again for a key id that is new, but not more often than every ten seconds', async () => {
    const { tokens, issuer, clock } = await bench();
    await tokens.verify(tokenBy(keyA));
    issuer.serve(keyA, keyB);
    expect(await tokens.verify(tokenBy(keyB))).toEqual(mismatch);
    clock.advance(refetchPauseMs);
    expect(await tokens.verify(tokenBy(keyB))).toMatchObject({ ok: true });
    expect(issuer.asked).toBe(2);
    clock.advance(refetchPauseMs);
    const made = Array.from({ length: 20 }, (_, index) => tokenBy({ ...keyA, kid: `made-up-${index}` }));
    for (const one of made) expect(await tokens.verify(one)).toEqual(mismatch);
    expect(issuer.asked).toBe(3);
  });

  it('are forgotten after a rotation: their tokens end within five minutes, verified ones too', async () => {
    const { tokens, issuer, clock } = await bench();
    const old = tokenBy(keyA);
    expect(await tokens.verify(old)).toMatchObject({ ok: true });
    issuer.serve(keyB);
    clock.advance(keysFreshMs);
    expect(await tokens.verify(old)).toEqual(mismatch);
    expect(await tokens.verify(tokenBy(keyB))).toMatchObject({ ok: true });
  });

  it('serve for five minutes without the issuer, one more in grace, and then nothing can be said', async () => {
    const { tokens, issuer, clock } = await bench();
    await tokens.verify(tokenBy(keyA));
    await issuer.down();
    clock.advance(keysFreshMs);
    expect(await tokens.verify(tokenBy(keyA))).toMatchObject({ ok: true });
    clock.advance(keysStaleGraceMs - 1);
    expect(await tokens.verify(tokenBy(keyA))).toMatchObject({ ok: true });
    clock.advance(1);
    expect(await tokens.verify(tokenBy(keyA))).toEqual(unavailable);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['an error', (response) => response.writeHead(500).end('{"keys":[]}')],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['text', (response) => response.end('hello')],
    ['no key set', (response) => response.end('{"keys":7}')],
    ['null', (response) => response.end('null')],
    ['too much', (response) => response.end(`{"keys":[],"x":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    ['a broken connection', (response) => response.destroy()],
  ])(
    'are unavailable when the issuer answers with %s, and asked for again a second later',
    async (_, answer) => {
      const { tokens, issuer, clock } = await bench();
      issuer.answer = answer;
      expect(await tokens.verify(tokenBy(keyA))).toEqual(unavailable);
      expect(await tokens.verify(tokenBy(keyA))).toEqual(unavailable);
      expect(issuer.asked).toBe(1);
      issuer.serve(keyA);
      clock.advance(failurePauseMs);
      expect(await tokens.verify(tokenBy(keyA))).toMatchObject({ ok: true });
    },
  );

  it.each<[string, (response: ServerResponse) => void]>([
    ['at all', () => undefined],
    ['to the end', (response) => response.write('{"keys":[')],
  ])('are unavailable when the issuer does not answer %s in time', async (_, answer) => {
    const { tokens, issuer } = await bench(100);
    issuer.answer = answer;
    expect(await tokens.verify(tokenBy(keyA))).toEqual(unavailable);
  });
});
