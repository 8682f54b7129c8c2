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

export interface WebhookRegistry {
  /** Forgets secrets of addresses that are there no more. */
  start(): Promise<void>;
  all(): Promise<readonly WebhookRow[]>;
  list(workspaceId: string): Promise<readonly WebhookRow[]>;
  get(workspaceId: string, webhookId: string): Promise<WebhookRow | null>;
  /** The endpoint receives every change from now on. `secret`: the one that was made, else null. */
  add(
    workspaceId: string,
    input: WebhookInput,
  ): Promise<{ readonly webhookId: string; readonly secret: string | null }>;
  /** false: unknown. */
  remove(workspaceId: string, webhookId: string): Promise<boolean>;
  /** Of an endpoint that has ended: nothing is signed for it again. */
  dropSecret(row: Pick<WebhookRow, 'workspaceId' | 'webhookId'>): void;
  /** The key to sign with; null: its secret is gone. */
  keyOf(row: Pick<WebhookRow, 'workspaceId' | 'webhookId'>): Uint8Array | null;
  onChange(
    listener: (changed: { readonly workspaceId: string; readonly webhookId: string }) => void,
  ): () => void;
}

/** Active endpoints of one workspace. */
const webhooksMax = 100;
/** Ended ones that its list shows; the oldest go when another one is registered. */
const endedWebhooksMax = 100;
const idCharacters = 20;
const madeSecretBytes = 32;
/** Of a secret in words of its owner's own. */
const plainSecretCharactersMin = 16;

export function createWebhookRegistry(parts: {
  readonly store: WebhookStore;
  readonly events: EventReader;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
}): WebhookRegistry {
  const { store, events, secrets, clock, ids } = parts;
  const listeners = new Set<Parameters<WebhookRegistry['onChange']>[0]>();
  const changed = (workspaceId: string, webhookId: string) => {
    for (const listener of listeners) listener({ workspaceId, webhookId });
  };
  const list = async (workspaceId: string) =>
    (await store.list()).filter((row) => row.workspaceId === workspaceId);
  const isActive = (row: WebhookRow) => endpointExpiry(row, clock.nowMs()) === null;
  return {
    async start() {
      secrets.keepOnly(
        (await store.list())
          .filter(isActive)
          .map(({ workspaceId, webhookId }) => ({ workspaceId, name: webhookId })),
      );
    },
    all: () => store.list(),
    list,
    get: async (workspaceId, webhookId) =>
      (await list(workspaceId)).find((row) => row.webhookId === webhookId) ?? null,
    async add(workspaceId, { url, globs, secret, allowed, access, tokenIds, expiresAtMs }) {
      const checked = checkUrl(url, allowed);
      if (!checked.ok) throw new WebhookUrlRefusedError(`url: ${checked.reason}`);
      if (secret !== undefined && keyOfSecret(secret) === null) {
        throw new WebhookRefusedError(
          `secret: it must be whsec_ and base64 of 24 to 64 bytes, or a text of at least ${plainSecretCharactersMin} characters`,
        );
      }
      if ((await list(workspaceId)).filter(isActive).length >= webhooksMax) {
        throw new WebhookRefusedError(`a workspace has at most ${webhooksMax} active webhooks`);
      }
      const made =
        secret === undefined
          ? `whsec_${Buffer.from(systemRandom(madeSecretBytes)).toString('base64')}`
          : null;
      const webhookId = `whk_${ids.text(idCharacters)}`;
      secrets.set(workspaceId, webhookId, secret ?? made ?? '');
      const row: WebhookRow = {
        workspaceId,
        webhookId,
        url,
        globs,
        plainHttp: allowed.plainHttp,
        privateAddresses: allowed.privateAddresses,
        access,
        tokenIds,
        expiresAtMs,
        revokedAtMs: null,
        position: (await events.range()).last,
        createdAtMs: clock.nowMs(),
        lastAttemptAtMs: null,
        lastSuccessAtMs: null,
        lastError: null,
        failuresInRow: 0,
      };
      const result = await store.insert({ row, endedMax: endedWebhooksMax });
      if (result !== 'inserted') {
        secrets.remove(workspaceId, webhookId);
        if (result === 'token_revoked') throw new WebhookTokenRevokedError('token revoked');
        throw new WebhookRefusedError('the workspace is gone');
      }
      changed(workspaceId, webhookId);
      return { webhookId, secret: made };
    },
    async remove(workspaceId, webhookId) {
      const removed = await store.remove({ workspaceId, webhookId });
      secrets.remove(workspaceId, webhookId);
      changed(workspaceId, webhookId);
      return removed;
    },
    dropSecret: ({ workspaceId, webhookId }) => secrets.remove(workspaceId, webhookId),
    keyOf({ workspaceId, webhookId }) {
      const secret = secrets.get(workspaceId, webhookId);
      return secret === null ? null : keyOfSecret(secret);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Of the specification's form its bytes; of any other text the bytes of the text. */
function keyOfSecret(secret: string): Uint8Array | null {
  if (secret.startsWith('whsec_')) return parseSecret(secret);
  return secret.length >= plainSecretCharactersMin ? new TextEncoder().encode(secret) : null;
}
