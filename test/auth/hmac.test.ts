import { expect, it } from 'vitest';
import { createHmacVerifier, hmacSignature, hmacSkewMs, parseTimestamp } from '../../server/auth/hmac.ts';

const secret = 'a secret of some length';
const body = Buffer.from('{"a":1}');
const timestamp = '2026-11-20T12:00:00Z';
const nowMs = Date.parse(timestamp);
const signature = hmacSignature(secret, timestamp, body);
const verifier = createHmacVerifier(secret);
const message = (request: object, atMs = nowMs, one = verifier) => {
  const result = one.verify({ timestamp, signature, body, ...request }, atMs);
  return result.ok ? 'ok' : result.message;
};

it('takes what the secret signed, within five minutes either way', () => {
  expect(message({})).toBe('ok');
  expect(message({}, nowMs + hmacSkewMs)).toBe('ok');
  expect(message({}, nowMs - hmacSkewMs)).toBe('ok');
  expect(message({}, nowMs + hmacSkewMs + 1)).toBe('internal request outside replay window');
  expect(message({}, nowMs - hmacSkewMs - 1)).toBe('internal request outside replay window');
});

it('refuses everything else, and says what it is', () => {
  expect(message({ timestamp: undefined })).toBe('missing internal auth headers');
  expect(message({ signature: '' })).toBe('missing internal auth headers');
  expect(message({ timestamp: 'yesterday' })).toBe('invalid internal timestamp');
  expect(message({ body: Buffer.from('{"a":2}') })).toBe('internal signature mismatch');
  expect(message({ signature: signature.toUpperCase() })).toBe('internal signature mismatch');
  expect(message({ timestamp: '2026-11-20T12:00:01Z' })).toBe('internal signature mismatch');
  expect(message({}, nowMs, createHmacVerifier('another secret..'))).toBe('internal signature mismatch');
  expect(message({}, nowMs, createHmacVerifier(null))).toMatch('no HMAC secret');
});

it('signs as the contract has it', () => {
  // printf '2026-11-20T12:00:00Z\n{"a":1}' | openssl dgst -sha256 -hmac 'key'
  expect(hmacSignature('key', timestamp, body)).toMatch(/^[0-9a-f]{64}$/);
  expect(hmacSignature('key', timestamp, body)).toBe(
    '771d49b94175b51df2624803b6dfd91d7d17715f55649d2c4c396d0bba565823',
  );
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
