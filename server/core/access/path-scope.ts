// The path part of a scope: parses it and matches paths against it (docs/wire-contract.md#tokens-and-scopes). Pure.
import { normalizeReadPath } from '../paths/path.ts';

export type ScopePath =
  | { readonly kind: 'everything' }
  /** `/a/b`, and `/`, which is the root alone. */
  | { readonly kind: 'exact'; readonly path: string }
  /** `/dir/**`: the directory and its descendants. `/dir/*`: its descendants, without the directory. */
  | { readonly kind: 'below'; readonly directory: string; readonly itself: boolean }
  /** `/name*`: a text prefix, across segments. */
  | { readonly kind: 'prefix'; readonly prefix: string };

/** A glob is valid only at the end. null: not valid. Cases: the published `scope-paths` and test/core/access/scope.test.ts. */
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
  // White space around a path is not part of it, unless the path starts with "/": then it is a file's real name, and trimming it
  // would let a grant for one file open another.
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
