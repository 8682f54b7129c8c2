import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkUrl, guardedLookup, targetRefusal } from '../../server/delivery/address-guard.ts';

const strict = { plainHttp: false, privateAddresses: false };
const lenient = { plainHttp: true, privateAddresses: true };

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '2606:4700::1111',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => {
    expect(targetRefusal(address, strict)).toBeNull();
  });

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    '::',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
  ])('%s is private, and called only where that is allowed', (address) => {
    expect(targetRefusal(address, strict)).toMatch(/loopback or private/);
    expect(targetRefusal(address, lenient)).toBeNull();
  });

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '240.0.0.1',
    '2001:0:53aa:64c::1',
    '64:ff9b:1::1',
    '64:ff9b:1:7f00:0:100::',
    '3fff::1',
    '5f00::1',
    'nonsense',
  ])('%s is never called', (address) => {
    expect(targetRefusal(address, lenient)).not.toBeNull();
  });
});

describe('a URL', () => {
  it.each([
    ['https://provider.example/x?y=1', strict, null],
    ['https://8.8.8.8/', strict, null],
    ['http://provider.example/', strict, /http is only taken/],
    ['http://provider.example/', { ...strict, plainHttp: true }, null],
    ['https://localhost/', strict, /loopback/],
    ['https://LOCALHOST./', strict, /loopback/],
    ['https://a.localhost/', strict, /loopback/],
    ['https://127.1/', strict, /loopback/],
    ['https://2130706433/', strict, /loopback/],
    ['https://0x7f.0.0.1/', strict, /loopback/],
    ['https://[::ffff:127.0.0.1]/', strict, /loopback/],
    ['https://169.254.169.254/latest', lenient, /no provider can be/],
    ['https://user:pass@provider.example/', strict, /credentials/],
    ['https://provider.example/#x', strict, /fragment/],
    ['ftp://provider.example/', lenient, /neither/],
    ['file:///etc/passwd', lenient, /neither/],
    ['provider.example', strict, /not an absolute URL/],
    [`https://provider.example/${'x'.repeat(3_000)}`, strict, /not an absolute URL/],
  ])('%s', (text, allowed, refusal) => {
    const checked = checkUrl(text, allowed);
    if (refusal === null) expect(checked.ok).toBe(true);
    else expect(checked).toMatchObject({ ok: false, reason: expect.stringMatching(refusal) });
  });
});

describe('a name', () => {
  const look = (allowed: typeof strict, all: boolean) =>
    new Promise<{ error: Error | null; found: string | LookupAddress[] }>((resolve) => {
      guardedLookup(allowed)('localhost', { all }, (error, found) => {
        resolve({ error, found });
      });
    });

  it('that resolves only to addresses that may not be called is not connected to', async () => {
    const { error } = await look(strict, true);
    expect(error?.message).toMatch(/localhost: .* loopback or private/);
  });

  it('that may be called gives the checked addresses, in the form that was asked for', async () => {
    expect((await look(lenient, true)).found).toEqual(
      expect.arrayContaining([expect.objectContaining({ address: expect.stringMatching(/^(127|::1)/) })]),
    );
    expect((await look(lenient, false)).found).toMatch(/^(127|::1)/);
  });
});
