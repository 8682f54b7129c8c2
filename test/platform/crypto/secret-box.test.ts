import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSecretBox, masterKeyBytes } from '../../../server/platform/crypto/secret-box.ts';

const key = randomBytes(masterKeyBytes);

it('gives back what it sealed, and shows nothing of it', () => {
  const box = createSecretBox(key, 'tests');
  const sealed = box.seal('whsec_äöü');
  expect(box.open(sealed)).toBe('whsec_äöü');
  expect(Buffer.from(sealed, 'base64url').includes('whsec_')).toBe(false);
  expect(box.seal('whsec_äöü')).not.toBe(sealed);
});

it('opens nothing of another key, of another purpose, or that was changed', () => {
  const box = createSecretBox(key, 'tests');
  const sealed = box.seal('text');
  const changed = Buffer.from(sealed, 'base64url');
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(createSecretBox(randomBytes(masterKeyBytes), 'tests').open(sealed)).toBeNull();
  expect(createSecretBox(key, 'other').open(sealed)).toBeNull();
  expect(box.open(changed.toString('base64url'))).toBeNull();
  expect(['', 'short', '%%%'].map((text) => box.open(text))).toEqual([null, null, null]);
});

it('takes no key of another length', () => {
  expect(() => createSecretBox(key.subarray(1), 'tests')).toThrow('32 bytes');
});
