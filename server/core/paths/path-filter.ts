// Path filters of WebSockets and webhooks: an exact path, `*` for one segment, `**` at the end for all descendants. Pure.
import { normalizeReadPath } from './path.ts';

/** Matches when any filter does, or when there are none. */
export function createPathFilter(filters: readonly string[]): (path: string) => boolean {
  if (filters.length === 0) return () => true;
  const matchers = filters.map(matcherOf);
  return (path) => matchers.some((matches) => matches(path));
}

function matcherOf(filter: string): (path: string) => boolean {
  const wanted = normalizeReadPath(filter).slice(1).split('/');
  const open = wanted.at(-1) === '**';
  if (open) wanted.pop();
  return (path) => {
    const segments = path.slice(1).split('/');
    if (open ? segments.length < wanted.length : segments.length !== wanted.length) return false;
    return wanted.every((part, index) => part === '*' || part === segments[index]);
  };
}
