// Path filters of a subscription: exact, `*` for one segment, `**` at the end for everything below. Pure.

/** Whether a path passes; no filters: every path does. */
export function matchesAny(filters: readonly string[] | undefined, path: string): boolean {
  if (filters === undefined || filters.length === 0) return true;
  return filters.some((filter) => matches(segmentsOf(filter), segmentsOf(path)));
}

/** The feed filters by prefix: the longest one of each filter that has no wildcard in it. */
export function prefixesOf(filters: readonly string[] | undefined): readonly string[] {
  if (filters === undefined || filters.length === 0) return ['/'];
  const prefixes = filters.map((filter) => {
    const segments = segmentsOf(filter);
    const wild = segments.findIndex((segment) => segment.includes('*'));
    return `/${(wild === -1 ? segments : segments.slice(0, wild)).join('/')}`;
  });
  return [...new Set(prefixes)];
}

function matches(filter: readonly string[], path: readonly string[]): boolean {
  if (filter.at(-1) === '**') {
    const head = filter.slice(0, -1);
    return path.length >= head.length && head.every((segment, at) => segment === '*' || segment === path[at]);
  }
  return (
    filter.length === path.length && filter.every((segment, at) => segment === '*' || segment === path[at])
  );
}

function segmentsOf(path: string): readonly string[] {
  const inside = path.replace(/^\/|\/$/g, '');
  return inside === '' ? [] : inside.split('/');
}
