// Encrypts text with a key that the caller provides (the desktop app: from the system's keychain). It stores nothing and never logs
// its input.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export const masterKeyBytes = 32;
/** AES-256-GCM, NIST SP 800-38D: a random 96-bit nonce per message; few messages per key. */
const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export interface SecretBox {
  /** base64url of nonce, tag and ciphertext. */
  seal(text: string): string;
  /** null: it was sealed with another key or for another purpose, or was modified. */
  open(sealed: string): string | null;
}

/** Derives one key per purpose (RFC 5869): a box cannot open what a box for another purpose sealed. */
export function createSecretBox(masterKey: Uint8Array, purpose: string): SecretBox {
  if (masterKey.length !== masterKeyBytes) throw new Error(`a master key has ${masterKeyBytes} bytes`);
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', `mooring ${purpose}`, masterKeyBytes));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), data]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return null;
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
