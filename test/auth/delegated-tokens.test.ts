import path from 'node:path';
import { expect, it } from 'vitest';
import { keyFiles } from '../../server/auth/key-store.ts';
import { delegationsMax } from '../../server/auth/token-issuing.ts';
import {
  createTokenService,
  ScopesExceededError,
  TokenRefusedError,
  type VerifiedToken,
} from '../../server/auth/tokens.ts';
import { isAllowed } from '../../server/core/access/acl.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createMemoryTokenStore } from '../support/token-store.ts';

const workspaceId = 'rw_aaaaaaaa';

async function bench() {
  const dir = tempFolder('mooring-auth');
  const clock = createManualClock();
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
  const store = createMemoryTokenStore();
  const tokens = await start();
  const verified = async (token: string, service = tokens): Promise<VerifiedToken> => {
    const checked = await service.verify(token);
    if (!checked.ok) throw new Error(checked.message);
    return checked.token;
  };
  return { tokens, clock, start, verified };
}

it('a token made under another may do no more, and ends with it', async () => {
  const { tokens, verified } = await bench();
  const parent = await tokens.issue({ workspaceId, agent: 'ann', scopes: ['fs:read'], ttlSeconds: 60 });
  const parentToken = await verified(parent.token);
  const child = await tokens.issue({
    workspaceId,
    parentToken,
    agent: 'bob',
    scopes: ['relayfile:fs:read:/a/**'],
  });
  expect(child.row).toMatchObject({ agent: 'bob', expiresAtMs: parent.row.expiresAtMs });
  expect((await verified(child.token)).parentTokens).toEqual([
    { tokenId: parent.row.tokenId, agent: 'ann', scopes: ['fs:read'] },
  ]);
  await expect(tokens.issue({ workspaceId, parentToken, scopes: ['fs:write'] })).rejects.toThrow(
    ScopesExceededError,
  );
});

it('revoking a token revokes all that were made under it, also after a restart', async () => {
  const { tokens, start, verified } = await bench();
  const parent = await tokens.issue({ workspaceId });
  const child = await tokens.issue({ workspaceId, parentToken: await verified(parent.token) });
  const grandchild = await tokens.issue({ workspaceId, parentToken: await verified(child.token) });
  await tokens.revoke(workspaceId, parent.row.tokenId);
  for (const service of [tokens, await start()]) {
    expect(await service.verify(grandchild.token)).toMatchObject({ ok: false, message: 'token revoked' });
    expect(await service.verify(child.token)).toMatchObject({ ok: false });
  }
});

it('another name opens no file that an access rule closes to whoever made it', async () => {
  const { tokens, verified } = await bench();
  const parent = await tokens.issue({ workspaceId, agent: 'ann' });
  const child = await tokens.issue({ workspaceId, parentToken: await verified(parent.token), agent: 'bob' });
  const { agent, scopes, parentTokens } = await verified(child.token);
  const subject = {
    workspaceId,
    agent,
    scopes,
    parents: parentTokens.map((one) => ({ workspaceId, ...one })),
  };
  const rule = (effect: 'allow' | 'deny', value: string) => ({ effect, kind: 'agent', value }) as const;
  expect(isAllowed([rule('allow', 'bob')], subject)).toBe(false);
  expect(isAllowed([rule('deny', 'ann'), { effect: 'allow', kind: 'public', value: '' }], subject)).toBe(
    false,
  );
  expect(isAllowed([rule('allow', 'bob'), rule('allow', 'ann')], subject)).toBe(true);
});

it('all tokens under one share its delete quota', async () => {
  const { tokens, verified } = await bench();
  const parent = await verified((await tokens.issue({ workspaceId, deletesPerMinute: 2 })).token);
  const take = async () =>
    await tokens.takeDeletes(
      await verified((await tokens.issue({ workspaceId, parentToken: parent })).token),
      1,
    );
  expect([await take(), await take(), await take(), await tokens.takeDeletes(parent, 1)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('the chain of tokens has an end, and a token that nobody could send is not made', async () => {
  const { tokens, verified } = await bench();
  let { token } = await tokens.issue({ workspaceId, scopes: ['fs:read'] });
  for (let depth = 0; depth < delegationsMax; depth += 1) {
    token = (await tokens.issue({ workspaceId, parentToken: await verified(token), scopes: ['fs:read'] }))
      .token;
  }
  const deepest = await verified(token);
  await expect(tokens.issue({ workspaceId, parentToken: deepest, scopes: ['fs:read'] })).rejects.toThrow(
    TokenRefusedError,
  );
  const long = Array.from({ length: 64 }, (_, index) => `relayfile:fs:read:/${'x'.repeat(250)}${index}`);
  await expect(tokens.issue({ workspaceId, scopes: long })).rejects.toThrow('too many scopes for one token');
});

it('under the owner a token is made as by nobody', async () => {
  const { tokens, verified } = await bench();
  const owner = await verified(tokens.ownerToken());
  const { token } = await tokens.issue({ workspaceId, parentToken: owner, scopes: ['fs:write'] });
  expect((await verified(token)).parentTokens).toEqual([]);
});
