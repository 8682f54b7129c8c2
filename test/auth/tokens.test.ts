import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeClaims, signingKey, signJwt } from '../../server/auth/jwt.ts';
import { keyFiles } from '../../server/auth/key-store.ts';
import { SigningKeyError } from '../../server/auth/token-keys.ts';
import { createTokenService, TokenRefusedError, type TokenService } from '../../server/auth/tokens.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import type { TokenStore } from '../../server/store/port/store.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createMemoryTokenStore } from '../support/token-store.ts';

const workspaceId = 'rw_aaaaaaaa';

interface Bench {
  readonly tokens: TokenService;
  readonly clock: ManualClock;
  readonly store: TokenStore;
  readonly dir: string;
  /** A second start on the same files and rows. */
  restart(): Promise<TokenService>;
  /** Signed with the agent's own key. */
  signed(claims: Record<string, unknown>, header?: Record<string, unknown>): string;
}

async function bench(): Promise<Bench> {
  const dir = tempFolder('mooring-auth');
  const clock = createManualClock();
  const store = createMemoryTokenStore();
  const start = () =>
    createTokenService({
      store,
      clock,
      ids: createIds(),
      keys: keyFiles({
        signingKeyFile: path.join(dir, 'signing-key.json'),
        ownerTokenFile: path.join(dir, 'owner.token'),
      }),
      jwks: null,
    });
  const tokens = await start();
  const key = JSON.parse(readFileSync(path.join(dir, 'signing-key.json'), 'utf8')) as {
    kid: string;
    k: string;
  };
  return {
    tokens,
    clock,
    store,
    dir,
    restart: start,
    signed: (claims, header = { alg: 'HS256', kid: key.kid }) =>
      hmacToken(Buffer.from(key.k, 'base64url'), header, claims),
  };
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inAnHour = (clock: ManualClock) => Math.floor(clock.nowMs() / 1000) + 3600;

function hmacToken(secret: Uint8Array | string, header: unknown, claims: unknown): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function claimsOf(clock: ManualClock): Record<string, unknown> {
  return { wks: workspaceId, sub: 'ann', aud: 'relayfile', exp: inAnHour(clock), scopes: ['fs:read'] };
}

function refused(message: string): unknown {
  return { ok: false, code: 'unauthorized', message };
}

describe('a token that is not one', () => {
  it.each<[string, string | undefined, string]>([
    ['nothing', undefined, 'missing or invalid bearer token'],
    ['empty text', '', 'invalid jwt format'],
    ['two parts', 'a.b', 'invalid jwt format'],
    ['four parts', 'a.b.c.d', 'invalid jwt format'],
    ['endless text', `${'a'.repeat(20_000)}.b.c`, 'invalid jwt format'],
    ['a header that is not base64url', '%%.e30.e30', 'invalid jwt header'],
    ['a header with padding', `${encode({ alg: 'HS256' })}==.e30.e30`, 'invalid jwt header'],
    ['a header that is not JSON', `${Buffer.from('x').toString('base64url')}.e30.e30`, 'invalid jwt header'],
    ['a header that is a list', `${encode(['HS256'])}.e30.e30`, 'invalid jwt header'],
    [
      'a critical extension',
      `${encode({ alg: 'HS256', crit: ['b64'], b64: false })}.e30.e30`,
      'invalid jwt header',
    ],
    ['no algorithm', `${encode({})}.e30.e30`, 'unsupported jwt algorithm'],
    ['alg none', `${encode({ alg: 'none' })}.${encode({})}.`, 'unsupported jwt algorithm'],
    ['alg NONE', `${encode({ alg: 'NONE' })}.${encode({})}.`, 'unsupported jwt algorithm'],
    ['alg in lower case', `${encode({ alg: 'hs256' })}.e30.e30`, 'unsupported jwt algorithm'],
    ['HS512', `${encode({ alg: 'HS512' })}.e30.e30`, 'unsupported jwt algorithm'],
    ['RS256 without an issuer', `${encode({ alg: 'RS256', kid: 'a' })}.e30.e30`, 'unsupported jwt algorithm'],
    ['a payload that is not base64url', `${encode({ alg: 'HS256' })}.%.e30`, 'invalid jwt payload'],
    ['a signature that is not base64url', `${encode({ alg: 'HS256' })}.e30.%`, 'invalid jwt signature'],
    ['no signature', `${encode({ alg: 'HS256' })}.e30.`, 'jwt signature mismatch'],
  ])('%s', async (_, bearer, message) => {
    const { tokens } = await bench();
    expect(await tokens.verify(bearer)).toEqual(refused(message));
  });
});

describe('a token under the agent key', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no workspace', { wks: undefined }, 'missing workspace claim'],
    ['an empty workspace', { wks: '' }, 'missing workspace claim'],
    ['a workspace that is no text', { wks: 7 }, 'missing workspace claim'],
    ['no subject', { sub: undefined }, 'missing subject claim'],
    ['no end', { exp: undefined }, 'invalid exp claim'],
    ['an end that is text', { exp: '4102444800' }, 'invalid exp claim'],
    ['an end that is over', { exp: 1 }, 'token expired'],
    ['no audience', { aud: undefined }, 'invalid aud claim'],
    ['another audience', { aud: 'relaycast' }, 'invalid aud claim'],
    ['other audiences', { aud: ['a', 'b'] }, 'invalid aud claim'],
  ])('is refused with %s', async (_, change, message) => {
    const { tokens, clock, signed } = await bench();
    expect(await tokens.verify(signed({ ...claimsOf(clock), ...change }))).toEqual(refused(message));
  });

  it.each([undefined, 'other', 7])('is refused when it names the key %j', async (kid) => {
    const { tokens, clock, signed } = await bench();
    expect(await tokens.verify(signed(claimsOf(clock), { alg: 'HS256', kid }))).toEqual(
      refused('jwt signature mismatch'),
    );
  });

  it('is refused when its payload is not an object', async () => {
    const { tokens, signed } = await bench();
    expect(await tokens.verify(signed([] as never))).toEqual(refused('invalid jwt payload'));
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'the other names of its claims',
      { wks: undefined, sub: undefined, workspace_id: workspaceId, agent_name: 'ann' },
      {},
    ],
    ['a list of audiences', { aud: ['other', ' relayfile '] }, {}],
    ['scopes as text', { scopes: ' fs:read  ops:read ' }, { scopes: ['fs:read', 'ops:read'] }],
    ['no scopes', { scopes: undefined }, { scopes: [] }],
    ['scopes that are not text', { scopes: ['fs:read', 3, '', null] }, { scopes: ['fs:read'] }],
    ['claims that do not matter', { iss: 'x', nbf: 9e9, iat: 9e9 }, {}],
    ['an id', { jti: 'tok_x' }, { tokenId: 'tok_x' }],
  ])('is accepted with %s', async (_, change, seen) => {
    const { tokens, clock, signed } = await bench();
    const claims = claimsOf(clock);
    expect(await tokens.verify(signed({ ...claims, ...change }))).toEqual({
      ok: true,
      token: {
        tokenId: null,
        workspaceId,
        agent: 'ann',
        scopes: ['fs:read'],
        expiresAtMs: Number(claims.exp) * 1000,
        owner: false,
        deletesPerMinute: null,
        parentTokens: [],
        forkId: null,
        userId: null,
        user: null,
        ...seen,
      },
    });
  });

  it.each(['relay_pa_', 'relay_ws_', 'relay_id_', 'relay_ag_', ' '])(
    'is accepted after the prefix %j',
    async (prefix) => {
      const { tokens } = await bench();
      const { token } = await tokens.issue({ workspaceId });
      expect(await tokens.verify(prefix + token)).toMatchObject({ ok: true });
    },
  );

  it('does not survive the change of any of its letters', async () => {
    const { tokens } = await bench();
    const { token } = await tokens.issue({ workspaceId });
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'ABab019_-.='), async (at, letter) => {
        fc.pre(token[at] !== letter);
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        expect(await tokens.verify(changed)).toMatchObject({ ok: false, code: 'unauthorized' });
      }),
      { numRuns: 500 },
    );
  });
});

describe('a token under another key', () => {
  it.each<[string, (own: Bench) => string]>([
    ['with our key id', (own) => foreign(own, true)],
    ['without a key id', (own) => hmacToken('dev-secret', { alg: 'HS256' }, claimsOf(own.clock))],
    ['with a key id of its own', (own) => foreign(own, false)],
    [
      'signed with the empty secret',
      (own) => hmacToken('', { alg: 'HS256', kid: kidOf(own) }, claimsOf(own.clock)),
    ],
  ])('is refused, %s', async (_, make) => {
    const own = await bench();
    expect(await own.tokens.verify(make(own))).toEqual(refused('jwt signature mismatch'));
  });

  it('is refused when an RSA signature calls itself HS256, and when a public key serves as the secret', async () => {
    const own = await bench();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const text = `${encode({ alg: 'HS256', kid: kidOf(own) })}.${encode(claimsOf(own.clock))}`;
    const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url');
    const pem = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
      type: 'spki',
      format: 'pem',
    });
    expect(await own.tokens.verify(`${text}.${signature}`)).toEqual(refused('jwt signature mismatch'));
    const confused = hmacToken(pem.toString(), { alg: 'HS256', kid: kidOf(own) }, claimsOf(own.clock));
    expect(await own.tokens.verify(confused)).toEqual(refused('jwt signature mismatch'));
  });

  function kidOf(own: Bench): string {
    return (JSON.parse(readFileSync(path.join(own.dir, 'signing-key.json'), 'utf8')) as { kid: string }).kid;
  }
  function foreign(own: Bench, ourKid: boolean): string {
    return signJwt(signingKey(ourKid ? kidOf(own) : 'other', Buffer.alloc(32, 7)), claimsOf(own.clock));
  }
});

describe('an issued token', () => {
  it('carries workspace and agent under all four names, and nothing is kept of it but its row', async () => {
    const { tokens, store, clock } = await bench();
    const { token, row } = await tokens.issue({
      workspaceId,
      agent: 'bot',
      scopes: ['fs:read'],
      ttlSeconds: 60,
      deletesPerMinute: 5,
    });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
    expect(claims).toEqual({
      wks: workspaceId,
      workspace_id: workspaceId,
      sub: 'bot',
      agent_name: 'bot',
      aud: 'relayfile',
      iat: clock.nowMs() / 1000,
      exp: clock.nowMs() / 1000 + 60,
      jti: row.tokenId,
      scopes: ['fs:read'],
      deletes_per_minute: 5,
    });
    expect(await store.list(workspaceId)).toEqual([row]);
    expect(await tokens.list(workspaceId)).toEqual([row]);
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it.each<[string, { scopes?: string[]; path?: string }, string[]]>([
    ['nothing', {}, ['fs:read', 'fs:write', 'sync:read', 'ops:read', 'ops:replay']],
    ['a path', { path: '/docs/**' }, ['relayfile:fs:read:/docs/**', 'relayfile:fs:write:/docs/**']],
    ['scopes', { scopes: ['fs:read', 'custom:x'] }, ['fs:read', 'custom:x']],
    ['both', { scopes: ['fs:read', 'ops:read'], path: '/a b/*' }, ['relayfile:fs:read:/a b/*', 'ops:read']],
  ])('when asked for %s grants what ruling 24 says', async (_, asked, scopes) => {
    const { tokens } = await bench();
    const { row } = await tokens.issue({ workspaceId, ...asked });
    expect(row.scopes).toEqual(scopes);
  });

  it('lives for a day unless another time is asked for', async () => {
    const { tokens, clock } = await bench();
    const { row } = await tokens.issue({ workspaceId });
    expect(row.expiresAtMs - clock.nowMs()).toBe(86_400_000);
  });

  it.each<[string, Partial<Parameters<TokenService['issue']>[0]>]>([
    ['every workspace', { workspaceId: '*' }],
    ['an agent that no rule can name', { agent: 'two words' }],
    ['no scopes', { scopes: [] }],
    ['too many scopes', { scopes: Array.from({ length: 65 }, (_, index) => `a:${index}`) }],
    ['a scope of one word', { scopes: ['admin'] }],
    ['a scope with a space around', { scopes: [' fs:read'] }],
    ['a scope with an invalid path', { scopes: ['relayfile:fs:read:/a/*/b'] }],
    ['a scope with an empty path', { scopes: ['relayfile:fs:read:'] }],
    ['an invalid path', { path: 'docs' }],
    ['an empty path', { path: '' }],
    ['a path for scopes that are not about files', { path: '/a', scopes: ['ops:read'] }],
    ['no life', { ttlSeconds: 0 }],
    ['an endless life', { ttlSeconds: 1e12 }],
    ['half a second', { ttlSeconds: 0.5 }],
    ['a quota of nothing', { deletesPerMinute: 0 }],
  ])('is refused for %s, and nothing is kept', async (_, input) => {
    const { tokens, store } = await bench();
    await expect(tokens.issue({ workspaceId, ...input })).rejects.toThrow(TokenRefusedError);
    expect(await store.list(workspaceId)).toEqual([]);
  });
});

describe('the end of a token', () => {
  it('comes at its very millisecond, also when it was verified a moment ago', async () => {
    const { tokens, clock } = await bench();
    const { token } = await tokens.issue({ workspaceId, ttlSeconds: 10 });
    clock.advance(9_999);
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    clock.advance(1);
    expect(await tokens.verify(token)).toEqual(refused('token expired'));
  });

  it('comes at once with its revocation, for this and every later start, and listeners are told', async () => {
    const { tokens, restart } = await bench();
    const { token, row } = await tokens.issue({ workspaceId });
    const told: string[] = [];
    const stop = tokens.onRevoked((tokenId) => told.push(tokenId));
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    expect(await tokens.revoke(workspaceId, row.tokenId)).toBe(true);
    expect(await tokens.verify(token)).toEqual(refused('token revoked'));
    expect(await (await restart()).verify(token)).toEqual(refused('token revoked'));
    stop();
    const other = await tokens.issue({ workspaceId });
    await tokens.revoke(workspaceId, other.row.tokenId);
    expect(told).toEqual([row.tokenId]);
  });

  it('is not brought about by a name that is unknown or of another workspace', async () => {
    const { tokens } = await bench();
    const { token, row } = await tokens.issue({ workspaceId });
    expect(await tokens.revoke(workspaceId, 'tok_unknown')).toBe(false);
    expect(await tokens.revoke('rw_bbbbbbbb', row.tokenId)).toBe(false);
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
  });
});

describe('the owner token', () => {
  it('is the same over restarts, may do everything everywhere, and is for this user only', async () => {
    const { tokens, restart, dir } = await bench();
    const again = await restart();
    expect(again.ownerToken()).toBe(tokens.ownerToken());
    expect(readFileSync(path.join(dir, 'owner.token'), 'utf8').trim()).toBe(tokens.ownerToken());
    expect(await again.verify(tokens.ownerToken())).toMatchObject({
      ok: true,
      token: {
        workspaceId: '*',
        owner: true,
        scopes: expect.arrayContaining(['admin:read', 'admin:replay', 'fs:write']),
      },
    });
    if (process.platform !== 'win32') {
      expect(
        ['owner.token', 'signing-key.json'].map((name) => statSync(path.join(dir, name)).mode & 0o777),
      ).toEqual([0o600, 0o600]);
    }
  });

  it('ends, with the UI tokens made under it, when its file is removed before a start', async () => {
    const { tokens, restart, dir } = await bench();
    const ui = tokens.issueForOwner(60_000).token;
    const ofBrowser = tokens.issueUi(60_000, 'ses_1', null).token;
    const restarted = await restart();
    expect(await restarted.verify(ui)).toMatchObject({ ok: true, token: { owner: true } });
    expect(await restarted.verify(ofBrowser)).toEqual(refused('signed out'));
    restarted.admitUi('ses_1');
    expect(await restarted.verify(ofBrowser)).toMatchObject({ ok: true, token: { owner: true } });
    rmSync(path.join(dir, 'owner.token'));
    const again = await restart();
    expect(await again.verify(tokens.ownerToken())).toEqual(refused('token revoked'));
    expect(await again.verify(ui)).toEqual(refused('token revoked'));
    expect(await again.verify(ofBrowser)).toEqual(refused('token revoked'));
    expect(await again.verify(again.ownerToken())).toMatchObject({ ok: true });
  });

  it.each(['', 'not a token', 'a.b.c'])('is made anew when the file holds %j', async (text) => {
    const { dir, restart } = await bench();
    writeFileSync(path.join(dir, 'owner.token'), text);
    const again = await restart();
    expect(await again.verify(again.ownerToken())).toMatchObject({ ok: true, token: { owner: true } });
  });

  it('is not some other token for every workspace', async () => {
    const { tokens, clock, signed } = await bench();
    expect(await tokens.verify(signed({ ...claimsOf(clock), wks: '*' }))).toEqual(refused('token revoked'));
  });

  it('does not come from the file of a workspace token', async () => {
    const { tokens, dir, restart } = await bench();
    const { token } = await tokens.issue({ workspaceId, ttlSeconds: 315_360_000 });
    writeFileSync(path.join(dir, 'owner.token'), token);
    expect((await restart()).ownerToken()).not.toBe(token);
  });
});

describe('the signing key', () => {
  it('outlives a restart', async () => {
    const { tokens, restart } = await bench();
    const { token } = await tokens.issue({ workspaceId });
    expect(await (await restart()).verify(token)).toMatchObject({ ok: true });
  });

  it.each(['', '{}', 'null', '{"kty":"oct","alg":"HS256","kid":"a","k":"c2hvcnQ"}'])(
    'is not replaced in silence when its file holds %j',
    async (text) => {
      const { dir, restart } = await bench();
      writeFileSync(path.join(dir, 'signing-key.json'), text);
      await expect(restart()).rejects.toThrow(SigningKeyError);
      expect(readFileSync(path.join(dir, 'signing-key.json'), 'utf8')).toBe(text);
    },
  );
});

describe('the delete quota', () => {
  it('is per token and minute', async () => {
    const { tokens, clock } = await bench();
    const take = async (token: string) => {
      const verified = await tokens.verify(token);
      return verified.ok && (await tokens.takeDeletes(verified.token, 1));
    };
    const { token } = await tokens.issue({ workspaceId, deletesPerMinute: 2 });
    const { token: other } = await tokens.issue({ workspaceId, deletesPerMinute: 1 });
    const { token: free } = await tokens.issue({ workspaceId });
    expect([await take(token), await take(token), await take(token)]).toEqual([true, true, false]);
    expect([await take(other), await take(other)]).toEqual([true, false]);
    expect([await take(free), await take(free), await take(free)]).toEqual([true, true, true]);
    clock.advance(59_999);
    expect(await take(token)).toBe(false);
    clock.advance(1);
    expect([await take(token), await take(token), await take(token)]).toEqual([true, true, false]);
  });
});

it('claims name nothing that was not asked for', () => {
  const claims = makeClaims({
    tokenId: 't',
    workspaceId,
    agent: 'a',
    scopes: [],
    issuedAtMs: 0,
    expiresAtMs: 1000,
    deletesPerMinute: null,
  });
  expect(Object.keys(claims)).not.toContain('deletes_per_minute');
});
