// Signing secrets that several processes share. Each has them in memory, and asks for them again each second: a secret that another
// process has set is used within that time.
import type { Clock } from '../platform/clock.ts';
import { type Secrets, secretKey } from './secret-file.ts';

/** Where they are stored; SharedState of the store for one kind. */
export interface SecretRows {
  all(): Promise<ReadonlyMap<string, string>>;
  put(key: string, secret: string): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
}

const askEveryMs = 1_000;

export async function openSharedSecrets(
  rows: SecretRows,
  clock: Pick<Clock, 'delay'>,
  stopped: AbortSignal,
): Promise<Secrets> {
  let secrets = new Map(await rows.all());
  /** Of changes by this process: an answer that was asked for before one is older than it. */
  let changes = 0;
  const follow = async () => {
    while (!stopped.aborted) {
      await clock.delay(askEveryMs, stopped);
      if (stopped.aborted) return;
      const before = changes;
      // The database cannot be reached: what is known stays in use.
      const found = await rows.all().catch(() => secrets);
      if (changes === before) secrets = new Map(found);
    }
  };
  void follow();
  return {
    get: (workspaceId, name) => secrets.get(secretKey(workspaceId, name)) ?? null,
    async set(workspaceId, name, secret) {
      await rows.put(secretKey(workspaceId, name), secret);
      changes += 1;
      secrets.set(secretKey(workspaceId, name), secret);
    },
    async remove(workspaceId, name) {
      await rows.remove([secretKey(workspaceId, name)]);
      changes += 1;
      secrets.delete(secretKey(workspaceId, name));
    },
    async keepOnly(known) {
      const kept = new Set(known.map(({ workspaceId, name }) => secretKey(workspaceId, name)));
      const gone = [...secrets.keys()].filter((key) => !kept.has(key));
      if (gone.length > 0) await rows.remove(gone);
      changes += 1;
      for (const key of gone) secrets.delete(key);
    },
  };
}
