// Which events may an endpoint be told of? Pure. `webhooks:write` alone decides: an event carries no content, and whoever may
// register endpoints for a path may learn that it changed. A grant without a path reaches only as far as the token's grants of files
// do, so that a token confined to some paths stays confined to them. Access rules are asked for each event beside this.
import { normalizeReadPath } from './path.ts';
import { grantsBelow, grantsScope } from './scope.ts';

const register = 'webhooks:write';
const fileActions = ['fs:read', 'fs:write'] as const;

/** May whoever holds these scopes be told of every path that the glob matches? Up to its first star a glob is a path. */
export function mayRegisterGlob(scopes: readonly string[], glob: string): boolean {
  const allows = (check: (action: string) => boolean) =>
    check(register) && (namesPaths(scopes) || reachesAsFar(scopes, check));
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
function namesPaths(scopes: readonly string[]): boolean {
  return !grantsScope(scopes, register, '/\0');
}

function reachesAsFar(scopes: readonly string[], check: (action: string) => boolean): boolean {
  const granted = fileActions.filter((action) => grantsScope(scopes, action, null));
  return granted.length === 0 || granted.some(check);
}
