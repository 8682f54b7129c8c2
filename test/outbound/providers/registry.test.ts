import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ProviderRefusedError, ProviderTakenError } from '../../../server/outbound/providers/registry.ts';
import { outboundWorkspace, startOutboundHarness } from '../../support/outbound-harness.ts';
import { providerSecret, startProvider } from '../../support/provider.ts';

const http = { kind: 'http', url: 'https://provider.example/items', secret: providerSecret } as const;

it('keeps secrets in a file for this user alone, outside of the database, and forgets them with their provider', async () => {
  const rig = await startOutboundHarness({ sends: false });
  const { providers } = rig.outbound;
  await providers.add(outboundWorkspace, { name: 'Git', ...http });
  const file = path.join(rig.dataDir, 'provider-secrets.json');
  expect(readFileSync(file, 'utf8')).toContain(providerSecret);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(path.join(rig.dataDir, 'mooring.db-wal')).includes(providerSecret)).toBe(false);
  expect(JSON.stringify(await providers.list(outboundWorkspace))).not.toContain('whsec');
  await providers.remove(outboundWorkspace, 'git', 'corr');
  expect(readFileSync(file, 'utf8')).not.toContain(providerSecret);
});

it('forgets at its start what belongs to no provider', async () => {
  const rig = await startOutboundHarness();
  const { providers } = rig.outbound;
  await providers.add(outboundWorkspace, { name: 'git', ...http });
  await rig.close();
  const file = path.join(rig.dataDir, 'provider-secrets.json');
  const secrets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const left = { ...secrets, [JSON.stringify(['rw_gone', 'git'])]: 'whsec_left' };
  writeFileSync(file, JSON.stringify(left), { mode: 0o600 });
  const again = await startOutboundHarness({ dataDir: rig.dataDir });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(secrets);
  expect(again.outbound.providers.hasSecret(outboundWorkspace, 'git')).toBe(true);
});

it('refuses what it could not call', async () => {
  const rig = await startOutboundHarness({ sends: false });
  const { providers } = rig.outbound;
  const refusal = async (input: Parameters<typeof providers.add>[1]) => {
    const error = await providers.add(outboundWorkspace, input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderRefusedError);
    return (error as Error).message;
  };
  expect(await refusal({ name: 'a', kind: 'http', secret: providerSecret })).toMatch(/url/);
  expect(await refusal({ name: 'a', kind: 'http', url: http.url })).toMatch(/secret/);
  expect(await refusal({ name: 'a', ...http, secret: 'whsec_short' })).toMatch(/24 to 64/);
  expect(await refusal({ name: 'a', ...http, url: 'http://provider.example/' })).toMatch(
    /http is only taken/,
  );
  expect(await refusal({ name: 'a', ...http, url: 'https://10.0.0.1/' })).toMatch(/private/);
  expect(await refusal({ name: 'a', ...http, refreshUrl: 'https://127.0.0.1/' })).toMatch(
    /refreshUrl: .*loopback/,
  );
  expect(await refusal({ name: 'a', kind: 'external', url: http.url })).toMatch(/no addresses/);
  // No file could ever lie below it, and an address that ends with ".." names another one.
  for (const name of ['.', '..', 'a/b', 'a\nb', '\u001b[31m', 'ü'.repeat(128)]) {
    expect(await refusal({ name, kind: 'external' })).toMatch(/^provider: .*such as github$/);
  }
  expect(await providers.list(outboundWorkspace)).toEqual([]);
  expect(providers.hasSecret(outboundWorkspace, 'a')).toBe(false);
});

it('knows each name once, whatever its case, and keeps the first one’s secret', async () => {
  const rig = await startOutboundHarness({ sends: false });
  const { providers } = rig.outbound;
  const both = await Promise.allSettled([
    providers.add(outboundWorkspace, { name: 'Git', ...http }),
    providers.add(outboundWorkspace, { name: 'git', kind: 'external' }),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(both[1]).toMatchObject({ reason: expect.any(ProviderTakenError) });
  expect(providers.hasSecret(outboundWorkspace, 'git')).toBe(true);
});

it('uses changed settings at once, and after a restart', async () => {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  await rig.addHttp('git', 'http://127.0.0.1:1/');
  const opId = await rig.put('/git/a.md', 'x');
  await rig.outbound.providers.update(outboundWorkspace, 'git', { url: provider.url });
  await rig.reaches(opId, 'succeeded');
  const { dataDir } = rig;
  await rig.close();
  const again = await startOutboundHarness({ dataDir });
  await again.reaches(await again.put('/git/a.md', 'y'), 'succeeded');
  expect(provider.taken).toEqual(['/git/a.md x', '/git/a.md y']);
  expect(await again.outbound.providers.update(outboundWorkspace, 'none', {})).toBeNull();
});

it('does not take away a permission that the address still needs', async () => {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  await rig.addHttp('git', provider.url);
  const narrowed = rig.outbound.providers.update(outboundWorkspace, 'git', { allowPrivateAddresses: false });
  await expect(narrowed).rejects.toThrow(/url: .*loopback or private/);
  expect(await rig.outbound.providers.get(outboundWorkspace, 'git')).toMatchObject({
    privateAddresses: true,
  });
});

it('is tested with a message that carries nothing', async () => {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  const { providers } = rig.outbound;
  await rig.addHttp('git', provider.url);
  expect(await providers.test(outboundWorkspace, 'git')).toMatchObject({ ok: true, httpStatus: 200 });
  expect(provider.calls).toMatchObject([{ type: 'mooring.test', signed: true, data: {} }]);
  await provider.tell({ behaviour: { kind: 'status', status: 500, body: '{"error":"broken"}' } });
  expect(await providers.test(outboundWorkspace, 'git')).toMatchObject({
    ok: false,
    httpStatus: 500,
    message: 'it answered 500: broken',
  });
  await provider.end();
  expect(await providers.test(outboundWorkspace, 'git')).toMatchObject({ ok: false, httpStatus: null });
  await providers.add(outboundWorkspace, { name: 'ext', kind: 'external' });
  expect(await providers.test(outboundWorkspace, 'ext')).toMatchObject({ ok: true });
  expect(await providers.test(outboundWorkspace, 'none')).toBeNull();
});

it('with a wrong secret is refused, and told so', async () => {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  await rig.addHttp('git', provider.url, { secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` });
  expect(await rig.reaches(await rig.put('/git/a.md', 'x'), 'dead_lettered')).toMatchObject({
    failureCode: 'unauthorized',
    lastError: 'it answered 401: the signature is not valid',
  });
});
