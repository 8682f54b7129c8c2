// The part of a workspace that a token is limited to, as typed in its form. Pure. docs/wire-contract.md#tokens-and-scopes

/** Why a typed folder or pattern is invalid; null: it is valid or empty. */
export function pathProblem(path: string): string | null {
  if (path === '') return null;
  if (!path.startsWith('/')) return 'Start the path with “/”, for example /docs.';
  const star = path.indexOf('*');
  const isGlob =
    star === -1 || star === path.length - 1 || (path.endsWith('/**') && star === path.length - 2);
  if (!isGlob) return 'Use “*” at the end only: /docs/** or /docs/a*.';
  const names = path.replace(/\/$/, '').slice(1).split('/');
  const isPlain = path === '/' || names.every((name) => name !== '' && name !== '.' && name !== '..');
  return isPlain ? null : 'Remove “//”, “.” and “..” from the path.';
}

export type TypedPath =
  | { readonly kind: 'all' }
  /** A folder or a file: only the workspace knows which. */
  | { readonly kind: 'entry'; readonly path: string }
  /** `/docs/**`, `/docs/*` */
  | { readonly kind: 'below'; readonly folder: string; readonly pattern: string }
  /** `/docs/a*` */
  | { readonly kind: 'prefix'; readonly folder: string; readonly prefix: string };

/** `typed` has no problem. */
export function typedPath(typed: string): TypedPath {
  if (typed === '' || typed === '/' || typed === '/**') return { kind: 'all' };
  const below = /^(\/.+)\/\*\*?$/.exec(typed)?.[1];
  if (below !== undefined) return { kind: 'below', folder: below, pattern: typed };
  if (typed.endsWith('*')) {
    const prefix = typed.slice(0, -1);
    return { kind: 'prefix', folder: prefix.slice(0, prefix.lastIndexOf('/')) || '/', prefix };
  }
  return { kind: 'entry', path: typed.replace(/\/$/, '') };
}

/** The directory or file to begin with, of a pattern: `/docs` of `/docs/**`, `/docs` of `/docs/a*`. */
export function beginOfPattern(pattern: string | undefined): string {
  if (pattern === undefined) return '/';
  const typed = typedPath(pattern);
  return typed.kind === 'all' ? '/' : typed.kind === 'entry' ? typed.path : typed.folder;
}
