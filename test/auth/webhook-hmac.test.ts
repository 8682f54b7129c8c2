import { expect, it } from 'vitest';
import { createHmacVerifier, hmacSkewMs, parseTimestamp } from '../../server/auth/webhook-hmac.ts';
import { hmacSignature } from '../support/hmac-signature.ts';

const secret = 'a secret of some length';
const body = Buffer.from('{"a":1}');
const timestamp = '2026-11-20T12:00:00Z';
const nowMs = Date.parse(timestamp);
const signature = hmacSignature(secret, timestamp, body);
const verifier = createHmacVerifier(secret);
const message = async (request: object, atMs = nowMs, one = verifier) => {
  const result = await one.verify({ timestamp, signature, body, ...request }, atMs);
  return result.ok ? 'ok' : result.message;
};

it('takes what the secret signed, within five minutes either way', async () => {
  expect(await message({})).toBe('ok');
  expect(await message({}, nowMs + hmacSkewMs)).toBe('ok');
  expect(await message({}, nowMs - hmacSkewMs)).toBe('ok');
  expect(await message({}, nowMs + hmacSkewMs + 1)).toBe('internal request outside replay window');
  expect(await message({}, nowMs - hmacSkewMs - 1)).toBe('internal request outside replay window');
});

it('refuses everything else, and says what it is', async () => {
  expect(await message({ timestamp: undefined })).toBe('missing internal auth headers');
  expect(await message({ signature: '' })).toBe('missing internal auth headers');
  expect(await message({ timestamp: 'yesterday' })).toBe('invalid internal timestamp');
  expect(await message({ body: Buffer.from('{"a":2}') })).toBe('internal signature mismatch');
  expect(await message({ signature: signature.toUpperCase() })).toBe('internal signature mismatch');
  expect(await message({ timestamp: '2026-11-20T12:00:01Z' })).toBe('internal signature mismatch');
  expect(await message({}, nowMs, createHmacVerifier('another secret..'))).toBe(
    'internal signature mismatch',
  );
  expect(await message({}, nowMs, createHmacVerifier(null))).toMatch('no HMAC secret');
});

it('signs as the contract has it', async () => {
  // printf '2026-11-20T12:00:00Z\n{"a":1}' | openssl dgst -sha256 -hmac 'key'
  const published = '771d49b94175b51df2624803b6dfd91d7d17715f55649d2c4c396d0bba565823';
  expect(hmacSignature('key', timestamp, body)).toBe(published);
  expect(await message({ signature: published }, nowMs, createHmacVerifier('key'))).toBe('ok');
});

it.each([
  ['2026-11-20T12:00:00Z', true],
  ['2026-11-20T12:00:00.123456789+02:00', true],
  ['2026-11-20 12:00:00Z', false],
  ['2026-11-20', false],
  ['2026-13-40T12:00:00Z', false],
])('reads %s as a time: %s', (text, valid) => {
  expect(parseTimestamp(text) !== null).toBe(valid);
});
