// The master key that encrypts secrets, stored by the system: Keychain on macOS, DPAPI on Windows, the desktop's keyring on
// Linux. Without a keychain no key is created and Settings shows the reason: a key in a file beside the data would protect
// nothing. Only the agent receives the key; it is never shown or logged.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SafeStorage } from 'electron';
import type { SecretsProtection } from './ipc-contract.ts';

const keyBytes = 32;
const privateMode = 0o600;

/** The part of Electron's safeStorage that is used here. */
export type KeyStorage = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

export interface MasterKey {
  /** base64; null: no keychain. */
  readonly key: string | null;
  readonly protection: SecretsProtection;
}

/** Never rejects: every failure of a keychain becomes a sentence. Call when the app is ready. */
export async function loadMasterKey(
  storage: KeyStorage,
  file: string,
  platform: NodeJS.Platform,
): Promise<MasterKey> {
  try {
    if (!(await storage.isAsyncEncryptionAvailable())) {
      return unprotected('No system keychain is available.');
    }
    // Electron's fallback on Linux is a password from its source code.
    if (platform === 'linux' && storage.getSelectedStorageBackend() === 'basic_text') {
      return unprotected('No unlocked keyring (GNOME Keyring or KWallet) is available.');
    }
    const sealed = readIfThere(file);
    const key = sealed === null ? await makeKey(storage, file) : await openKey(storage, file, sealed);
    return { key, protection: { kind: 'system-keychain' } };
  } catch (error) {
    return unprotected(`The keychain failed: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function makeKey(storage: KeyStorage, file: string): Promise<string> {
  const key = randomBytes(keyBytes).toString('base64');
  write(file, await storage.encryptStringAsync(key));
  return key;
}

async function openKey(storage: KeyStorage, file: string, sealed: Buffer): Promise<string> {
  const { result, shouldReEncrypt } = await storage.decryptStringAsync(sealed);
  if (Buffer.from(result, 'base64').length !== keyBytes) throw new Error(`${file} contains no key`);
  // The system has rotated its key: encrypt again with the new one.
  if (shouldReEncrypt) {
    const next = `${file}.next`;
    rmSync(next, { force: true });
    write(next, await storage.encryptStringAsync(result));
    renameSync(next, file);
  }
  return result;
}

function unprotected(why: string): MasterKey {
  return { key: null, protection: { kind: 'file-permissions', why } };
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Durable when it returns; never replaces an existing key. */
function write(file: string, content: Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const handle = openSync(file, 'wx', privateMode);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
