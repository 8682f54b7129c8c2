// Decides whether a token may register, list, remove or replay webhook endpoints for a glob. Pure. The action's own scope is sufficient: an
// event contains no content, and a token that may register endpoints for a path may learn that it changed. A grant without a path
// reaches as far as the token's grants of files do, so a confined token stays confined. Access rules are checked for each event.
import { normalizeReadPath } from '../paths/path.ts';
import { grantsBelow, grantsScope, type webhookScopes } from './scope.ts';

export type WebhookScope = (typeof webhookScopes)[number];

const fileActions = ['fs:read', 'fs:write'] as const;

/** Does the scope include every path that the glob matches? Up to its first star a glob is a path. */
export function grantsGlob(scopes: readonly string[], scope: WebhookScope, glob: string): boolean {
  const allows = (check: (action: string) => boolean) =>
    check(scope) && (namesPaths(scopes, scope) || reachesAsFar(scopes, check));
  const segments = normalizeReadPath(glob).slice(1).split('/');
  const star = segments.findIndex((segment) => segment.includes('*'));
  if (star === -1) return allows((action) => grantsScope(scopes, action, `/${segments.join('/')}`));
  const directory = `/${segments.slice(0, star).join('/')}`;
  // `/docs/**` matches /docs itself.
  const matchesItself = star > 0 && star === segments.length - 1 && segments[star] === '**';
  return allows(
    (action) =>
      grantsBelow(scopes, action, directory) && (!matchesItself || grantsScope(scopes, action, directory)),
  );
}

/** No path of a workspace contains a NUL: only a grant of everything matches this one. */
function namesPaths(scopes: readonly string[], scope: WebhookScope): boolean {
  return !grantsScope(scopes, scope, '/\0');
}

function reachesAsFar(scopes: readonly string[], check: (action: string) => boolean): boolean {
  const granted = fileActions.filter((action) => grantsScope(scopes, action, null));
  return granted.length === 0 || granted.some(check);
}
