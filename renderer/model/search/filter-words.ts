// Filters of a search that are typed as words: `type:json path:/guides in:product-docs after:2026-11-01 changed:day`. Pure.
import { changedOf, isDay, type SearchForm } from './search-form.ts';

const filterNames = ['type', 'glob', 'path', 'in', 'after', 'changed'] as const;
type FilterName = (typeof filterNames)[number];

export interface FilterWords {
  /** The text without the filters. */
  readonly q: string;
  readonly filters: Partial<SearchForm>;
  /** The filters as they were typed, one for each; of two with the same effect the later. */
  readonly words: readonly string[];
}

interface NamedWorkspace {
  readonly workspaceId: string;
  readonly name: string;
}

/** What is in quotes is text. A filter with a quoted value is one word. */
const tokens = /[a-z]+:"[^"]*"|"[^"]*"?|\S+|\s+/g;

/**
 * Takes the filters out of a text. A filter whose value is not valid, as of a workspace that does not exist, stays text.
 * `whileTyping`: the last word may be incomplete, so it stays text unless a space follows.
 */
export function filterWords(
  text: string,
  workspaces: readonly NamedWorkspace[],
  { whileTyping = false } = {},
): FilterWords {
  const found = new Map<keyof SearchForm, { readonly word: string; readonly filter: Partial<SearchForm> }>();
  let q = '';
  let isTaken = false;
  const all = text.match(tokens) ?? [];
  for (const [index, token] of all.entries()) {
    const isLast = index === all.length - 1;
    const filter = isLast && whileTyping ? null : filterOf(token, workspaces);
    const [key] = Object.keys(filter ?? {}) as (keyof SearchForm)[];
    if (filter === null || key === undefined) {
      // The space that followed a filter goes with it.
      q += isTaken && /^\s/.test(token) ? '' : token;
      isTaken = false;
    } else {
      found.delete(key);
      found.set(key, { word: token, filter });
      isTaken = true;
    }
  }
  const taken = [...found.values()];
  return {
    q: taken.length === 0 ? text : q,
    filters: Object.assign({}, ...taken.map(({ filter }) => filter)) as Partial<SearchForm>,
    words: taken.map(({ word }) => word),
  };
}

/** null: text. */
function filterOf(token: string, workspaces: readonly NamedWorkspace[]): Partial<SearchForm> | null {
  const colon = token.indexOf(':');
  const name = filterNames.find((each) => each === token.slice(0, colon).toLowerCase());
  const value = token.slice(colon + 1).replaceAll('"', '');
  return name === undefined || value === '' ? null : namedFilter(name, value, workspaces);
}

function namedFilter(
  name: FilterName,
  value: string,
  workspaces: readonly NamedWorkspace[],
): Partial<SearchForm> | null {
  switch (name) {
    case 'type':
      return /^\.?[\p{L}\p{N}_+-]+$/u.test(value) ? { glob: `*.${value.replace(/^\./, '')}` } : null;
    case 'glob':
      return { glob: value };
    case 'path':
      return { folder: value.startsWith('/') ? value : `/${value}` };
    case 'in': {
      const wanted = value.toLowerCase();
      const workspace = workspaces.find(
        (each) => each.workspaceId === value || each.name.toLowerCase() === wanted,
      );
      return workspace === undefined ? null : { workspaceId: workspace.workspaceId };
    }
    case 'after':
      return isDay(value) ? { changed: value } : null;
    case 'changed': {
      const changed = changedOf(value.toLowerCase());
      return changed === null ? null : { changed };
    }
  }
}
