// Webhook endpoints: register, list, remove. Their signing secrets are stored beside those of providers and are used for
// signatures only; a generated secret is returned once.
import type { AccessSubject } from '../../core/entry.ts';
import { endpointExpiry } from '../../core/outbound/decide-webhook-attempt.ts';
import { type AllowedTargets, checkUrl } from '../../delivery/address-guard.ts';
import type { Secrets } from '../../delivery/secret-file.ts';
import { parseSecret } from '../../delivery/webhook-signature.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemRandom } from '../../platform/crypto/hashes.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { EventReader, WebhookRow, WebhookStore } from '../../store/port/store.ts';

export type { WebhookDeliveryRow, WebhookRow } from '../../store/port/store.ts';

/** Refusal: the address may not be called. */
export class WebhookUrlRefusedError extends Error {
  override readonly name = 'WebhookUrlRefusedError';
}

/** Refusal: a token that registers it was revoked meanwhile. */
export class WebhookTokenRevokedError extends Error {
  override readonly name = 'WebhookTokenRevokedError';
}

/** Refusal of anything else; the message says what is wrong. */
export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError';
}

export interface WebhookInput {
  readonly url: string;
  readonly globs: readonly string[];
  readonly secret?: string;
  readonly allowed: AllowedTargets;
  readonly access: AccessSubject | null;
  readonly tokenIds: readonly string[];
  /** When that token expires; null: the owner registers it. */
  readonly expiresAtMs: number | null;
}

/** Names one endpoint. */
export type EndpointKey = Pick<WebhookRow, 'workspaceId' | 'webhookId'>;

/** Active endpoints of one workspace. */
const webhooksMax = 100;
/** Ended ones that its list shows; the oldest go when another one is registered. */
const endedWebhooksMax = 100;
const idCharacters = 20;
const madeSecretBytes = 32;
/** Of a secret in words of its owner's own. */
const plainSecretCharactersMin = 16;

interface WebhookRegistryDeps {
  readonly store: WebhookStore;
  readonly events: EventReader;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
}

export class WebhookRegistry {
  readonly #deps: WebhookRegistryDeps;
  readonly #listeners = new Set<(changed: EndpointKey) => void>();

  constructor(deps: WebhookRegistryDeps) {
    this.#deps = deps;
  }

  /** Forgets secrets of addresses that are there no more. */
  async start(): Promise<void> {
    const active = (await this.all()).filter((row) => this.#isActive(row));
    await this.#deps.secrets.keepOnly(
      active.map(({ workspaceId, webhookId: name }) => ({ workspaceId, name })),
    );
  }

  all(): Promise<readonly WebhookRow[]> {
    return this.#deps.store.list();
  }

  async list(workspaceId: string): Promise<readonly WebhookRow[]> {
    return (await this.all()).filter((row) => row.workspaceId === workspaceId);
  }

  async get(workspaceId: string, webhookId: string): Promise<WebhookRow | null> {
    return (await this.list(workspaceId)).find((row) => row.webhookId === webhookId) ?? null;
  }

  /** The endpoint receives every change from now on. `secret`: the one that was made, else null. */
  async add(
    workspaceId: string,
    input: WebhookInput,
  ): Promise<{ readonly webhookId: string; readonly secret: string | null }> {
    const { store, secrets, ids } = this.#deps;
    await this.#check(workspaceId, input);
    const made =
      input.secret === undefined
        ? `whsec_${Buffer.from(systemRandom(madeSecretBytes)).toString('base64')}`
        : null;
    const webhookId = `whk_${ids.text(idCharacters)}`;
    await secrets.set(workspaceId, webhookId, input.secret ?? made ?? '');
    const row = await this.#rowOf({ workspaceId, webhookId }, input);
    const result = await store.insert({ row, endedMax: endedWebhooksMax });
    if (result !== 'inserted') {
      await secrets.remove(workspaceId, webhookId);
      if (result === 'token_revoked') throw new WebhookTokenRevokedError('token revoked');
      throw new WebhookRefusedError('the workspace is gone');
    }
    this.#changed({ workspaceId, webhookId });
    return { webhookId, secret: made };
  }

  /** false: unknown. */
  async remove(workspaceId: string, webhookId: string): Promise<boolean> {
    const removed = await this.#deps.store.remove({ workspaceId, webhookId });
    await this.dropSecret({ workspaceId, webhookId });
    this.#changed({ workspaceId, webhookId });
    return removed;
  }

  /** Of an endpoint that has ended: nothing is signed for it again. */
  async dropSecret({ workspaceId, webhookId }: EndpointKey): Promise<void> {
    await this.#deps.secrets.remove(workspaceId, webhookId);
  }

  /** The key to sign with; null: its secret is gone. */
  keyOf({ workspaceId, webhookId }: EndpointKey): Uint8Array | null {
    const secret = this.#deps.secrets.get(workspaceId, webhookId);
    return secret === null ? null : keyOfSecret(secret);
  }

  onChange(listener: (changed: EndpointKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #check(workspaceId: string, { url, allowed, secret }: WebhookInput): Promise<void> {
    const checked = checkUrl(url, allowed);
    if (!checked.ok) throw new WebhookUrlRefusedError(`url: ${checked.reason}`);
    if (secret !== undefined && keyOfSecret(secret) === null) {
      throw new WebhookRefusedError(
        `secret: it must be whsec_ and base64 of 24 to 64 bytes, or a text of at least ${plainSecretCharactersMin} characters`,
      );
    }
    const active = (await this.list(workspaceId)).filter((row) => this.#isActive(row));
    if (active.length >= webhooksMax) {
      throw new WebhookRefusedError(`a workspace has at most ${webhooksMax} active webhooks`);
    }
  }

  async #rowOf(
    key: EndpointKey,
    { url, globs, allowed, access, tokenIds, expiresAtMs }: WebhookInput,
  ): Promise<WebhookRow> {
    const { events, clock } = this.#deps;
    const { plainHttp, privateAddresses } = allowed;
    return {
      ...key,
      url,
      globs,
      plainHttp,
      privateAddresses,
      access,
      tokenIds,
      expiresAtMs,
      revokedAtMs: null,
      position: (await events.range(key.workspaceId)).last,
      createdAtMs: clock.nowMs(),
      lastAttemptAtMs: null,
      lastSuccessAtMs: null,
      lastError: null,
      failuresInRow: 0,
    };
  }

  #isActive(row: WebhookRow): boolean {
    return endpointExpiry(row, this.#deps.clock.nowMs()) === null;
  }

  #changed(key: EndpointKey): void {
    for (const listener of this.#listeners) listener(key);
  }
}

/** Of the specification's form its bytes; of any other text the bytes of the text. */
function keyOfSecret(secret: string): Uint8Array | null {
  if (secret.startsWith('whsec_')) return parseSecret(secret);
  return secret.length >= plainSecretCharactersMin ? new TextEncoder().encode(secret) : null;
}
