// The providers of every workspace: register, update, pause, test, remove. Each `http` provider is a callable object that is
// rebuilt when its settings change. It decides nothing about operations.

import type { Secrets } from '../../delivery/secret-file.ts';
import { parseSecret } from '../../delivery/webhook-signature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { ProviderPatch, ProviderRow, ProviderStore } from '../../store/port/store.ts';
import { createHttpProvider } from './http-provider.ts';
import type { Provider, TestResult } from './provider.ts';
import {
  allowedOf,
  checkName,
  checkRow,
  newProvider,
  ProviderRefusedError,
  type ProviderSettings,
  withSettings,
} from './settings.ts';

export type { ProviderRow } from '../../store/port/store.ts';
export { ProviderRefusedError, type ProviderSettings } from './settings.ts';

/** The name is registered already. HTTP says 409 `invalid_state`. */
export class ProviderTakenError extends Error {
  override readonly name = 'ProviderTakenError';
}

/** Providers of one workspace. */
const providersMax = 100;

interface Made {
  readonly updatedAtMs: number;
  readonly provider: Provider;
}

export class ProviderRegistry {
  readonly #store: ProviderStore;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #ids: Pick<Ids, 'text'>;
  readonly #made = new Map<string, Made>();
  readonly #listeners = new Set<(row: { workspaceId: string; name: string }) => void>();
  /** Changes one after the other: a secret and its row belong together. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: ProviderStore, secrets: Secrets, clock: Clock, ids: Pick<Ids, 'text'>) {
    this.#store = store;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Tidies up after a crash between a secret and its row, and after workspaces that are gone for good. */
  async start(): Promise<void> {
    await this.#inTurn(async () => await this.#secrets.keepOnly(await this.#store.list()));
  }

  /** Of all workspaces. */
  all(): Promise<readonly ProviderRow[]> {
    return this.#store.list();
  }

  async list(workspaceId: string): Promise<readonly ProviderRow[]> {
    return (await this.#store.list()).filter((row) => row.workspaceId === workspaceId);
  }

  async get(workspaceId: string, name: string): Promise<ProviderRow | null> {
    return (await this.list(workspaceId)).find((row) => row.name === name.toLowerCase()) ?? null;
  }

  hasSecret(workspaceId: string, name: string): boolean {
    return this.#secrets.get(workspaceId, name) !== null;
  }

  /** Throws ProviderRefusedError, ProviderTakenError. */
  add(
    workspaceId: string,
    input: ProviderSettings & { readonly name: string; readonly kind: ProviderRow['kind'] },
  ): Promise<ProviderRow> {
    return this.#inTurn(async () => {
      const name = input.name.toLowerCase();
      checkName(name);
      const present = await this.list(workspaceId);
      if (present.some((row) => row.name === name)) {
        throw new ProviderTakenError(`${name} is registered in this workspace already`);
      }
      if (present.length >= providersMax) {
        throw new ProviderRefusedError(`a workspace has at most ${providersMax} providers`);
      }
      const nowMs = this.#clock.nowMs();
      const row = newProvider(workspaceId, { ...input, name }, nowMs);
      checkRow(row, input.secret !== undefined);
      await this.#setSecret(row, input.secret);
      if (!(await this.#store.insert(row))) {
        await this.#secrets.remove(workspaceId, name);
        throw new ProviderTakenError(`${name} cannot be registered in this workspace`);
      }
      this.#changed(row);
      return row;
    });
  }

  /** null: unknown. Throws ProviderRefusedError. */
  update(workspaceId: string, name: string, settings: ProviderSettings): Promise<ProviderRow | null> {
    return this.#inTurn(async () => {
      const present = await this.get(workspaceId, name);
      if (present === null) return null;
      const row = withSettings(present, settings);
      checkRow(row, settings.secret !== undefined || this.hasSecret(workspaceId, row.name));
      await this.#setSecret(row, settings.secret);
      const { url, refreshUrl, plainHttp, privateAddresses, timeoutMs } = row;
      return await this.#change(row, { url, refreshUrl, plainHttp, privateAddresses, timeoutMs });
    });
  }

  setPaused(workspaceId: string, name: string, paused: boolean): Promise<ProviderRow | null> {
    return this.#inTurn(async () => {
      const row = await this.get(workspaceId, name);
      return row === null ? null : await this.#change(row, { paused });
    });
  }

  /** Cancels what waits for it. null: unknown. */
  remove(workspaceId: string, name: string, correlationId: string): Promise<{ canceled: number } | null> {
    return this.#inTurn(async () => {
      const row = await this.get(workspaceId, name);
      if (row === null) return null;
      const atMs = this.#clock.nowMs();
      const removed = await this.#store.remove({ workspaceId, name: row.name, atMs, correlationId });
      await this.#secrets.remove(workspaceId, row.name);
      this.#changed(row);
      return removed;
    });
  }

  /** null: unknown. */
  async test(workspaceId: string, name: string): Promise<TestResult | null> {
    const row = await this.get(workspaceId, name);
    if (row === null) return null;
    const provider = this.callable(row);
    if (provider !== null) return await provider.test(`test_${this.#ids.text(16)}`);
    const message =
      row.kind === 'external'
        ? 'an external consumer sends its operations; there is nothing to call'
        : 'its secret is missing; set it anew';
    return { ok: row.kind === 'external', httpStatus: null, tookMs: 0, message };
  }

  /** What calls it; null for `external` ones, and where the secret is missing. Valid until its settings change. */
  callable(row: ProviderRow): Provider | null {
    const secret = this.#secrets.get(row.workspaceId, row.name);
    const key = secret === null ? null : parseSecret(secret);
    if (row.kind !== 'http' || row.url === null || key === null) return null;
    const made = this.#made.get(keyOf(row));
    if (made?.updatedAtMs === row.updatedAtMs) return made.provider;
    made?.provider.close();
    const { url, refreshUrl, timeoutMs } = row;
    const settings = { url, refreshUrl, timeoutMs, key, allowed: allowedOf(row) };
    const provider = createHttpProvider(settings, this.#clock);
    this.#made.set(keyOf(row), { updatedAtMs: row.updatedAtMs, provider });
    return provider;
  }

  /** Calls the listener after every change. Returns the function that removes it. */
  onChange(listener: (row: { readonly workspaceId: string; readonly name: string }) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const { provider } of this.#made.values()) provider.close();
    this.#made.clear();
  }

  async #change(row: ProviderRow, patch: ProviderPatch): Promise<ProviderRow | null> {
    // Strictly later than before, also when the clock does not advance: it identifies the version of a made object.
    const updatedAtMs = Math.max(this.#clock.nowMs(), row.updatedAtMs + 1);
    const changed = await this.#store.update({
      workspaceId: row.workspaceId,
      name: row.name,
      patch: { ...patch, updatedAtMs },
    });
    if (changed !== null) this.#changed(changed);
    return changed;
  }

  async #setSecret(row: ProviderRow, secret: string | undefined): Promise<void> {
    if (secret === undefined) return;
    if (parseSecret(secret) === null) {
      throw new ProviderRefusedError('secret: it must be whsec_ and base64 of 24 to 64 bytes');
    }
    await this.#secrets.set(row.workspaceId, row.name, secret);
  }

  #changed(row: { readonly workspaceId: string; readonly name: string }): void {
    for (const listener of this.#listeners) listener(row);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(work);
    // The next in turn waits for the end of this one, not for its success.
    this.#queue = mine.catch(() => undefined);
    return mine;
  }
}

function keyOf(row: { readonly workspaceId: string; readonly name: string }): string {
  return JSON.stringify([row.workspaceId, row.name]);
}
