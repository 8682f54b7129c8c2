// The providers' secrets: a file of their own that only this user may read, outside of the database, so that no backup
// carries them. They leave this room in signatures only: never in a log, an answer or an error.
import { readPrivateFile, writePrivateFile } from '../platform/private-files.ts';

export interface Secrets {
  get(workspaceId: string, provider: string): string | null;
  set(workspaceId: string, provider: string, secret: string): void;
  remove(workspaceId: string, provider: string): void;
  /** Forgets those of providers that are not there any more. */
  keepOnly(known: readonly { readonly workspaceId: string; readonly name: string }[]): void;
}

class SecretsUnreadableError extends Error {
  override readonly name = 'SecretsUnreadableError';
}

/** Durable when a call returns. Throws SecretsUnreadableError when the file is there and holds something else. */
export function openSecrets(file: string): Secrets {
  const secrets = new Map(Object.entries(parse(file, readPrivateFile(file))));
  const save = () => writePrivateFile(file, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`);
  const keyOf = (workspaceId: string, provider: string) => JSON.stringify([workspaceId, provider]);
  return {
    get: (workspaceId, provider) => secrets.get(keyOf(workspaceId, provider)) ?? null,
    set(workspaceId, provider, secret) {
      secrets.set(keyOf(workspaceId, provider), secret);
      save();
    },
    remove(workspaceId, provider) {
      if (secrets.delete(keyOf(workspaceId, provider))) save();
    },
    keepOnly(known) {
      const kept = new Set(known.map(({ workspaceId, name }) => keyOf(workspaceId, name)));
      const gone = [...secrets.keys()].filter((key) => !kept.has(key));
      for (const key of gone) secrets.delete(key);
      if (gone.length > 0) save();
    },
  };
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
  throw new SecretsUnreadableError(`${file} is not a file of secrets; move it away and set them anew`);
}
