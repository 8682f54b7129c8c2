// Decides what the scopes of a token allow (docs/wire-contract.md#tokens-and-scopes). Pure: it knows scope strings and a path, never the
// token, a route or a file.
//
//   requireScope(scopes, 'fs:read', path)  the check of a route, with the message for its 403
//   grantsScope(scopes, 'fs:read', path)   the same as a boolean, per file of a bulk request
//   grantsBelow(scopes, 'fs:read', path)   does the grant include the descendants of this directory? For lists
//   grantedRoots(scopes, 'fs:read')        the paths that may be listed
//   hasGrant, isConfined                   is the action granted at all, and if so for less than everything
//
// `path` null means that the route names no path: any grant of the action passes, and each file is checked separately.
import { joinPath, normalizeReadPath } from '../paths/path.ts';
import { matchesScopePath, parseScopePath } from './path-scope.ts';

/** The scopes of the wire contract, each a `resource:action`. */
export const bareScopes = [
  'fs:read',
  'fs:write',
  'sync:read',
  'sync:trigger',
  'ops:read',
  'ops:replay',
  'admin:read',
  'admin:replay',
] as const;
/** For webhook endpoints: events leave this machine, so no token has these scopes by default. */
export const webhookScopes = ['webhooks:read', 'webhooks:write', 'webhooks:replay'] as const;
export type RequiredScope = (typeof bareScopes | typeof webhookScopes)[number];

export type ScopeDecision = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** `path` null: see above. The path is not normalized here; http does so before. */
export function requireScope(
  scopes: readonly string[],
  required: string,
  path: string | null,
): ScopeDecision {
  if (scopes.length === 0) return { ok: false, message: 'no scopes granted' };
  if (grantsScope(scopes, required, path)) return { ok: true };
  return { ok: false, message: `missing required scope: ${required}` };
}

export function grantsScope(scopes: readonly string[], required: string, path: string | null): boolean {
  let bare = false;
  let narrow = false;
  for (const scope of scopes) {
    if (scope.trim() === required) {
      bare = true;
      continue;
    }
    const grant = parseGrant(scope);
    if (grant === null || !coversAction(grant, required)) continue;
    if (grant.pathPart === null) return true;
    const allowed = parseScopePath(grant.pathPart);
    // An invalid path part grants nothing, but it shows that the issuer meant to confine the token.
    if (allowed?.kind === 'everything') return true;
    narrow = true;
    if (path === null ? allowed !== null : allowed !== null && matchesScopePath(allowed, path)) return true;
  }
  return bare && !narrow;
}

/** Is there any grant of the action, on any path? A grant with an invalid path counts, although it grants nothing. */
export function hasGrant(scopes: readonly string[], required: string): boolean {
  return scopes.some((scope) => {
    const grant = parseGrant(scope);
    return scope.trim() === required || (grant !== null && coversAction(grant, required));
  });
}

/** Is the action granted for less than everything? Then its issuer meant to confine the token. */
export function isConfined(scopes: readonly string[], required: string): boolean {
  return hasGrant(scopes, required) && !grantsScope(scopes, required, '/\0');
}

/**
 * Does the grant include the descendants of the directory? A grant of the directory alone (`/docs`, and `/`, which is the root alone)
 * passes for a route on it, but a listing, query, export or feed of such a path must show no descendants.
 */
export function grantsBelow(scopes: readonly string[], required: string, directory: string): boolean {
  // No path of a workspace contains a NUL, so this matches as every descendant does, and only an exact grant excludes it.
  return grantsScope(scopes, required, joinPath(normalizeReadPath(directory), '\0'));
}

// ---- grants

export interface ScopeGrant {
  readonly resource: string;
  readonly action: string;
  /** null: three parts, the whole namespace. */
  readonly pathPart: string | null;
}

/** `plane:resource:action[:path]`; the path may contain colons. null: not such a scope. */
export function parseGrant(scope: string): ScopeGrant | null {
  const parts = scope.trim().split(':');
  const [plane, second, action] = parts;
  if (second === undefined || action === undefined) return null;
  const pathPart = parts.length > 3 ? parts.slice(3).join(':') : null;
  if (plane === 'relayfile' || plane === '*') return { resource: second, action, pathPart };
  // Under `workspace` the second part is only a label.
  if (plane === 'workspace') return { resource: 'fs', action, pathPart };
  return null;
}

function coversAction(grant: ScopeGrant, required: string): boolean {
  const colon = required.indexOf(':');
  if (colon === -1) return false;
  const resource = required.slice(0, colon);
  const action = required.slice(colon + 1);
  if (grant.resource !== '*' && grant.resource !== resource) return false;
  if (grant.action === '*' || grant.action === action) return true;
  return grant.action === 'manage' && (action === 'read' || action === 'write');
}

/** The paths that grants of the action let list: `/` for everything. A grant that ends with a text prefix names no directory. */
export function grantedRoots(scopes: readonly string[], required: string): readonly string[] {
  if (grantsBelow(scopes, required, '/')) return ['/'];
  const roots = new Set<string>();
  for (const scope of scopes) {
    const grant = parseGrant(scope);
    if (grant === null || grant.pathPart === null || !coversAction(grant, required)) continue;
    const path = parseScopePath(grant.pathPart);
    if (path?.kind === 'exact' && path.path !== '/') roots.add(path.path);
    if (path?.kind === 'below' && path.itself) roots.add(path.directory);
  }
  return [...roots];
}
