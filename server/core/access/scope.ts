// What the scopes of a token allow (contract 1.2). Pure: it sees scope strings and a path, never the token, a route or a file.
//
//   requireScope(scopes, 'fs:read', path)  the check of a route, with the message for its 403
//   grantsScope(scopes, 'fs:read', path)   the same as a bare answer, per file of a bulk request
//   grantsBelow(scopes, 'fs:read', path)   may everything under this directory be touched, too? Lists ask this
//   hasGrant, isConfined                   is the action granted at all, and if so for less than everything
//   parseScopePath('/docs/**')             null: this path part is not valid and would match nothing
//
// `path` null means that the route names no path: any grant of the action passes and each file is checked on its own.
import { joinPath, normalizeReadPath } from '../paths/path.ts';

/** The scopes of the contract, each a `resource:action`. */
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
/** Those of addresses that are told of changes: what they are told leaves this machine, so no token has them unasked. */
export const webhookScopes = ['webhooks:read', 'webhooks:write', 'webhooks:replay'] as const;
export type RequiredScope = (typeof bareScopes | typeof webhookScopes)[number];

export type ScopeDecision = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** `path` null: see above. A path is taken as it stands; http normalises it before. */
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
    // A path part that is not valid grants nothing, but it shows that the issuer meant to confine the token.
    if (allowed?.kind === 'everything') return true;
    narrow = true;
    if (path === null ? allowed !== null : allowed !== null && matchesScopePath(allowed, path)) return true;
  }
  return bare && !narrow;
}

/** Is there any grant of the action, of whatever path, also one whose path is not valid and grants nothing? */
export function hasGrant(scopes: readonly string[], required: string): boolean {
  return scopes.some((scope) => {
    const grant = parseGrant(scope);
    return scope.trim() === required || (grant !== null && coversAction(grant, required));
  });
}

/** Is there a grant of the action that names less than everything? Then its issuer meant to confine the token. */
export function isConfined(scopes: readonly string[], required: string): boolean {
  return hasGrant(scopes, required) && !grantsScope(scopes, required, '/\0');
}

/**
 * Does the grant reach below the directory? A grant of the directory alone (`/docs`, and `/`, which is the root alone) lets a route
 * on it pass, but names nothing under it: a listing, query, export or feed of such a path must show no descendants.
 */
export function grantsBelow(scopes: readonly string[], required: string, directory: string): boolean {
  // No path of a workspace holds a NUL, so this stands for every descendant, and only an exact grant leaves it out.
  return grantsScope(scopes, required, joinPath(normalizeReadPath(directory), '\0'));
}

// ---- grants

export interface ScopeGrant {
  readonly resource: string;
  readonly action: string;
  /** null: three parts, the whole namespace. */
  readonly pathPart: string | null;
}

/** `plane:resource:action[:path]`; the path keeps further colons. null: not a structured scope of ours. */
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

// ---- path parts

export type ScopePath =
  | { readonly kind: 'everything' }
  /** `/a/b`, and `/`, which is the root alone. */
  | { readonly kind: 'exact'; readonly path: string }
  /** `/dir/**`: the directory and all below. `/dir/*`: all below, at any depth, without the directory itself. */
  | { readonly kind: 'below'; readonly directory: string; readonly itself: boolean }
  /** `/name*`: a prefix of the text, across segments. */
  | { readonly kind: 'prefix'; readonly prefix: string };

/** Globs stand at the end only. null: not valid. Cases: the published `scope-paths` and test/core/access/scope.test.ts. */
export function parseScopePath(text: string): ScopePath | null {
  const path = text.trim();
  if (path === '*') return { kind: 'everything' };
  if (path === '/') return { kind: 'exact', path };
  if (!path.startsWith('/') || path.includes('\0')) return null;
  const segments = path.slice(1).split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return null;
  const star = path.indexOf('*');
  if (star === -1) return { kind: 'exact', path };
  if (path.endsWith('/**') && star === path.length - 2) {
    return path === '/**'
      ? { kind: 'everything' }
      : { kind: 'below', directory: path.slice(0, -3), itself: true };
  }
  if (star !== path.length - 1) return null;
  if (path.endsWith('/*')) return { kind: 'below', directory: path.slice(0, -2), itself: false };
  return { kind: 'prefix', prefix: path.slice(0, -1) };
}

export function matchesScopePath(allowed: ScopePath, path: string): boolean {
  // White space around a path is not part of it (contract 1.2), unless it is already rooted: then it is a file's real name,
  // and trimming it would let a grant for one file open another.
  const wanted = normalizeReadPath(path.startsWith('/') ? path : path.trim());
  switch (allowed.kind) {
    case 'everything':
      return true;
    case 'exact':
      return wanted === allowed.path;
    case 'below':
      if (wanted === '/') return false;
      return wanted.startsWith(`${allowed.directory}/`) || (allowed.itself && wanted === allowed.directory);
    case 'prefix':
      return wanted.startsWith(allowed.prefix);
  }
}
