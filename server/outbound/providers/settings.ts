// Settings of a provider: defaults, updates, and validation. It stores nothing.

import { type AllowedTargets, checkUrl } from '../../delivery/address-guard.ts';
import type { ProviderRow } from '../../store/port/store.ts';

/** The settings cannot be taken; the message says why and goes to the caller. HTTP says 400. */
export class ProviderRefusedError extends Error {
  override readonly name = 'ProviderRefusedError';
}

export interface ProviderSettings {
  readonly url?: string;
  readonly secret?: string;
  readonly refreshUrl?: string | null;
  readonly allowPlainHttp?: boolean;
  readonly allowPrivateAddresses?: boolean;
  readonly timeoutMs?: number;
}

const timeoutDefaultMs = 10_000;

export function newProvider(
  workspaceId: string,
  input: ProviderSettings & { readonly name: string; readonly kind: ProviderRow['kind'] },
  nowMs: number,
): ProviderRow {
  const { name, kind } = input;
  return withSettings(
    {
      workspaceId,
      name,
      kind,
      url: null,
      refreshUrl: null,
      plainHttp: false,
      privateAddresses: false,
      timeoutMs: timeoutDefaultMs,
      paused: false,
      lastSuccessAtMs: null,
      lastFailureAtMs: null,
      lastError: null,
      refresh: null,
      nextRefreshes: [],
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    },
    input,
  );
}

export function allowedOf(row: ProviderRow): AllowedTargets {
  return { plainHttp: row.plainHttp, privateAddresses: row.privateAddresses };
}

export function withSettings(row: ProviderRow, settings: ProviderSettings): ProviderRow {
  return {
    ...row,
    url: settings.url ?? row.url,
    refreshUrl: settings.refreshUrl === undefined ? row.refreshUrl : settings.refreshUrl,
    plainHttp: settings.allowPlainHttp ?? row.plainHttp,
    privateAddresses: settings.allowPrivateAddresses ?? row.privateAddresses,
    timeoutMs: settings.timeoutMs ?? row.timeoutMs,
  };
}

const nameBytesMax = 255;

/** Only what can be the first segment of a path that is written, and can be read in a list. Throws a ProviderRefusedError. */
export function checkName(name: string): void {
  const refuse = (reason: string): never => {
    throw new ProviderRefusedError(
      `provider: ${reason}; it is the first segment of its paths, such as github`,
    );
  };
  if (name.includes('/')) refuse('its name holds a "/"');
  if (/\p{Cc}/u.test(name)) refuse('its name holds a control character');
  if (name === '.' || name === '..') refuse(`no path has a segment "${name}"`);
  if (Buffer.byteLength(name) > nameBytesMax) refuse(`its name is longer than ${nameBytesMax} bytes`);
}

/** Throws a ProviderRefusedError that says what cannot be. */
export function checkRow(row: ProviderRow, hasSecret: boolean): void {
  if (row.kind === 'external') {
    if (row.url === null && row.refreshUrl === null) return;
    throw new ProviderRefusedError('an external provider has no addresses: its consumer comes to the agent');
  }
  if (row.url === null) throw new ProviderRefusedError('url: an http provider needs one');
  if (!hasSecret) throw new ProviderRefusedError('secret: an http provider needs one to sign with');
  for (const [name, text] of [
    ['url', row.url],
    ['refreshUrl', row.refreshUrl],
  ] as const) {
    const checked = text === null ? null : checkUrl(text, allowedOf(row));
    if (checked?.ok === false) throw new ProviderRefusedError(`${name}: ${checked.reason}`);
  }
}
