// Opens the agent's signing key in the data directory, readable by this user only; creates it on the first start.
import { hash, randomBytes } from 'node:crypto';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-files.ts';
import { type SigningKey, secretBytes, signingKey } from './jwt.ts';

/** The key file exists but is unusable. A new key would silently invalidate every issued token. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

const kidChars = 16;

/** JSON Web Key (RFC 7518, 6.4). */
interface KeyFile {
  readonly kty: 'oct';
  readonly alg: 'HS256';
  readonly kid: string;
  readonly k: string;
}

export function openSigningKey(file: string): SigningKey {
  const text = readPrivateFile(file);
  if (text === null) return makeKey(file);
  const stored = parseKeyFile(text);
  const secret = stored === null ? null : Buffer.from(stored.k, 'base64url');
  if (stored === null || secret === null || secret.length < secretBytes) {
    throw new SigningKeyError(
      `${file} does not contain a signing key. Restore it from a backup, or remove it: the next start creates a new key, and every existing token becomes invalid.`,
    );
  }
  return signingKey(stored.kid, secret);
}

function makeKey(file: string): SigningKey {
  const secret = randomBytes(secretBytes);
  const kid = hash('sha256', secret, 'hex').slice(0, kidChars);
  const content: KeyFile = { kty: 'oct', alg: 'HS256', kid, k: secret.toString('base64url') };
  writePrivateFile(file, `${JSON.stringify(content)}\n`);
  return signingKey(kid, secret);
}

function parseKeyFile(text: string): KeyFile | null {
  try {
    const value = JSON.parse(text) as Partial<KeyFile> | null;
    const isComplete =
      value?.kty === 'oct' &&
      value.alg === 'HS256' &&
      typeof value.kid === 'string' &&
      typeof value.k === 'string';
    return isComplete ? (value as KeyFile) : null;
  } catch {
    return null;
  }
}
