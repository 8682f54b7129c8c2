// Signing secrets in a file that only this user may read, outside the database so that no backup contains them, and encrypted
// where a key is available. They are used for signatures only and never appear in a log, an answer or an error.

import type { SecretBox } from '../platform/crypto/secret-box.ts';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-files.ts';

/** Signing secrets by workspace and name. A change is durable when it resolves. */
export interface Secrets {
  get(workspaceId: string, name: string): string | null;
  set(workspaceId: string, name: string, secret: string): Promise<void>;
  remove(workspaceId: string, name: string): Promise<void>;
  /** Forgets those of providers and endpoints that are not there any more. */
  keepOnly(known: readonly { readonly workspaceId: string; readonly name: string }[]): Promise<void>;
}

export function secretKey(workspaceId: string, name: string): string {
  return JSON.stringify([workspaceId, name]);
}

export class SecretsUnreadableError extends Error {
  override readonly name = 'SecretsUnreadableError';
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Durable when a call returns. With a box the file is sealed, and one that was not is sealed at once. Throws
 * SecretsUnreadableError when the file is there and holds something else, or was sealed with a key that is not at hand.
 */
export function openSecrets(file: string, box: SecretBox | null): Secrets {
  const read = readSecrets(file, box);
  let secrets: ReadonlyMap<string, string> = new Map(Object.entries(read.secrets));
  /** What the disk did not take does not hold: it would until the next start only. */
  const save = (next: ReadonlyMap<string, string>) => {
    const text = JSON.stringify(Object.fromEntries(next), null, 2);
    writePrivateFile(file, box === null ? `${text}\n` : `${JSON.stringify({ sealed: box.seal(text) })}\n`);
    secrets = next;
  };
  if (box !== null && !read.sealed && secrets.size > 0) save(secrets);
  return {
    get: (workspaceId, provider) => secrets.get(secretKey(workspaceId, provider)) ?? null,
    async set(workspaceId, provider, secret) {
      save(new Map(secrets).set(secretKey(workspaceId, provider), secret));
    },
    async remove(workspaceId, provider) {
      const next = new Map(secrets);
      if (next.delete(secretKey(workspaceId, provider))) save(next);
    },
    async keepOnly(known) {
      const kept = new Set(known.map(({ workspaceId, name }) => secretKey(workspaceId, name)));
      const next = new Map([...secrets].filter(([key]) => kept.has(key)));
      if (next.size < secrets.size) save(next);
    },
  };
}

/** A key of a plain file is a JSON array, so this name is free. */
const sealedKey = 'sealed';

function readSecrets(
  file: string,
  box: SecretBox | null,
): { readonly secrets: Record<string, string>; readonly sealed: boolean } {
  const outer = parse(file, readPrivateFile(file));
  const sealed = outer[sealedKey];
  if (sealed === undefined) return { secrets: outer, sealed: false };
  const text = box?.open(sealed) ?? null;
  if (text === null) {
    throw box === null
      ? new SecretsUnreadableError(
          `${file} is sealed with a key in the system's keychain, which only the desktop app can reach.`,
          'Start Mooring there, or move the file away and set its secrets anew.',
        )
      : new SecretsUnreadableError(
          `${file} is sealed with a key that is not in this system's keychain any more.`,
          'Move the file away and set its secrets anew.',
        );
  }
  return { secrets: parse(file, text), sealed: true };
}

function parse(file: string, text: string | null): Record<string, string> {
  if (text === null) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'string')
  ) {
    return value as Record<string, string>;
  }
  // The text itself must not get into a log.
  throw new SecretsUnreadableError(
    `${file} is not a file of secrets.`,
    'Move it away and set its secrets anew.',
  );
}
