// Path filters of a subscription: exact, `*` for one segment, `**` at the end for all descendants. Pure.

/** true without filters. */
export function matchesAny(filters: readonly string[] | undefined, path: string): boolean {
  if (filters === undefined || filters.length === 0) return true;
  return filters.some((filter) => matches(segmentsOf(filter), segmentsOf(path)));
}

/** Prefixes for the feed, which has no wildcards: the longest prefix of each filter without a wildcard. */
export function prefixesOf(filters: readonly string[] | undefined): readonly string[] {
  if (filters === undefined || filters.length === 0) return ['/'];
  const prefixes = filters.map((filter) => {
    const segments = segmentsOf(filter);
    const wildcard = segments.findIndex((segment) => segment.includes('*'));
    return `/${(wildcard === -1 ? segments : segments.slice(0, wildcard)).join('/')}`;
  });
  return [...new Set(prefixes)];
}

function matches(filter: readonly string[], path: readonly string[]): boolean {
  if (filter.at(-1) === '**') {
    const head = filter.slice(0, -1);
    return (
      path.length >= head.length && head.every((segment, index) => segment === '*' || segment === path[index])
    );
  }
  return (
    filter.length === path.length &&
    filter.every((segment, index) => segment === '*' || segment === path[index])
  );
}

function segmentsOf(path: string): readonly string[] {
  const trimmed = path.replace(/^\/|\/$/g, '');
  return trimmed === '' ? [] : trimmed.split('/');
}
