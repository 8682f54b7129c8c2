// Which endpoints may a token register, see, remove, replay? Pure. The scope of the action alone decides: an event carries no content,
// and whoever may register endpoints for a path may learn that it changed. A grant without a path reaches only as far as the token's
// grants of files do, so that a token confined to some paths stays confined to them. Access rules are asked for each event beside this.
import { normalizeReadPath } from '../paths/path.ts';
import { grantsBelow, grantsScope, type webhookScopes } from './scope.ts';

export type WebhookScope = (typeof webhookScopes)[number];

const fileActions = ['fs:read', 'fs:write'] as const;

/** Does the scope cover every path that the glob matches? Up to its first star a glob is a path. */
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

/** No path of a workspace holds a NUL: only a grant of everything reaches this one. */
function namesPaths(scopes: readonly string[], scope: WebhookScope): boolean {
  return !grantsScope(scopes, scope, '/\0');
}

function reachesAsFar(scopes: readonly string[], check: (action: string) => boolean): boolean {
  const granted = fileActions.filter((action) => grantsScope(scopes, action, null));
  return granted.length === 0 || granted.some(check);
}
