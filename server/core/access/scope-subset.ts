// Decides whether scopes are a subset of other scopes: a delegated token can never do more than its parent. Pure. When in doubt the answer
// is no.

import { matchesScopePath, parseScopePath, type ScopePath } from './path-scope.ts';
import { bareScopes, grantsScope, parseGrant, webhookScopes } from './scope.ts';

/** The first wanted scope that the held ones do not include; null: they include all. */
export function scopeOutside(held: readonly string[], wanted: readonly string[]): string | null {
  // A narrow grant confines the bare scope beside it, so each wanted scope is compared alone.
  return wanted.find((scope) => !isCovered(held, scope.trim())) ?? null;
}

function isCovered(held: readonly string[], wanted: string): boolean {
  if (isBare(wanted)) return coversEverything(held, wanted);
  const grant = parseGrant(wanted);
  const action = grant === null ? null : `${grant.resource}:${grant.action}`;
  // Wildcards, `manage` and scopes of other systems mean more than is known here: only the same scope includes them.
  if (grant === null || action === null || !isBare(action)) {
    return held.some((scope) => scope.trim() === wanted);
  }
  const path = grant.pathPart === null ? ({ kind: 'everything' } as const) : parseScopePath(grant.pathPart);
  // An invalid path part grants nothing.
  if (path === null) return true;
  if (path.kind === 'everything') return coversEverything(held, action);
  if (coversEverything(held, action)) return true;
  return held.some((scope) => {
    const pathPart = parseGrant(scope)?.pathPart ?? null;
    const outer = pathPart === null ? null : parseScopePath(pathPart);
    // The grant alone says whether it is for this action.
    return outer !== null && grantsScope([scope], action, null) && contains(outer, path);
  });
}

function isBare(scope: string): boolean {
  return ([...bareScopes, ...webhookScopes] as readonly string[]).includes(scope);
}

/** No path of a workspace contains a NUL: only a grant of everything matches this one. */
function coversEverything(held: readonly string[], action: string): boolean {
  return grantsScope(held, action, '/\0');
}

/** Does every path of `inner` match `outer`? */
function contains(outer: ScopePath, inner: ScopePath): boolean {
  switch (inner.kind) {
    case 'everything':
      return outer.kind === 'everything';
    case 'exact':
      return matchesScopePath(outer, inner.path);
    case 'below': {
      if (outer.kind === 'everything') return true;
      if (outer.kind === 'prefix') {
        return (inner.itself ? inner.directory : `${inner.directory}/`).startsWith(outer.prefix);
      }
      if (outer.kind === 'exact') return false;
      if (outer.directory === inner.directory) return outer.itself || !inner.itself;
      return inner.directory.startsWith(`${outer.directory}/`);
    }
    case 'prefix':
      if (outer.kind === 'everything') return true;
      if (outer.kind === 'prefix') return inner.prefix.startsWith(outer.prefix);
      return outer.kind === 'below' && inner.prefix.startsWith(`${outer.directory}/`);
  }
}
