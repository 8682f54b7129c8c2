// What an access token may do, in words; and how long it still does. Pure.
import type { AccessToken } from '../../../server/contract/workspaces.ts';
import { duration, plural } from '../format.ts';
import type { StatusView } from '../mirror/mirror-view.ts';

/** The scopes of the API with what each opens, in the order of the form. */
export const scopeLabels = [
  { scope: 'fs:read', words: 'read files' },
  { scope: 'fs:write', words: 'write and delete files' },
  { scope: 'sync:read', words: 'see how providers are' },
  { scope: 'sync:trigger', words: 'send webhooks, acknowledge, replay dead letters' },
  { scope: 'ops:read', words: 'see operations' },
  { scope: 'ops:replay', words: 'replay operations' },
  { scope: 'admin:read', words: 'see every provider’s queue' },
  { scope: 'admin:replay', words: 'replay for any workspace' },
] as const;
export type Scope = (typeof scopeLabels)[number]['scope'];

export const scopePresets: Readonly<Record<'write' | 'read', readonly Scope[]>> = {
  write: ['fs:read', 'fs:write', 'sync:read', 'ops:read', 'ops:replay'],
  read: ['fs:read', 'sync:read', 'ops:read'],
};

export interface TokenPermissions {
  /** `fs:read fs:write` */
  readonly scopes: readonly string[];
  /** Path globs that file scopes are narrowed to; none: all files. */
  readonly paths: readonly string[];
}

/** Tells names and paths of scope strings apart: `relayfile:fs:read:/docs/**` is `fs:read` below `/docs`. */
export function permissionsOf(scopes: readonly string[]): TokenPermissions {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const scope of scopes) {
    const narrowed = /^[^:]+:([^:]+:[^:]+):(\/.*)$/.exec(scope);
    names.add(narrowed?.[1] ?? scope);
    if (narrowed?.[2] !== undefined) paths.add(narrowed[2]);
  }
  return { scopes: [...names], paths: [...paths] };
}

const dayMs = 86_400_000;

/** A token that ends within a day is amber: whoever uses it needs another one soon. */
export function tokenStatus(token: AccessToken, nowMs: number): StatusView {
  if (token.revokedAt !== undefined) return { kind: 'paused', word: 'Revoked' };
  const leftMs = Date.parse(token.expiresAt) - nowMs;
  if (leftMs <= 0) return { kind: 'paused', word: 'Ended' };
  if (leftMs < dayMs) return { kind: 'warn', word: `Ends in ${duration(leftMs)}` };
  return { kind: 'ok', word: `Ends in ${plural(Math.floor(leftMs / dayMs), 'day')}` };
}

export function isActive(token: AccessToken, nowMs: number): boolean {
  return token.revokedAt === undefined && Date.parse(token.expiresAt) > nowMs;
}

/** Why a path of the form cannot be; null: it can, or there is none. */
export function pathProblem(path: string): string | null {
  if (path === '' || path.startsWith('/')) return null;
  return 'A path begins with “/”, such as /docs/**.';
}
