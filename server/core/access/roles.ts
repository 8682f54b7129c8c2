// What a role of a user in a workspace allows, as scopes. Pure. A personal token is narrowed to them at each use, so that a lowered role
// takes effect on tokens that were issued before.
import { parseGrant, type RequiredScope } from './scope.ts';

/** From the least to the most. */
export const roles = ['reader', 'editor', 'owner'] as const;
export type Role = (typeof roles)[number];

const readerScopes = ['fs:read', 'sync:read', 'ops:read'] as const;
const editorScopes = [...readerScopes, 'fs:write', 'ops:replay'] as const;
/** `admin:*` concerns every workspace of the server, so that no role in one of them includes it. */
const ownerScopes = [
  ...editorScopes,
  'sync:trigger',
  'webhooks:read',
  'webhooks:write',
  'webhooks:replay',
] as const;

const scopesByRole: Readonly<Record<Role, readonly RequiredScope[]>> = {
  reader: readerScopes,
  editor: editorScopes,
  owner: ownerScopes,
};

export function scopesOfRole(role: Role): readonly RequiredScope[] {
  return scopesByRole[role];
}

/** Does the role include what the other one allows? */
export function reachesRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

/**
 * Those of the scopes that the role allows, with their paths. A wildcard or a scope of another system means more than is known here, so
 * no role allows it. A grant with a path confines the bare scope of its action beside it; both are of one action, so both stay or go.
 */
export function withinRole(scopes: readonly string[], role: Role): readonly string[] {
  const allowed: readonly string[] = scopesByRole[role];
  return scopes.filter((scope) => {
    const grant = parseGrant(scope);
    return allowed.includes(grant === null ? scope.trim() : `${grant.resource}:${grant.action}`);
  });
}
