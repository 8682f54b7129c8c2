// Permissions and expiry of access tokens as labels. Pure.
import type { UserRole } from '../../../server/contract/users.ts';
import type { AccessToken } from '../../../server/contract/workspaces.ts';
import { duration, plural } from '../format.ts';
import type { StatusView } from '../mirror/mirror-view.ts';

/** The scopes of the API with their labels, in the order of the form. */
export const scopeLabels = [
  { scope: 'fs:read', label: 'read files' },
  { scope: 'fs:write', label: 'write and delete files' },
  { scope: 'sync:read', label: 'read the status of providers' },
  { scope: 'sync:trigger', label: 'send webhooks, dismiss and replay dead letters' },
  { scope: 'ops:read', label: 'read operations' },
  { scope: 'ops:replay', label: 'replay operations' },
  { scope: 'admin:read', label: 'read the queues of all providers' },
  { scope: 'admin:replay', label: 'replay in any workspace' },
] as const;
export type Scope = (typeof scopeLabels)[number]['scope'];

/** The choices of the form of a token. */
export type Access = 'full' | 'read' | 'folder' | 'custom';

export const scopePresets: Readonly<Record<Exclude<Access, 'custom'>, readonly Scope[]>> = {
  full: ['fs:read', 'fs:write', 'sync:read', 'ops:read', 'ops:replay'],
  read: ['fs:read', 'sync:read', 'ops:read'],
  folder: ['fs:read', 'fs:write'],
};

export const accessHints: Readonly<Record<Access, string>> = {
  full: 'Read and write all files; read and replay operations.',
  read: 'Read files and operations; change nothing.',
  folder: 'Read and write the files of one folder; nothing else.',
  custom: 'Select each scope.',
};

const scopesByRole: Readonly<Record<UserRole, readonly Scope[]>> = {
  reader: scopePresets.read,
  editor: scopePresets.full,
  owner: [...scopePresets.full, 'sync:trigger'],
};

/** What a token can be given: `admin:*` concerns every workspace, so the owner of the server alone gives it. null: that owner. */
export function grantableScopes(role: UserRole | null): readonly Scope[] {
  return role === null ? scopeLabels.map(({ scope }) => scope) : scopesByRole[role];
}

export interface TokenPermissions {
  /** `fs:read fs:write` */
  readonly scopes: readonly string[];
  /** Path globs that limit the file scopes; none: all files. */
  readonly paths: readonly string[];
}

/** Splits scope strings into names and paths: `relayfile:fs:read:/docs/**` is `fs:read` below `/docs`. */
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

/** A token that expires within a day is a warning: its user needs a new one. */
export function tokenStatus(token: AccessToken, nowMs: number): StatusView {
  if (token.revokedAt !== undefined) return { kind: 'paused', word: 'Revoked' };
  const leftMs = Date.parse(token.expiresAt) - nowMs;
  if (leftMs <= 0) return { kind: 'paused', word: 'Expired' };
  if (leftMs < dayMs) return { kind: 'warn', word: `Expires in ${duration(leftMs)}` };
  return { kind: 'ok', word: `Expires in ${plural(Math.floor(leftMs / dayMs), 'day')}` };
}

export function isActive(token: AccessToken, nowMs: number): boolean {
  return token.revokedAt === undefined && Date.parse(token.expiresAt) > nowMs;
}
