// May somebody who holds these scopes hand out those? Pure. Each wanted scope must be covered by what is held, so that a token
// made under another one can never do more. Where it cannot be told, the answer is no.
import {
  bareScopes,
  grantsScope,
  matchesScopePath,
  parseGrant,
  parseScopePath,
  type ScopePath,
  webhookScopes,
} from './scope.ts';

/** null: all of them may be handed out. Else the first one that may not. */
export function scopeOutside(held: readonly string[], wanted: readonly string[]): string | null {
  // Together they could reach further than each of them: a narrow one confines its bare one, so each is looked at alone.
  return wanted.find((scope) => !isCovered(held, scope.trim())) ?? null;
}

function isCovered(held: readonly string[], wanted: string): boolean {
  if (isBare(wanted)) return coversEverything(held, wanted);
  const grant = parseGrant(wanted);
  const action = grant === null ? null : `${grant.resource}:${grant.action}`;
  // Wildcards, `manage` and words of other systems mean more than can be looked up here: only whoever has the same has them.
  if (grant === null || action === null || !isBare(action)) {
    return held.some((scope) => scope.trim() === wanted);
  }
  const path = grant.pathPart === null ? ({ kind: 'everything' } as const) : parseScopePath(grant.pathPart);
  // A path part that is not valid grants nothing.
  if (path === null) return true;
  if (path.kind === 'everything') return coversEverything(held, action);
  if (coversEverything(held, action)) return true;
  return held.some((scope) => {
    const pathPart = parseGrant(scope)?.pathPart ?? null;
    const outer = pathPart === null ? null : parseScopePath(pathPart);
    // The grant alone says whether it is about this action at all.
    return outer !== null && grantsScope([scope], action, null) && contains(outer, path);
  });
}

function isBare(scope: string): boolean {
  return ([...bareScopes, ...webhookScopes] as readonly string[]).includes(scope);
}

/** No path of a workspace holds a NUL: only a grant of everything reaches this one. */
function coversEverything(held: readonly string[], action: string): boolean {
  return grantsScope(held, action, '/\0');
}

/** Does every path of the inner one belong to the outer one? */
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
